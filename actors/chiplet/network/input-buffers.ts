import type { Hasher } from '../../../kernel/hash.ts';
import { TableBlock } from './table-block.ts';

/** Places of a ring: a power of two, so that going around is one operation. */
const ringRoom = (depth: number): number => 1 << (32 - Math.clz32(Math.max(1, depth - 1)));

/** The queues of flits of all virtual channels of a router, numbered port by port; those of port 0 grow as they need. */
export class InputBuffers {
  readonly counts: Int32Array;
  readonly #firsts: Int32Array;
  /** Queues behind wires, each a ring of `#room` places. */
  readonly #cells: Int32Array;
  readonly #room: number;
  /** Queues of port 0. */
  #injected: Int32Array;
  #injectedRoom: number;

  constructor(
    readonly ports: number,
    readonly channels: number,
    readonly depth: number,
    block = new TableBlock(InputBuffers.roomFor(ports, channels, depth)),
  ) {
    const queues = ports * channels;
    this.counts = block.table(queues);
    this.#firsts = block.table(queues);
    this.#room = ringRoom(depth);
    this.#cells = block.table((queues - channels) * this.#room);
    this.#injectedRoom = 8;
    this.#injected = new Int32Array(channels * this.#injectedRoom);
  }

  /** Cells that queues of this shape take of a block. */
  static roomFor(ports: number, channels: number, depth: number): number {
    return 2 * ports * channels + (ports - 1) * channels * ringRoom(depth);
  }

  /** The oldest flit of a queue that has one. */
  front(queue: number): number {
    return queue < this.channels
      ? this.#injected[queue * this.#injectedRoom + this.#firsts[queue]!]!
      : this.#cells[(queue - this.channels) * this.#room + this.#firsts[queue]!]!;
  }

  push(queue: number, flit: number): void {
    const count = this.counts[queue]!++;
    if (queue >= this.channels) {
      const mask = this.#room - 1;
      this.#cells[(queue - this.channels) * this.#room + ((this.#firsts[queue]! + count) & mask)] = flit;
      return;
    }
    if (count === this.#injectedRoom) this.#grow();
    const mask = this.#injectedRoom - 1;
    this.#injected[queue * this.#injectedRoom + ((this.#firsts[queue]! + count) & mask)] = flit;
  }

  shift(queue: number): number {
    const flit = this.front(queue);
    const mask = (queue < this.channels ? this.#injectedRoom : this.#room) - 1;
    this.#firsts[queue] = (this.#firsts[queue]! + 1) & mask;
    this.counts[queue]!--;
    return flit;
  }

  #grow(): void {
    const room = this.#injectedRoom;
    const grown = new Int32Array(this.channels * 2 * room);
    for (let queue = 0; queue < this.channels; queue++) {
      const first = this.#firsts[queue]!;
      for (let i = 0; i < room; i++)
        grown[queue * 2 * room + i] = this.#injected[queue * room + ((first + i) & (room - 1))]!;
      this.#firsts[queue] = 0;
    }
    this.#injected = grown;
    this.#injectedRoom = 2 * room;
  }

  /** The flits of a queue, oldest first. */
  flitsOf(queue: number): readonly number[] {
    const injects = queue < this.channels;
    const cells = injects ? this.#injected : this.#cells;
    const room = injects ? this.#injectedRoom : this.#room;
    const base = (injects ? queue : queue - this.channels) * room;
    return Array.from(
      { length: this.counts[queue]! },
      (_, i) => cells[base + ((this.#firsts[queue]! + i) & (room - 1))]!,
    );
  }

  fork(): InputBuffers {
    const fork = new InputBuffers(this.ports, this.channels, this.depth);
    fork.counts.set(this.counts);
    fork.#firsts.set(this.#firsts);
    fork.#cells.set(this.#cells);
    fork.#injected = this.#injected.slice();
    fork.#injectedRoom = this.#injectedRoom;
    return fork;
  }

  hash(into: Hasher): void {
    for (let queue = 0; queue < this.counts.length; queue++) into.numbers(this.flitsOf(queue));
  }
}
