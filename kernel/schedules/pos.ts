import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** Steps between two priorities: fine enough that equal ones hardly occur. */
const priorities = 2 ** 30;

/**
 * Partial order sampling: random priorities over messages, drawn anew for those that raced with the one delivered (Yuan, Yang, Gu: "Partial
 * order aware concurrency sampling", CAV 2018).
 *
 * Details: messages race when they go to the same actor; the order of others makes no difference. Picks that are no deliveries are uniform.
 */
export class PosChoices implements Choices {
  readonly canonical = false;
  readonly #random: RandomChoices;
  /** Priorities by number of the message. */
  #priorities = new Map<number, number>();

  constructor(seed: number) {
    this.#random = new RandomChoices(seed);
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    if (candidates === undefined) return this.#random.pick(what, count);
    let chosen = 0;
    let highest = -1;
    for (let at = 0; at < candidates.length; at++) {
      const priority = this.#priorityOf(candidates[at]!);
      if (priority <= highest) continue;
      highest = priority;
      chosen = at;
    }
    const { to } = candidates[chosen]!;
    for (const { seq, to: other } of candidates) if (other === to) this.#priorities.delete(seq);
    return chosen;
  }

  #priorityOf({ seq }: Message): number {
    const known = this.#priorities.get(seq);
    if (known !== undefined) return known;
    const drawn = this.#random.pick('', priorities);
    this.#priorities.set(seq, drawn);
    return drawn;
  }

  save(): unknown {
    return { priorities: [...this.#priorities], random: this.#random.save() };
  }

  load(saved: unknown): void {
    const { priorities: known, random } = (saved ?? {}) as {
      priorities?: [number, number][];
      random?: unknown;
    };
    if (!known) throw foreignChoices('POS');
    this.#random.load(random);
    this.#priorities = new Map(known);
  }
}
