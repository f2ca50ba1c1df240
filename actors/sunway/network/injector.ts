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

/** Makes a packet of a message and sends it as soon as it can be. */
export function inject(
  injector: Injector,
  spec: InjectorSpec,
  content: PacketContent,
  targets: number,
  at: number,
  out: Outbox<PacketEnter | InjectorTurn>,
): void {
  const id = spec.node * packetsPerNode + injector.count++;
  injector.waiting.push({ id, targets, flits: flitsOf(bytesIn(content)), content });
  pump(injector, spec, at, out);
}

/** Sends what waits, while the entrance is free and has room. */
export function pump(
  injector: Injector,
  { self, entrance, flitsPerCycle }: InjectorSpec,
  at: number,
  out: Outbox<PacketEnter | InjectorTurn>,
): void {
  while (injector.waiting.length > 0 && injector.freeAt <= at) {
    const { flits } = injector.waiting[0]!;
    if (injector.credits < flits) return;
    const packet = injector.waiting.shift()!;
    injector.credits -= flits;
    injector.freeAt = at + Math.ceil(flits / flitsPerCycle);
    const delay = Math.max(1, entrance.cycles);
    out.post({
      to: entrance.router,
      type: 'packet.enter',
      port: entrance.port,
      packet,
      delay,
    });
  }
  if (injector.waiting.length === 0 || injector.turnAt > at) return;
  injector.turnAt = injector.freeAt;
  out.post({ to: self, type: 'injector.turn', delay: injector.freeAt - at });
}
