import type { LockstepEvent, Probe } from '../message.ts';
import { nothing } from './alternative.ts';
import type { Key, Observation, Observer } from './observer.ts';

/**
 * What observers look at in a step, as numbers: one for each key of an observer that tells what its observations are about (`about`), one for the whole of an observer otherwise.
 * Steps whose footprints do not overlap are seen in either order with the same result.
 */
export type Footprint = readonly number[];

/** Numbers what observers look at. The whole of an observer has the number of the observer; keys come behind. */
export class Footprints {
  readonly #observers: readonly Observer[];
  readonly #types: readonly (ReadonlySet<string> | undefined)[];
  /** By type: the observers that look at it. */
  readonly #watching = new Map<string, readonly number[]>();
  /** By number: the observer. */
  readonly #owner: number[];
  /** By observer: its keys. */
  readonly #keys: Map<Key, number>[];

  constructor(observers: readonly Observer[]) {
    this.#observers = observers;
    this.#types = observers.map(({ watches }) => watches && new Set(watches));
    this.#owner = observers.map((_, index) => index);
    this.#keys = observers.map(() => new Map());
  }

  /** What is looked at when a message is delivered and its receiver shows the probes. */
  of(from: string, to: string, event: LockstepEvent, probes: readonly Probe[]): Footprint {
    const watched = this.#watchedBy(event.type).length > 0;
    if (!watched && !probes.some(({ type }) => this.#watchedBy(type).length > 0)) return nothing;
    const numbers = new Set<number>();
    this.#add(numbers, event.type, () => ({ kind: 'message', from, to, event }));
    for (const probe of probes) this.#add(numbers, probe.type, () => ({ kind: 'probe', actor: to, probe }));
    return [...numbers];
  }

  /** True for what some observer looks at. */
  isWatched(type: string): boolean {
    return this.#watchedBy(type).length > 0;
  }

  /** The observer whose number it is. */
  ownerOf(number: number): number {
    return this.#owner[number]!;
  }

  #add(numbers: Set<number>, type: string, observation: () => Observation): void {
    const watching = this.#watchedBy(type);
    if (watching.length === 0) return;
    const seen = observation();
    for (const index of watching) {
      const key = this.#observers[index]!.about?.(seen);
      if (key === undefined) numbers.add(index);
      else if (typeof key === 'object') for (const one of key) numbers.add(this.#numberOf(index, one));
      else numbers.add(this.#numberOf(index, key));
    }
  }

  #watchedBy(type: string): readonly number[] {
    let watching = this.#watching.get(type);
    if (!watching) {
      watching = this.#types.flatMap((types, index) => (types?.has(type) === false ? [] : [index]));
      this.#watching.set(type, watching);
    }
    return watching;
  }

  #numberOf(observer: number, key: Key): number {
    const keys = this.#keys[observer]!;
    let number = keys.get(key);
    if (number === undefined) {
      number = this.#owner.push(observer) - 1;
      keys.set(key, number);
    }
    return number;
  }
}

/** Gathers the footprints of two sides, and finds out whether one of them overlaps with one of the other side. */
export class Overlap {
  readonly #footprints: Footprints;
  #question = 0;
  /** By side, then by number and by observer: the question in which it was noted. */
  readonly #marks: readonly (readonly [number: number[], observer: number[]])[] = [
    [[], []],
    [[], []],
  ];

  constructor(footprints: Footprints) {
    this.#footprints = footprints;
  }

  /** True when something of one side overlaps with something of the other. */
  overlaps = false;

  /** Begins with two empty sides. */
  begin(): void {
    this.#question++;
    this.overlaps = false;
  }

  /** Notes a footprint of a side. */
  add(side: 0 | 1, footprint: Footprint): void {
    const [own, ownObservers] = this.#marks[side]!;
    const [other, otherObservers] = this.#marks[1 - side]!;
    const question = this.#question;
    for (const number of footprint) {
      if (own[number] === question) continue;
      own[number] = question;
      const observer = this.#footprints.ownerOf(number);
      ownObservers[observer] = question;
      this.overlaps ||=
        number === observer
          ? otherObservers[observer] === question
          : other[number] === question || other[observer] === question;
    }
  }
}
