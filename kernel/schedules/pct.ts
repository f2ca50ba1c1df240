import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/** How deep a bug may be that PCT looks for, and how long it takes a run to be. */
export interface PctOptions {
  /** Ordering constraints of the bug, at least 1; 3 when absent: two change points. */
  readonly depth?: number;
  /** Deliveries chosen in a run, as an estimate; drawn from 8 to 4,096 when absent, each power of two as likely as any other. */
  readonly length?: number;
}

type Channel = Pick<Message, 'from' | 'to'>;

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
  #order: Channel[] = [];
  /** How many of them, at the end, were lowered: the latest last, and new ones come before all of them. */
  #lowered = 0;
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
    for (let at = 0; at < candidates.length; at++) this.#meet(candidates[at]!);
    let channel = this.#highest(candidates);
    while (this.#changes[0] === this.#step) {
      this.#changes.shift();
      this.#lower(channel);
      channel = this.#highest(candidates);
    }
    return headOf(channel, candidates);
  }

  /** Gives a channel that is new a place among those never lowered, each as likely as any. */
  #meet({ from, to }: Message): void {
    const order = this.#order;
    for (let at = 0; at < order.length; at++) if (order[at]!.from === from && order[at]!.to === to) return;
    order.splice(this.#draw(order.length - this.#lowered + 1), 0, { from, to });
  }

  #lower(channel: Channel): void {
    const at = this.#order.indexOf(channel);
    if (at < this.#order.length - this.#lowered) this.#lowered++;
    this.#order.push(...this.#order.splice(at, 1));
  }

  /** The channel of highest priority that has a message. */
  #highest(candidates: readonly Message[]): Channel {
    const order = this.#order;
    let at = 0;
    while (headOf(order[at]!, candidates) < 0) at++;
    return order[at]!;
  }

  #draw(count: number): number {
    return count === 1 ? 0 : this.#random.pick('', count);
  }

  save(): unknown {
    return {
      order: [...this.#order],
      lowered: this.#lowered,
      changes: [...this.#changes],
      step: this.#step,
      random: this.#random.save(),
    };
  }

  load(saved: unknown): void {
    const { order, lowered, changes, step, random } = (saved ?? {}) as {
      order?: Channel[];
      lowered?: number;
      changes?: number[];
      step?: number;
      random?: unknown;
    };
    if (!order || lowered === undefined || !changes || step === undefined) throw foreignChoices('PCT');
    this.#random.load(random);
    this.#order = [...order];
    this.#lowered = lowered;
    this.#changes = [...changes];
    this.#step = step;
  }
}

/** Index of the message of a channel among the candidates, -1 when it has none. */
function headOf({ from, to }: Channel, candidates: readonly Message[]): number {
  for (let at = 0; at < candidates.length; at++)
    if (candidates[at]!.from === from && candidates[at]!.to === to) return at;
  return -1;
}
