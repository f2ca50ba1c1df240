import { invariant } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { flitsMax } from './flit.ts';
import type { PacketOfDue } from './protocol.ts';

/** A packet to be sent. */
export interface PacketOrder {
  /** Cycle of its sending; may be a fraction. */
  readonly time: number;
  /** Numbers of the routers. */
  readonly source: number;
  readonly target: number;
  /** Flits, at least 1. */
  readonly size: number;
}

/** What knows all packets: the book itself, or what has it among other things. */
export interface PacketHolder extends Resource {
  readonly packets: PacketBook;
}

/**
 * Every packet that was ever handed to the network, by its number.
 *
 * Details: a packet never changes after it was entered, so forks share what was there when they parted.
 */
export class PacketBook implements PacketHolder {
  #times = new Float64Array(16);
  #starts = new Float64Array(16);
  #routes = new Int32Array(64);
  /** By packet: the one that it answers; absent for packets of the trace. */
  #causes = new Map<number, number>();
  #count = 0;
  #flits = 0;
  /** True while another book may read the same tables. */
  #lent = false;

  get packets(): PacketBook {
    return this;
  }

  get count(): number {
    return this.#count;
  }

  /** What a router must know of a packet that is in no list. */
  orderOf(packet: number): PacketOfDue {
    const [start, target] = [this.startOf(packet), this.targetOf(packet)];
    return { start, target, size: this.sizeOf(packet), first: this.firstFlitOf(packet) };
  }

  /** Flits of all packets so far: the number of the first flit of the next packet. */
  get flits(): number {
    return this.#flits;
  }

  /** The packet that one answers; -1 for packets of the trace. */
  causeOf(packet: number): number {
    return this.#causes.get(packet) ?? -1;
  }

  /** Enters a packet that answers another one. */
  answer(order: PacketOrder, cause: number): number {
    const packet = this.enter(order);
    this.#causes.set(packet, cause);
    return packet;
  }

  /** Enters a packet and gives its number. `start` is the time from which its delay counts. */
  enter({ time, source, target, size }: PacketOrder, start = time): number {
    const packet = this.#count;
    if (this.#lent || packet === this.#times.length) this.#grow();
    invariant(size >= 1 && this.#flits + size <= flitsMax, `a network carries at most ${flitsMax} flits`);
    this.#times[packet] = time;
    this.#starts[packet] = start;
    this.#routes.set([source, target, size, this.#flits], 4 * packet);
    this.#flits += size;
    this.#count++;
    return packet;
  }

  #grow(): void {
    const room = Math.max(16, 2 * this.#count);
    const copy = <T extends Float64Array | Int32Array>(into: T, from: T): T => {
      into.set(from.subarray(0, into.length));
      return into;
    };
    this.#times = copy(new Float64Array(room), this.#times);
    this.#starts = copy(new Float64Array(room), this.#starts);
    this.#routes = copy(new Int32Array(4 * room), this.#routes);
    this.#lent = false;
  }

  timeOf(packet: number): number {
    return this.#times[packet]!;
  }

  /** The time from which the delay of a packet counts. */
  startOf(packet: number): number {
    return this.#starts[packet]!;
  }

  sourceOf(packet: number): number {
    return this.#routes[4 * packet]!;
  }

  targetOf(packet: number): number {
    return this.#routes[4 * packet + 1]!;
  }

  /** Flits of a packet. */
  sizeOf(packet: number): number {
    return this.#routes[4 * packet + 2]!;
  }

  /** Number of the first flit of a packet. */
  firstFlitOf(packet: number): number {
    return this.#routes[4 * packet + 3]!;
  }

  fork(): PacketBook {
    const fork = new PacketBook();
    this.#lent = true;
    fork.#lent = true;
    fork.#times = this.#times;
    fork.#starts = this.#starts;
    fork.#routes = this.#routes;
    fork.#causes = new Map(this.#causes);
    fork.#count = this.#count;
    fork.#flits = this.#flits;
    return fork;
  }

  hash(into: Hasher): void {
    into.number(this.#count);
    into.numbers(this.#times, 0, this.#count);
    into.numbers(this.#routes, 0, 4 * this.#count);
    into.value(this.#causes);
  }
}
