import { UsageError } from './usage-error.ts';

/** Reads the value of an option that is a whole number from 0 to `most`. Errors: `UsageError`. */
export const naturalOption =
  (name: string, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? 'of at least 0' : `from 0 to ${most}`;
    throw new UsageError(
      `${name}: found "${text}", expected a whole number ${range}`,
      `for example ${name} 7`,
    );
  };
