import type { DataType } from './data-type.ts';

/** Operations of reductions by their codes (Sunway specification 6.11); `eqv` is the bitwise exclusive nor. */
export const operationCodes = { add: 1, and: 2, or: 3, xor: 4, eqv: 5, min: 6, max: 7 } as const;

/** The code of an operation. */
export type Operation = (typeof operationCodes)[keyof typeof operationCodes];

/** True for the code of an operation. */
export const isOperation = (code: number): code is Operation =>
  Number.isSafeInteger(code) && code >= operationCodes.add && code <= operationCodes.max;

/** True when a data type has the operation: bitwise ones are for integers only. */
export const operationFits = (operation: Operation, { lane }: DataType): boolean =>
  lane.startsWith('i') ||
  lane.startsWith('u') ||
  operation === operationCodes.add ||
  operation === operationCodes.min ||
  operation === operationCodes.max;
