const firstPlaces = 1 << 8;
const placesMax = 1 << 16;
/** Words of a place: local state, letter, budget state of faults with the version of what is shared, record. */
const placeWords = 4;
const nobody = -1;
/** Versions that a word has room for beside a budget state. */
const versionsMax = 1 << 12;

/**
 * The records of letters in local states that were looked up of late, at one place each: a look that finds one costs one read, where the tables by local state and letter cost six that depend on each other.
 *
 * Details: a place holds whatever was put there last, so nothing is lost that is not found again behind it. It grows with what is put into it. Keys that have no room are never found.
 */
export class RecentRecords {
  #places = new Int32Array(placeWords * firstPlaces).fill(nobody);
  #mask = firstPlaces - 1;
  /** How often something was put since it grew. */
  #puts = 0;

  /** What was put for a letter in a local state; 0 when it is not here. */
  at(local: number, letter: number, budgetState: number, version: number): number {
    const place = placeWords * (placeOf(local, letter) & this.#mask);
    const places = this.#places;
    return places[place] === local &&
      places[place + 1] === letter &&
      places[place + 2] === budgetState * versionsMax + version &&
      version < versionsMax
      ? places[place + 3]!
      : 0;
  }

  set(local: number, letter: number, budgetState: number, version: number, record: number): void {
    if (++this.#puts > this.#mask && this.#mask + 1 < placesMax) this.#grow();
    const place = placeWords * (placeOf(local, letter) & this.#mask);
    const places = this.#places;
    places[place] = local;
    places[place + 1] = letter;
    places[place + 2] = version < versionsMax ? budgetState * versionsMax + version : nobody;
    places[place + 3] = record;
  }

  #grow(): void {
    const places = 4 * (this.#mask + 1);
    this.#places = new Int32Array(placeWords * places).fill(nobody);
    this.#mask = places - 1;
    this.#puts = 0;
  }
}

function placeOf(local: number, letter: number): number {
  const mixed = Math.imul(Math.imul(local, 0x9e3779b1) ^ letter, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
