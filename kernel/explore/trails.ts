/** What a tick has done, as sets of numbers: step classes that were taken, obligations that were met. */
export interface TrailSets {
  readonly taken: readonly number[];
  readonly met: readonly number[];
}

interface Trail extends TrailSets {
  /** By what is added: the number of the trail with it. */
  readonly takenToo: Map<number, number>;
  readonly metToo: Map<number, number>;
}

/**
 * What ticks have done so far, each different set with a number: a word of the state inside a tick, so that two ways through a tick which differ in it are two edges of the state graph.
 *
 * Details: 0 is no trail; the tick begins with `emptyTrail`.
 */
export class Trails {
  readonly #all: Trail[] = [];
  readonly #numbers = new Map<string, number>();

  constructor() {
    this.#numberOf([], []);
    this.#numberOf([], []);
  }

  /** The trail with a step class that was taken. */
  take(trail: number, stepClass: number): number {
    const { taken, met, takenToo } = this.#all[trail]!;
    let next = takenToo.get(stepClass);
    if (next === undefined) {
      next = this.#numberOf(withOne(taken, stepClass), met);
      takenToo.set(stepClass, next);
    }
    return next;
  }

  /** The trail with an obligation that was met. */
  meet(trail: number, obligation: number): number {
    const { taken, met, metToo } = this.#all[trail]!;
    let next = metToo.get(obligation);
    if (next === undefined) {
      next = this.#numberOf(taken, withOne(met, obligation));
      metToo.set(obligation, next);
    }
    return next;
  }

  /** All of them, in the order of their numbers. */
  get sets(): readonly TrailSets[] {
    return this.#all.map(({ taken, met }) => ({ taken, met }));
  }

  /** Gives what ticks have done the numbers that they have in a list, while there are none. */
  restore(sets: readonly TrailSets[]): void {
    for (const { taken, met } of sets.slice(emptyTrail + 1)) this.#numberOf(taken, met);
  }

  takenBy(trail: number): readonly number[] {
    return this.#all[trail]!.taken;
  }

  metBy(trail: number): readonly number[] {
    return this.#all[trail]!.met;
  }

  #numberOf(taken: readonly number[], met: readonly number[]): number {
    const key = `${taken.join()};${met.join()}`;
    const known = this.#numbers.get(key);
    // The first one is 0, which nobody gets.
    if (known !== undefined && known > 0) return known;
    const number = this.#all.push({ taken, met, takenToo: new Map(), metToo: new Map() }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** The trail of a tick in which nothing has happened yet. */
export const emptyTrail = 1;

const withOne = (ascending: readonly number[], one: number): readonly number[] =>
  ascending.includes(one) ? ascending : [...ascending, one].sort((a, b) => a - b);
