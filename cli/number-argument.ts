import { UsageError } from './usage-error.ts';

/** Reads an argument that is a number from 1 on. Errors: `UsageError`. */
export const numberArgument =
  (name: string) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= 1) return value;
    throw new UsageError(`${name}: found "${text}", expected a number from 1 on`, `for example 1`);
  };
