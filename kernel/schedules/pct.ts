import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** How deep a bug may be that PCT looks for, and how long it takes a run to be. */
export interface PctOptions {
  /** Ordering constraints of the bug, at least 1; 3 when absent: two change points. */
  readonly depth?: number;
  /** Deliveries chosen in a run, as an estimate; drawn from 8 to 4,096 when absent, each power of two as likely as any other. */
  readonly length?: number;
}

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
  /** Channels by priority, highest first. */
  #order: string[] = [];
  /** Channels that were lowered, the latest last: below all others. */
  #lowered: string[] = [];
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
    for (const candidate of candidates) this.#meet(channelOf(candidate));
    let chosen = this.#highest(candidates);
    while (this.#changes[0] === this.#step) {
      this.#changes.shift();
      this.#lower(channelOf(candidates[chosen]!));
      chosen = this.#highest(candidates);
    }
    return chosen;
  }

  /** Gives a channel that is new a place among the others, each as likely as any. */
  #meet(channel: string): void {
    if (this.#order.includes(channel) || this.#lowered.includes(channel)) return;
    this.#order.splice(this.#draw(this.#order.length + 1), 0, channel);
  }

  #lower(channel: string): void {
    this.#order = this.#order.filter((one) => one !== channel);
    this.#lowered = [...this.#lowered.filter((one) => one !== channel), channel];
  }

  #highest(candidates: readonly Message[]): number {
    const channels = candidates.map(channelOf);
    for (const channel of [...this.#order, ...this.#lowered]) {
      const at = channels.indexOf(channel);
      if (at >= 0) return at;
    }
    return 0;
  }

  #draw(count: number): number {
    return count === 1 ? 0 : this.#random.pick('', count);
  }

  save(): unknown {
    return {
      order: [...this.#order],
      lowered: [...this.#lowered],
      changes: [...this.#changes],
      step: this.#step,
      random: this.#random.save(),
    };
  }

  load(saved: unknown): void {
    const { order, lowered, changes, step, random } = (saved ?? {}) as {
      order?: string[];
      lowered?: string[];
      changes?: number[];
      step?: number;
      random?: unknown;
    };
    if (!order || !lowered || !changes || step === undefined) throw foreignChoices('PCT');
    this.#random.load(random);
    this.#order = [...order];
    this.#lowered = [...lowered];
    this.#changes = [...changes];
    this.#step = step;
  }
}

const channelOf = ({ from, to }: Message): string => `${from} ${to}`;
