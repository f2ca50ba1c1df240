import fc from 'fast-check';
import type { Tape } from '../../kernel/choices.ts';

/** How long arbitrary tapes are, and how large their picks. */
export interface TapeConstraints {
  /** Picks at most; 64 when absent. */
  readonly maxLength?: number;
  /** Largest pick; 7 when absent. A pick beyond the count of its decision is taken modulo the count. */
  readonly maxPick?: number;
}

/**
 * Tapes for property tests: `fc.assert(fc.property(anyTape(), (tape) => …))` then shrinks a failing schedule by itself, to few picks, small ones.
 *
 * Details: half of the picks are 0, so that runs stay near the canonical one, which is the empty tape and the simplest.
 */
export function anyTape({ maxLength = 64, maxPick = 7 }: TapeConstraints = {}): fc.Arbitrary<Tape> {
  const pick = fc.oneof(fc.constant(0), fc.nat(maxPick));
  return fc.array(pick, { maxLength, size: 'max' });
}
