import fc from 'fast-check';
import { bufferBytes, buffers, placesOfCpe } from './stage.ts';

/** A parameter with its usual value, towards which it shrinks, or now and then one of these. */
export const now = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(usual) },
    fc.constantFrom(...others),
  );

/** A buffer, another one by how much further it is, and a place in main memory. */
export const buffer = fc.nat(buffers.length - 1);
export const further = fc.integer({ min: 1, max: buffers.length - 1 });
export const place = fc.nat(placesOfCpe - 1);

/** How many words of a buffer. */
export const words = fc.oneof(fc.constant(bufferBytes / 4), fc.integer({ min: 1, max: bufferBytes / 4 }));
