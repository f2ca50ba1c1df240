import { type Access, foundIn, type History, type Initial, reads, valueKey, writes } from './history.ts';
import type { Replay } from './search.ts';

/** An object that is used by one access after another: what it is at first, and what an access makes of it. */
export interface Model<State = unknown> {
  readonly initial: State;
  /**
   * The state after an access, as plain data; `state` stays as it is. Undefined when the object cannot answer the access like this. Of an access without an answer the result is not
   * known, so it must be let through whatever its `value`.
   */
  step(state: State, access: Access): State | undefined;
}

/** Tries accesses out on an object of any kind. */
export class ModelReplay<State> implements Replay {
  readonly #model: Model<State>;
  readonly #accesses: History;
  readonly #states: { readonly state: State; readonly key: string }[];

  constructor(model: Model<State>, accesses: History) {
    this.#model = model;
    this.#accesses = accesses;
    this.#states = [{ state: model.initial, key: valueKey(model.initial) }];
  }

  get key(): string {
    return this.#states.at(-1)!.key;
  }

  idle(): boolean {
    // What changes nothing now may change something later.
    return false;
  }

  take(access: number): boolean {
    const next = this.#after(access);
    if (next !== undefined) this.#states.push({ state: next, key: valueKey(next) });
    return next !== undefined;
  }

  undo(): void {
    this.#states.pop();
  }

  #after(access: number): State | undefined {
    return this.#model.step(this.#states.at(-1)!.state, this.#accesses[access]!);
  }
}

const none = -1;

/**
 * Tries accesses out on a memory of many locations.
 *
 * Details: a value that is still to be read, and that nobody will write again, is not written over.
 */
export class MemoryReplay implements Replay {
  /** By access: number of its location, and of the values that it reads and writes, unlike for different locations. */
  readonly #places: { readonly location: number; readonly found: number; readonly written: number }[];
  /** By location: the value that it holds. */
  readonly #held: number[] = [];
  readonly #before: number[] = [];
  /** By value: how many accesses are still to read and to write it. */
  readonly #toRead: number[] = [];
  readonly #toWrite: number[] = [];

  constructor(accesses: History, initial: Initial) {
    const [locations, values] = [new Numbers(), new Numbers()];
    const numberOf = (location: string, value: unknown) => values.of(`${location} ${valueKey(value)}`);
    this.#places = accesses.map((access) => ({
      location: locations.of(access.location),
      found: reads(access) ? numberOf(access.location, foundIn(access)) : none,
      written: writes(access) ? numberOf(access.location, access.value) : none,
    }));
    for (const location of locations.names) this.#held.push(numberOf(location, initial(location)));
    for (const list of [this.#toRead, this.#toWrite]) for (const _ of values.names) list.push(0);
    for (const { found, written } of this.#places) {
      if (found !== none) this.#toRead[found]!++;
      if (written !== none) this.#toWrite[written]!++;
    }
  }

  get key(): string {
    return this.#held.join();
  }

  idle(access: number): boolean {
    const { location, found, written } = this.#places[access]!;
    const held = this.#held[location];
    return written === none && (found === none || found === held);
  }

  take(access: number): boolean {
    const { location, found, written } = this.#places[access]!;
    const held = this.#held[location]!;
    if (found !== none && found !== held) return false;
    if (written !== none && written !== held) {
      const readers = this.#toRead[held]! - (found === none ? 0 : 1);
      if (readers > 0 && this.#toWrite[held] === 0) return false;
    }
    if (found !== none) this.#toRead[found]!--;
    if (written !== none) this.#toWrite[written]!--;
    this.#before.push(held);
    if (written !== none) this.#held[location] = written;
    return true;
  }

  undo(access: number): void {
    const { location, found, written } = this.#places[access]!;
    this.#held[location] = this.#before.pop()!;
    if (found !== none) this.#toRead[found]!++;
    if (written !== none) this.#toWrite[written]!++;
  }
}

/** Numbers names from 0, in the order in which they are met. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  get names(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}
