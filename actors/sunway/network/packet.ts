import type { Address } from '../../../kernel/message.ts';
import type { SunwayMessage } from '../protocol.ts';

/** Bytes of a flit, and flits of a packet before its bytes (Sunway specification 8.5). */
export const flitBytes = 16;
export const headerFlits = 2;
/** Bytes that one packet carries at most: a block of main memory. */
export const packetBytes = 128;

/** Who takes packets out of the network: the engines of the 16 clusters, and behind them the gateways to memory, one a row. */
export const clusters = 16;
export const gateways = 4;

/** The bit of a set of targets. */
export const clusterBit = (cluster: number): number => 2 ** cluster;
export const gatewayBit = (row: number): number => 2 ** (clusters + row);

/** Flits that travel together. */
export type Packet = PacketArrive['packet'];
/** What a packet carries. */
export type PacketContent = Packet['content'];

/** How many flits a packet with so many bytes has. */
export const flitsOf = (bytes: number): number => headerFlits + Math.ceil(bytes / flitBytes);

/** Bytes that a message has in the network; requests, grants and acknowledgements are headers alone. */
export const bytesIn = (content: PacketContent): number =>
  'data' in content && content.data !== null ? content.data.length : 0;

/** The head of a packet comes to an input port of a router. */
export type PacketEnter = SunwayMessage<'packet.enter'>;
/** A packet is out of the network, with its last flit. */
export type PacketArrive = SunwayMessage<'packet.arrive'>;
/** Flits have left the buffer behind an output port: as many may follow. */
export type PacketCredit = SunwayMessage<'packet.credit'>;
/** A router goes on by itself: the last flit of a packet has gone from an input port to an output port. */
export type RouterTurn = SunwayMessage<'router.turn'>;
/** The next packet may go into the network. */
export type InjectorTurn = { readonly type: 'injector.turn' };

/** Where packets go into the network: the input port of a router. */
export interface Entrance {
  readonly router: Address;
  readonly port: number;
  /** Cycles on the way to it. */
  readonly cycles: number;
}
