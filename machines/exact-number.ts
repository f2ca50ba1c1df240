import { z } from 'zod';

/** A number of a scenario file; an integer of 64 bits that a number does not hold is given as text, and is a bigint. */
export const exactNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/, 'expected a number')
    .transform(BigInt),
]);
