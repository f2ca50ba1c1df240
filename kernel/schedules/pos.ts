import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** Steps between two priorities: fine enough that equal ones hardly occur. */
const priorities = 2 ** 30;
/** Messages whose priorities are at hand: more than are in most ticks. */
const places = 64;
const mask = places - 1;

/**
 * Partial order sampling: random priorities over messages, drawn anew for those that raced with the one delivered (Yuan, Yang, Gu: "Partial
 * order aware concurrency sampling", CAV 2018).
 *
 * Details: messages race when they go to the same actor; the order of others makes no difference. Picks that are no deliveries are uniform.
 */
export class PosChoices implements Choices {
  readonly canonical = false;
  readonly #random: RandomChoices;
  /** The messages that have a priority, by the last digits of their numbers, and their priorities; those that find their place taken are in `#others`. */
  readonly #seqs = new Array<number | undefined>(places).fill(undefined);
  readonly #priorities = new Array<number>(places).fill(0);
  readonly #others = new Map<number, number>();

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
    for (let at = 0; at < candidates.length; at++) {
      const { seq, to: other } = candidates[at]!;
      if (other !== to) continue;
      if (this.#seqs[seq & mask] === seq) this.#seqs[seq & mask] = undefined;
      else this.#others.delete(seq);
    }
    return chosen;
  }

  #priorityOf({ seq }: Message): number {
    const place = seq & mask;
    if (this.#seqs[place] === seq) return this.#priorities[place]!;
    const known = this.#others.size > 0 ? this.#others.get(seq) : undefined;
    if (known !== undefined) return known;
    const drawn = this.#random.pick('', priorities);
    this.#keep(seq, drawn);
    return drawn;
  }

  #keep(seq: number, priority: number): void {
    const place = seq & mask;
    if (this.#seqs[place] !== undefined) {
      this.#others.set(seq, priority);
      return;
    }
    this.#seqs[place] = seq;
    this.#priorities[place] = priority;
  }

  save(): unknown {
    const kept = this.#seqs.flatMap((seq, place) =>
      seq === undefined ? [] : [[seq, this.#priorities[place]!]],
    );
    return { priorities: [...kept, ...this.#others], random: this.#random.save() };
  }

  load(saved: unknown): void {
    const { priorities: known, random } = (saved ?? {}) as {
      priorities?: [number, number][];
      random?: unknown;
    };
    if (!known) throw foreignChoices('POS');
    this.#random.load(random);
    this.#seqs.fill(undefined);
    this.#others.clear();
    for (const [seq, priority] of known) this.#keep(seq, priority);
  }
}
