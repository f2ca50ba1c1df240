import { arrayCpes } from '../array/identity.ts';

/**
 * The CPEs that one CPE exchanges units with, itself left out, in an order in which each step pairs all CPEs: nobody is the partner of two
 * (Sunway specification 6.11).
 */
export const partnersInOrder = (tid: number, available: (tid: number) => boolean): readonly number[] =>
  Array.from({ length: arrayCpes - 1 }, (_, step) => tid ^ (step + 1)).filter(available);

/** What one CPE fetches in a round of the exchange in place: the partner's unit goes to a slot of the scratch, then to its own place. */
export interface Fetch {
  /** Whose unit; of its units the one at index of the caller. The caller's unit at index `partner` is where it ends. */
  readonly partner: number;
  /** Unit of the scratch. */
  readonly slot: number;
}

/**
 * The rounds of an exchange in place with scratch for so many units, 1 at least.
 *
 * Details: a round replaces the units that belong to its pairs of CPEs and no others, the same pairs for both of them, so all may
 * overwrite theirs when the whole array has fetched. A larger scratch needs fewer rounds.
 */
export function inPlaceRounds(
  tid: number,
  scratchUnits: number,
  available: (tid: number) => boolean,
): readonly (readonly Fetch[])[] {
  const width = Math.min(scratchUnits, arrayCpes - 1);
  const rounds: Fetch[][] = [];
  for (let first = 1; first < arrayCpes; first += width) {
    const steps = Array.from({ length: Math.min(width, arrayCpes - first) }, (_, slot) => first + slot);
    rounds.push(
      steps
        .map((step, slot): Fetch => ({ partner: tid ^ step, slot }))
        .filter(({ partner }) => available(partner)),
    );
  }
  return rounds;
}
