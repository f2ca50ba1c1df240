import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** How deep a bug may be that PCT looks for, and how long it takes a run to be. */
export interface PctOptions {
  /** Ordering constraints of the bug, at least 1; 3 when absent: two change points. */
  readonly depth?: number;
  /** Deliveries chosen in a run, as an estimate; drawn from 8 to 4,096 when absent, each power of two as likely as any other. */
  readonly length?: number;
}

/** Steps between two priorities: fine enough that equal ones hardly occur. */
const priorities = 2 ** 30;

/**
 * Probabilistic concurrency testing: random priorities over channels, lowered at few random moments (Burckhardt, Kothari, Musuvathi,
 * Nagarakatte: "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010).
 *
 * Details: always delivers from the channel of highest priority. A bug of depth d shows with a probability of at least 1 / (n k^(d-1)) a
 * run, for n channels and k deliveries. Picks that are no deliveries are uniform.
 */
export class PctChoices implements Choices {
  readonly canonical = false;
  readonly #random: RandomChoices;
  /** Priority of each channel met so far, by sender and receiver, the outside first: holes where there is none. */
  readonly #known: number[][] = [];
  /** Lowest priority so far: each lowering goes below it, and new channels come before all that were lowered. */
  #lowest = 0;
  /** Numbers of the deliveries before which a priority is lowered, ascending. */
  #changes: number[];
  #step = 0;

  constructor(seed: number, { depth = 3, length }: PctOptions = {}) {
    this.#random = new RandomChoices(seed);
    const steps = length ?? 2 ** (3 + this.#draw(10));
    const changes = new Set<number>();
    while (changes.size < Math.min(depth - 1, steps)) changes.add(1 + this.#draw(steps));
    this.#changes = [...changes].sort((a, b) => a - b);
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    if (candidates === undefined) return this.#random.pick(what, count);
    this.#step++;
    let chosen = this.#highest(candidates);
    while (this.#changes[0] === this.#step) {
      this.#changes.shift();
      const { from, to } = candidates[chosen]!;
      this.#known[from + 1]![to + 1] = --this.#lowest;
      chosen = this.#highest(candidates);
    }
    return chosen;
  }

  /** Index of the candidate whose channel has the highest priority; the older one of equals. */
  #highest(candidates: readonly Message[]): number {
    let chosen = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      const priority = this.#priorityOf(candidates[at]!);
      if (priority <= highest) continue;
      highest = priority;
      chosen = at;
    }
    return chosen;
  }

  /** The priority of the channel of a message, drawn when it is met first. */
  #priorityOf({ from, to }: Message): number {
    let ofSender = this.#known[from + 1];
    if (ofSender === undefined) {
      ofSender = [];
      this.#known[from + 1] = ofSender;
    }
    let priority = ofSender[to + 1];
    if (priority === undefined) {
      priority = this.#draw(priorities);
      ofSender[to + 1] = priority;
    }
    return priority;
  }

  #draw(count: number): number {
    return count === 1 ? 0 : this.#random.pick('', count);
  }

  save(): unknown {
    return {
      known: entriesOf(this.#known).map(([from, ofSender]) => [from, entriesOf(ofSender)]),
      lowest: this.#lowest,
      changes: [...this.#changes],
      step: this.#step,
      random: this.#random.save(),
    };
  }

  load(saved: unknown): void {
    const { known, lowest, changes, step, random } = (saved ?? {}) as {
      known?: [number, [number, number][]][];
      lowest?: number;
      changes?: number[];
      step?: number;
      random?: unknown;
    };
    if (!known || lowest === undefined || !changes || step === undefined) throw foreignChoices('PCT');
    this.#random.load(random);
    this.#known.length = 0;
    for (const [from, ofSender] of known) {
      this.#known[from + 1] = [];
      for (const [to, priority] of ofSender) this.#known[from + 1]![to + 1] = priority;
    }
    this.#lowest = lowest;
    this.#changes = [...changes];
    this.#step = step;
  }
}

/** What is in a list with holes, by address: the outside comes first. */
function entriesOf<T>(list: readonly T[]): [number, T][] {
  // Addresses of families are large: only what is there is walked over.
  return Object.entries(list).map(([at, one]) => [Number(at) - 1, one]);
}
