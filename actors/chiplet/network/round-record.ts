import type { Hasher } from '../../../kernel/hash.ts';
import type { TurnRecord } from './heap-clock-context.ts';
import type { PacketBook } from './packet-book.ts';
import type { FlitLoad, NetworkMessage } from './protocol.ts';
import { lower, raise } from './router-context.ts';

/** What a clock was told of the turns of a cycle by messages. */
export class RoundRecord implements TurnRecord {
  log: number[] | undefined = [];
  arrived = 0;
  readonly #wanting: number[] = [];
  #loads = new Map<number, FlitLoad>();

  constructor(readonly packets: PacketBook) {}

  /** A router wants a turn. */
  want(router: number): void {
    raise(this.#wanting, router);
  }

  /** A router has its turn. */
  take(router: number): void {
    lower(this.#wanting, router);
  }

  /** A turn is over. */
  note({ router, wants, begun }: NetworkMessage<'turn.done'>): void {
    if (wants) this.want(router);
    if (begun === undefined) return;
    this.log = [...(this.log ?? []), ...begun.entries];
    this.arrived += begun.arrived;
    for (const [flit, load] of Object.entries(begun.loads)) this.#loads.set(Number(flit), load);
  }

  firstFrom(router: number): number {
    return this.#wanting.find((one) => one >= router) ?? -1;
  }

  loadOf(flit: number): FlitLoad | undefined {
    const load = this.#loads.get(flit);
    this.#loads.delete(flit);
    return load;
  }

  fork(): RoundRecord {
    const fork = new RoundRecord(this.packets.fork());
    fork.log = this.log && [...this.log];
    fork.arrived = this.arrived;
    fork.#wanting.push(...this.#wanting);
    fork.#loads = new Map(this.#loads);
    return fork;
  }

  hash(into: Hasher): void {
    this.packets.hash(into);
    into.numbers(this.log ?? []);
    into.number(this.arrived);
    into.numbers(this.#wanting);
    into.value(this.#loads);
  }
}
