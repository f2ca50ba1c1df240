import type { Hasher } from '../../../../kernel/hash.ts';
import type { RouterTables } from './router-tables.ts';

/** The queues of flits of all virtual channels of a router: those behind wires are tables of the router, those of port 0 grow as they need. */
export class InputBuffers {
  #injected: Int32Array;
  #injectedRoom = 8;

  constructor(
    readonly tables: RouterTables,
    readonly cells: Int32Array,
  ) {
    this.#injected = new Int32Array(tables.channels * this.#injectedRoom);
  }

  /** Flits in a queue. */
  count(queue: number): number {
    return this.cells[this.tables.counts + queue]!;
  }

  /** The oldest flit of a queue that has one. */
  front(queue: number): number {
    const { cells, tables } = this;
    const first = cells[tables.firsts + queue]!;
    return queue < tables.channels
      ? this.#injected[queue * this.#injectedRoom + first]!
      : cells[tables.rings + (queue - tables.channels) * tables.ringRoom + first]!;
  }

  push(queue: number, flit: number): void {
    const { cells, tables } = this;
    const count = cells[tables.counts + queue]!++;
    const { channels, ringRoom } = tables;
    const end = cells[tables.firsts + queue]! + count;
    if (queue >= channels) {
      cells[tables.rings + (queue - channels) * ringRoom + (end & (ringRoom - 1))] = flit;
      return;
    }
    if (count === this.#injectedRoom) {
      this.#grow();
      this.#injected[queue * this.#injectedRoom + count] = flit;
      return;
    }
    this.#injected[queue * this.#injectedRoom + (end & (this.#injectedRoom - 1))] = flit;
  }

  shift(queue: number): number {
    const { cells, tables } = this;
    const flit = this.front(queue);
    const mask = (queue < tables.channels ? this.#injectedRoom : tables.ringRoom) - 1;
    cells[tables.firsts + queue] = (cells[tables.firsts + queue]! + 1) & mask;
    cells[tables.counts + queue]!--;
    return flit;
  }

  /** Sets bits of the newest flit of a queue that has one. */
  markNewest(queue: number, bits: number): void {
    const { cells, tables } = this;
    const injects = queue < tables.channels;
    const room = injects ? this.#injectedRoom : tables.ringRoom;
    const place = (cells[tables.firsts + queue]! + this.count(queue) - 1) & (room - 1);
    if (injects) this.#injected[queue * room + place]! |= bits;
    else cells[tables.rings + (queue - tables.channels) * room + place]! |= bits;
  }

  #grow(): void {
    const { cells, tables } = this;
    const room = this.#injectedRoom;
    const grown = new Int32Array(tables.channels * 2 * room);
    for (let queue = 0; queue < tables.channels; queue++) {
      const first = cells[tables.firsts + queue]!;
      for (let i = 0; i < room; i++)
        grown[queue * 2 * room + i] = this.#injected[queue * room + ((first + i) & (room - 1))]!;
      cells[tables.firsts + queue] = 0;
    }
    this.#injected = grown;
    this.#injectedRoom = 2 * room;
  }

  /** The flits of a queue, oldest first. */
  flitsOf(queue: number): readonly number[] {
    const { cells, tables } = this;
    const injects = queue < tables.channels;
    const from = injects ? this.#injected : cells;
    const room = injects ? this.#injectedRoom : tables.ringRoom;
    const base = injects ? queue * room : tables.rings + (queue - tables.channels) * room;
    const first = cells[tables.firsts + queue]!;
    return Array.from({ length: this.count(queue) }, (_, i) => from[base + ((first + i) & (room - 1))]!);
  }

  /** The same queues over a copy of the router's cells. */
  over(cells: Int32Array): InputBuffers {
    const copy = new InputBuffers(this.tables, cells);
    copy.#injected = this.#injected.slice();
    copy.#injectedRoom = this.#injectedRoom;
    return copy;
  }

  hash(into: Hasher): void {
    for (let queue = 0; queue < this.tables.queues; queue++) into.numbers(this.flitsOf(queue));
  }
}
