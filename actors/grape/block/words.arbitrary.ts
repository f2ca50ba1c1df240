import fc from 'fast-check';
import { type Word, wordOf } from '../arithmetic/word.ts';

const fraction = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 60n) - 1n }),
  // Few bits, and all but few: where roundings tie and carry.
  fc
    .array(fc.nat(59), { maxLength: 4 })
    .map((bits) => bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n)),
  fc
    .array(fc.nat(59), { maxLength: 4 })
    .map((bits) => bits.reduce((sum, bit) => sum & ~(1n << BigInt(bit)), (1n << 60n) - 1n)),
  fc.bigInt({ min: 0n, max: (1n << 24n) - 1n }).map((short) => short << 36n),
);
const sign = fc.constantFrom<0 | 1>(0, 1);
const exponent = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 900, max: 1150 }) },
  fc.constantFrom(0, 1, 2, 1022, 1023, 1024, 2045, 2046, 2047),
  fc.nat(2047),
);

/** Long words of all kinds: usual ones, extremes of exponent and fraction, short ones. */
export const anyWord: fc.Arbitrary<Word> = fc
  .tuple(sign, exponent, fraction)
  .map(([s, e, f]) => wordOf(s, e, f));

/** Two words whose exponents are close, so that their sum cancels, ties and carries. */
export const nearWords: fc.Arbitrary<[Word, Word]> = fc
  .tuple(
    sign,
    sign,
    fc.integer({ min: 100, max: 1900 }),
    fc.integer({ min: -95, max: 95 }),
    fraction,
    fraction,
  )
  .map(([s, t, e, distance, f, g]) => [wordOf(s, e, f), wordOf(t, e + distance, g)]);
