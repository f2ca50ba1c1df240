import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import {
  bytesIn,
  type Entrance,
  flitsOf,
  type InjectorTurn,
  type Packet,
  type PacketContent,
  type PacketEnter,
} from './packet.ts';

/** What an injector knows of the network. */
export interface InjectorSpec {
  /** Who has it. */
  readonly self: Address;
  /** Number of its owner among those that send packets. */
  readonly node: number;
  readonly entrance: Entrance;
  readonly flitsPerCycle: number;
}

/** Packets on their way into the network, one after the other. */
export interface Injector {
  waiting: Packet[];
  /** Flits that there is room for behind the entrance. */
  credits: number;
  /** When the last flit of the packet before is through. */
  freeAt: number;
  /** The next turn that was asked for; -1 for none. */
  turnAt: number;
  /** Packets so far. */
  count: number;
}

/** An injector that has sent nothing. There is room for flits in the buffer behind the entrance, and on the way to it. */
export const emptyInjector = (
  { entrance, flitsPerCycle }: Pick<InjectorSpec, 'entrance' | 'flitsPerCycle'>,
  bufferFlits: number,
): Injector => ({
  waiting: [],
  credits: bufferFlits + flitsPerCycle * entrance.cycles,
  freeAt: 0,
  turnAt: -1,
  count: 0,
});

/** Packets of one sender are numbered in a range of their own. */
const packetsPerNode = 2 ** 40;

type Out = Outbox<PacketEnter | InjectorTurn>;

/** Makes a packet of a message that waits for its turn. */
export function enqueue(
  injector: Injector,
  { node }: InjectorSpec,
  content: PacketContent,
  targets: number,
): void {
  const id = node * packetsPerNode + injector.count++;
  injector.waiting.push({ id, targets, flits: flitsOf(bytesIn(content)), content });
}

/** Whether the first packet that waits finds no room behind the entrance. */
export const lacksCredit = ({ credits, waiting }: Injector): boolean => credits < waiting[0]!.flits;

/** Sends the first packet that waits. */
export function sendNext(
  injector: Injector,
  { entrance: { router: to, port, cycles }, flitsPerCycle }: InjectorSpec,
  at: number,
  out: Out,
): void {
  const packet = injector.waiting.shift()!;
  injector.credits -= packet.flits;
  injector.freeAt = at + Math.ceil(packet.flits / flitsPerCycle);
  out.post({ to, type: 'packet.enter', port, packet, delay: Math.max(1, cycles) });
}

/** Asks for a turn in the cycle in which the entrance is free, once. */
export function askForTurn(injector: Injector, { self }: InjectorSpec, at: number, out: Out): void {
  if (injector.turnAt > at) return;
  injector.turnAt = injector.freeAt;
  out.post({ to: self, type: 'injector.turn', delay: injector.freeAt - at });
}

/** Makes a packet of a message and sends it as soon as it can be. */
export function inject(
  injector: Injector,
  spec: InjectorSpec,
  content: PacketContent,
  targets: number,
  at: number,
  out: Out,
): void {
  enqueue(injector, spec, content, targets);
  pump(injector, spec, at, out);
}

/** Sends what waits, while the entrance is free and has room. */
export function pump(injector: Injector, spec: InjectorSpec, at: number, out: Out): void {
  while (injector.waiting.length > 0 && injector.freeAt <= at) {
    if (lacksCredit(injector)) return;
    sendNext(injector, spec, at, out);
  }
  if (injector.waiting.length > 0) askForTurn(injector, spec, at, out);
}
