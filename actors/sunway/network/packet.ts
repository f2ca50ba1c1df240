import type { Address } from '../../../kernel/message.ts';
import type {
  MemoryClaim,
  MemoryGrant,
  MemoryRead,
  MemoryResponse,
  MemoryWrite,
  RmaData,
  RmaRead,
} from '../messages.ts';

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

/** What a packet carries: a message from engine to engine, or between an engine and a memory controller. */
export type PacketContent =
  | MemoryRead
  | MemoryClaim
  | MemoryWrite
  | MemoryResponse
  | MemoryGrant
  | RmaData
  | RmaRead;

/** Flits that travel together. */
export interface Packet {
  /** Unique in its core group; those of one source ascend. */
  readonly id: number;
  /** Whom it is still for: a set of bits. */
  readonly targets: number;
  readonly flits: number;
  readonly content: PacketContent;
}

/** How many flits a packet with so many bytes has. */
export const flitsOf = (bytes: number): number => headerFlits + Math.ceil(bytes / flitBytes);

/** Bytes that a message has in the network; requests, grants and acknowledgements are headers alone. */
export const bytesIn = (content: PacketContent): number =>
  'data' in content && content.data !== null ? content.data.length : 0;

/** The head of a packet comes to an input port of a router. */
export interface PacketEnter {
  readonly type: 'packet.enter';
  readonly port: number;
  readonly packet: Packet;
}
/** A packet is out of the network, with its last flit. */
export interface PacketArrive {
  readonly type: 'packet.arrive';
  readonly packet: Packet;
}
/** Flits have left the buffer behind an output port: as many may follow. */
export interface PacketCredit {
  readonly type: 'packet.credit';
  /** Output port of the one who hears it. */
  readonly port: number;
  readonly flits: number;
}
/** A router goes on by itself: the last flit of a packet has gone from an input port to an output port. */
export interface RouterTurn {
  readonly type: 'router.turn';
  readonly input: number;
  readonly output: number;
}
/** The next packet may go into the network. */
export interface InjectorTurn {
  readonly type: 'injector.turn';
}

/** Where packets go into the network: the input port of a router. */
export interface Entrance {
  readonly router: Address;
  readonly port: number;
  /** Cycles on the way to it. */
  readonly cycles: number;
}
