import { KnownVariants } from './alternative.ts';

const firstPlaces = 1 << 8;
const placesMax = 1 << 16;
/** Words of a key: local state, letter, budget state of faults, version of what is shared. */
const keyWords = 4;
const nobody = -1;

/** What is known of a letter of which nothing is. */
export const nothingKnown: KnownVariants = new KnownVariants();

/**
 * What is known of letters in local states that was looked up of late, at one place each: a look that finds it costs two reads, where the tables by local state and letter cost six that depend on each other.
 *
 * Details: a place holds whatever was put there last, so nothing is lost that is not found again behind it. It grows with what is put into it. Keys beyond 31 bits are never found.
 */
export class RecentVariants {
  #keys = new Int32Array(keyWords * firstPlaces).fill(nobody);
  #variants: KnownVariants[] = new Array(firstPlaces).fill(nothingKnown);
  #mask = firstPlaces - 1;
  /** How often something was put since it grew. */
  #puts = 0;

  /** What was put for a letter in a local state; undefined when it is not here. */
  at(local: number, letter: number, budgetState: number, version: number): KnownVariants | undefined {
    const place = placeOf(local, letter) & this.#mask;
    const key = keyWords * place;
    const keys = this.#keys;
    return keys[key] === local &&
      keys[key + 1] === letter &&
      keys[key + 2] === budgetState &&
      keys[key + 3] === version
      ? this.#variants[place]
      : undefined;
  }

  set(local: number, letter: number, budgetState: number, version: number, variants: KnownVariants): void {
    if (++this.#puts > this.#mask && this.#mask + 1 < placesMax) this.#grow();
    const place = placeOf(local, letter) & this.#mask;
    const key = keyWords * place;
    const keys = this.#keys;
    keys[key] = local;
    keys[key + 1] = letter;
    keys[key + 2] = budgetState;
    keys[key + 3] = version;
    this.#variants[place] = variants;
  }

  #grow(): void {
    const places = 4 * (this.#mask + 1);
    this.#keys = new Int32Array(keyWords * places).fill(nobody);
    this.#variants = new Array(places).fill(nothingKnown);
    this.#mask = places - 1;
    this.#puts = 0;
  }
}

function placeOf(local: number, letter: number): number {
  const mixed = Math.imul(Math.imul(local, 0x9e3779b1) ^ letter, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
