import type { Known } from './alternative.ts';

const firstPlaces = 1 << 8;
const placesMax = 1 << 16;
/** Words of a key: local state, message, budget state of faults, version of what is shared. */
const keyWords = 4;
const nothing = -1;

/**
 * What was known of late, at one place each: a look that finds it costs two reads, where the tables by local state and letter cost eight that depend on each other.
 *
 * Details: a place holds whatever was put there last, so nothing is lost that is not found again behind it. It grows with what is put into it.
 */
export class RecentKnown {
  #keys = new Int32Array(keyWords * firstPlaces).fill(nothing);
  #known: (Known | undefined)[] = new Array(firstPlaces).fill(undefined);
  #mask = firstPlaces - 1;
  /** How often something was put since it grew. */
  #puts = 0;

  /** What is known of a message in a local state; undefined when it is not here. */
  at(local: number, messageId: number, budgetState: number, version: number): Known | undefined {
    const place = placeOf(local, messageId) & this.#mask;
    const key = keyWords * place;
    const keys = this.#keys;
    return keys[key] === local &&
      keys[key + 1] === messageId &&
      keys[key + 2] === budgetState &&
      keys[key + 3] === version
      ? this.#known[place]
      : undefined;
  }

  set(local: number, messageId: number, budgetState: number, version: number, known: Known): void {
    if (++this.#puts > this.#mask && this.#mask + 1 < placesMax) this.#grow();
    const place = placeOf(local, messageId) & this.#mask;
    const key = keyWords * place;
    const keys = this.#keys;
    keys[key] = local;
    keys[key + 1] = messageId;
    keys[key + 2] = budgetState;
    keys[key + 3] = version;
    this.#known[place] = known;
  }

  /** Forgets everything. */
  clear(): void {
    this.#keys.fill(nothing);
    this.#known.fill(undefined);
  }

  #grow(): void {
    const places = 4 * (this.#mask + 1);
    this.#keys = new Int32Array(keyWords * places).fill(nothing);
    this.#known = new Array(places).fill(undefined);
    this.#mask = places - 1;
    this.#puts = 0;
  }
}

function placeOf(local: number, messageId: number): number {
  const mixed = Math.imul(Math.imul(local, 0x9e3779b1) ^ messageId, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
