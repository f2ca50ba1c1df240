import { type Choices, foreignChoices, RandomChoices } from '../choices.ts';
import type { Message } from '../message.ts';

/**
 * Round robin over the receivers: each actor that has a message gets one before any gets its second.
 *
 * Details: the seed decides the order of the actors; of several messages to one actor the oldest goes first. Picks that are no deliveries are
 * uniform.
 */
export class RoundRobinChoices implements Choices {
  readonly canonical = false;
  readonly #random: RandomChoices;
  #seed: number;
  /** Place of the receiver that had the last message, -1 before the first. */
  #last = -1;

  constructor(seed: number) {
    this.#seed = seed | 0;
    this.#random = new RandomChoices(seed);
  }

  pick(what: string, count: number, candidates?: readonly Message[]): number {
    if (candidates === undefined) return this.#random.pick(what, count);
    let chosen = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      const distance = this.#distance(this.#placeOf(candidates[at]!.to));
      if (distance >= nearest) continue;
      nearest = distance;
      chosen = at;
    }
    this.#last = this.#placeOf(candidates[chosen]!.to);
    return chosen;
  }

  /** Where an actor stands on the round: its address, mixed with the seed, from 0 to 2^32 - 1. */
  #placeOf(address: number): number {
    let mixed = Math.imul(address ^ this.#seed, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    return (mixed ^ (mixed >>> 13)) >>> 0;
  }

  /** How far it is from the last receiver to a place: a whole round for the last receiver itself. */
  #distance(place: number): number {
    const ahead = place - this.#last;
    return ahead > 0 ? ahead : ahead + 2 ** 32;
  }

  save(): unknown {
    return { seed: this.#seed, last: this.#last, random: this.#random.save() };
  }

  load(saved: unknown): void {
    const { seed, last, random } = (saved ?? {}) as { seed?: number; last?: number; random?: unknown };
    if (last === undefined || seed === undefined) throw foreignChoices('round robin');
    this.#random.load(random);
    this.#seed = seed;
    this.#last = last;
  }
}
