import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';

/**
 * Events by time in a binary heap, those of equal time in the order in which the heap happens to give them (chiplet specification 5.11).
 *
 * Details: taking the first one fills the hole at the root from below with the smaller child each time, down to the bottom, and puts the last
 * event into the hole that remains there, from where it rises. Of children of equal time the right one moves up.
 */
export class EventHeap implements Resource {
  #times = new Float64Array(64);
  #events = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Time of the first event, of a heap that has one. */
  get firstTime(): number {
    return this.#times[0]!;
  }

  has(isOne: (event: number) => boolean): boolean {
    return this.#events.subarray(0, this.#size).some(isOne);
  }

  insert(time: number, event: number): void {
    if (this.#size === this.#times.length) {
      this.#times = widened(this.#times);
      this.#events = widened(this.#events);
    }
    this.#rise(this.#size++, time, event);
  }

  /** Takes the first event, of a heap that has one. */
  take(): number {
    const first = this.#events[0]!;
    const size = --this.#size;
    if (size === 0) return first;
    const [time, event] = [this.#times[size]!, this.#events[size]!];
    let hole = 0;
    while (hole < (size - 1) >> 1) {
      const right = 2 * (hole + 1);
      hole = this.#moveUp(this.#times[right]! > this.#times[right - 1]! ? right - 1 : right, hole);
    }
    if (size % 2 === 0 && hole === (size - 2) >> 1) hole = this.#moveUp(2 * hole + 1, hole);
    this.#rise(hole, time, event);
    return first;
  }

  #moveUp(child: number, hole: number): number {
    this.#times[hole] = this.#times[child]!;
    this.#events[hole] = this.#events[child]!;
    return child;
  }

  /** Puts an event into a hole, from where it rises past those that are later. */
  #rise(from: number, time: number, event: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (this.#times[parent]! <= time) break;
      hole = this.#moveUp(parent, hole);
    }
    this.#times[hole] = time;
    this.#events[hole] = event;
  }

  fork(): EventHeap {
    const fork = new EventHeap();
    fork.#times = this.#times.slice();
    fork.#events = this.#events.slice();
    fork.#size = this.#size;
    return fork;
  }

  hash(into: Hasher): void {
    into.numbers(this.#times, 0, this.#size);
    into.numbers(this.#events, 0, this.#size);
  }
}

function widened(table: Float64Array): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(2 * table.length);
  wide.set(table);
  return wide;
}
