import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { defect, KernelError } from './errors.ts';
import type { Message } from './message.ts';
import { mixSeed } from './mix-seed.ts';

/**
 * A producer of choices: all nondeterminism of a run is asked of one.
 *
 * Details: `candidates` is there when the choice is which message to deliver next: the heads of the channels, oldest first, valid only during
 * the call. `save` and `load` make a producer part of snapshots.
 */
export interface Choices {
  /** Picks 0..count-1. `what` names the decision in reports: "deliver", "Ring.Arbiter grant". */
  pick(what: string, count: number, candidates?: readonly Message[]): number;
  /** True when every further pick would be 0: the run then takes the fast path. */
  readonly canonical: boolean;
  /** What is needed to continue from here, as plain data. */
  save(): unknown;
  /** Continues where a producer of the same kind was. Errors: KRN010 for what another kind saved. */
  load(saved: unknown): void;
}

/** How many answers a question has. Errors: an error that says what was found for what is no whole number from 1, which is a fault of who asks. */
export function answersOf(what: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(`"${what}" was asked with ${count} answers, expected a whole number from 1`);
}

/** Always 0: first come, first served. The empty tape. */
export const canonical: Choices = { canonical: true, pick: () => 0, save: () => null, load: () => {} };

/** The picks of one run in order. Picks after its end are 0, so trailing zeros mean nothing. */
export type Tape = readonly number[];

/** Feeds a tape. A pick beyond the count of its decision is taken modulo the count, so that every list of whole numbers from 0 is a tape. */
export class TapeChoices implements Choices {
  #at = 0;
  constructor(readonly tape: Tape) {}
  get canonical(): boolean {
    return this.tape.length === 0;
  }
  /** How many picks were asked for. */
  get position(): number {
    return this.#at;
  }
  pick(_what: string, count: number): number {
    const pick = this.#at < this.tape.length ? this.tape[this.#at]! % count : 0;
    this.#at++;
    return pick;
  }
  save(): unknown {
    return this.#at;
  }
  load(saved: unknown): void {
    if (typeof saved !== 'number') throw foreignChoices('a tape');
    this.#at = saved;
  }
}

/** Uniform picks from a seed; the same on every platform. Neighbouring seeds have nothing in common. */
export class RandomChoices implements Choices {
  readonly canonical = false;
  #generator: RandomGenerator;
  constructor(seed: number) {
    // Of small seeds as they are, this generator's first numbers are neighbours.
    this.#generator = xoroshiro128plus(mixSeed(seed, 0));
  }
  pick(_what: string, count: number): number {
    return uniformInt(this.#generator, 0, count - 1);
  }
  save(): unknown {
    return this.#generator.getState();
  }
  load(saved: unknown): void {
    if (!Array.isArray(saved)) throw foreignChoices('random choices');
    this.#generator = xoroshiro128plusFromState(saved as readonly number[]);
  }
}

/** Picks that one tape holds at most, up to the last one that is not 0: a recording of so many is some 40 MB, and a run without end is told within seconds. */
export const picksMax = 2 ** 24;

/** Keeps the picks of another producer: what it holds at the end is the tape of the run. */
export class RecordingChoices implements Choices {
  #picks: number[] = [];
  /** Zeros picked after the last of them: a run in canonical order may be of any length. */
  #zeros = 0;
  readonly #most: number;
  constructor(
    readonly source: Choices,
    most = picksMax,
  ) {
    this.#most = most;
  }
  get canonical(): boolean {
    return this.source.canonical && this.#picks.length + this.#zeros === 0;
  }
  /** The tape so far, without trailing zeros. */
  get tape(): Tape {
    return this.#picks.slice();
  }
  /** Errors: KRN019 for more picks than a tape holds. */
  pick(what: string, count: number, candidates?: readonly Message[]): number {
    const pick = this.source.pick(what, count, candidates);
    if (!(pick >= 0 && pick < count)) defect(`a producer picked ${pick} of ${count} for "${what}"`);
    if (pick === 0) this.#zeros++;
    else this.#keep(pick);
    return pick;
  }
  #keep(pick: number): void {
    if (this.#picks.length + this.#zeros >= this.#most)
      throw new KernelError('KRN019', 'the tape', `it has ${this.#most} picks, and the run goes on`);
    for (; this.#zeros > 0; this.#zeros--) this.#picks.push(0);
    this.#picks.push(pick);
  }
  save(): unknown {
    // The list only ever grows, so its beginning may be shared: saving costs nothing, however long the run.
    const { length } = this.#picks;
    return { length, zeros: this.#zeros, picks: this.#picks, source: this.source.save() };
  }
  load(saved: unknown): void {
    const { length, zeros, picks, source } = (saved ?? {}) as {
      length?: number;
      zeros?: number;
      picks?: readonly number[];
      source?: unknown;
    };
    if (!Array.isArray(picks) || zeros === undefined) throw foreignChoices('a recording');
    this.source.load(source);
    this.#picks = picks.slice(0, length);
    this.#zeros = zeros;
  }
}

/** The error for saved choices of another kind. */
export function foreignChoices(kind: string): KernelError {
  return new KernelError(
    'KRN010',
    'choices',
    `the snapshot was taken with another kind of choices than ${kind}`,
  );
}
