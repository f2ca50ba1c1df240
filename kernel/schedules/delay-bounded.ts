import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** How often the default order is left, and within how long a run. */
export interface DelayOptions {
  /** Delays of a run at most; 2 when absent. */
  readonly delays?: number;
  /** Deliveries chosen in a run, as an estimate; drawn from 8 to 4,096 when absent, each power of two as likely as any other. */
  readonly length?: number;
}

/**
 * Delay-bounded scheduling: first come, first served, but for few moments in which the next message is passed over (Emmi, Qadeer, Rakamaric:
 * "Delay-bounded scheduling", POPL 2011).
 *
 * Details: the moments are random; several may fall together and pass over several messages. Picks that are no deliveries are uniform.
 */
export class DelayBoundedChoices implements Choices {
  readonly canonical = false;
  readonly #random: RandomChoices;
  /** Numbers of the deliveries that pass over a message, ascending, one for each message passed over. */
  #delays: number[];
  #step = 0;

  constructor(seed: number, { delays = 2, length }: DelayOptions = {}) {
    this.#random = new RandomChoices(seed);
    const steps = length ?? 2 ** (3 + this.#random.pick('', 10));
    this.#delays = Array.from({ length: delays }, () => 1 + (steps === 1 ? 0 : this.#random.pick('', steps)));
    this.#delays.sort((a, b) => a - b);
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    if (candidates === undefined) return this.#random.pick(what, count);
    this.#step++;
    let passed = 0;
    while (this.#delays[0] === this.#step) {
      this.#delays.shift();
      passed++;
    }
    return Math.min(passed, count - 1);
  }

  save(): unknown {
    return { delays: [...this.#delays], step: this.#step, random: this.#random.save() };
  }

  load(saved: unknown): void {
    const { delays, step, random } = (saved ?? {}) as { delays?: number[]; step?: number; random?: unknown };
    if (!delays || step === undefined) throw foreignChoices('delay-bounded scheduling');
    this.#random.load(random);
    this.#delays = [...delays];
    this.#step = step;
  }
}
