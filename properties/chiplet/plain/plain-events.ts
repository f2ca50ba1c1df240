/*
 * The two orders of events of equal time that editions of the network have (chiplet specification 5.3, 5.11).
 */

/** Events by time. */
export interface PlainEvents<Event> {
  readonly size: number;
  insert(time: number, event: Event): void;
  /** The next event, which goes. */
  take(): readonly [time: number, event: Event];
}

/** Of equal time: first in, first out. */
export class InOrder<Event> implements PlainEvents<Event> {
  readonly #events: (readonly [number, Event])[] = [];

  get size(): number {
    return this.#events.length;
  }

  insert(time: number, event: Event): void {
    const events = this.#events;
    let at = events.length;
    while (at > 0 && events[at - 1]![0] > time) at--;
    events.splice(at, 0, [time, event]);
  }

  take(): readonly [number, Event] {
    return this.#events.shift()!;
  }
}

/** Of equal time: as a binary heap that knows the time only gives them out. */
export class InHeap<Event> implements PlainEvents<Event> {
  readonly #heap: (readonly [number, Event])[] = [];

  get size(): number {
    return this.#heap.length;
  }

  insert(time: number, event: Event): void {
    this.#heap.push([time, event]);
    this.#rise(this.#heap.length - 1);
  }

  take(): readonly [number, Event] {
    const heap = this.#heap;
    const root = heap[0]!;
    const filler = heap.pop()!;
    const size = heap.length;
    if (size === 0) return root;
    let hole = 0;
    while (2 * hole + 2 < size) {
      const [left, right] = [2 * hole + 1, 2 * hole + 2];
      const child = heap[right]![0] > heap[left]![0] ? left : right;
      heap[hole] = heap[child]!;
      hole = child;
    }
    if (size % 2 === 0 && 2 * hole + 2 === size) {
      heap[hole] = heap[2 * hole + 1]!;
      hole = 2 * hole + 1;
    }
    heap[hole] = filler;
    this.#rise(hole);
    return root;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const one = heap[from]!;
    let at = from;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      if (heap[parent]![0] <= one[0]) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = one;
  }
}
