import { KernelError, type KernelErrorCode } from './errors.ts';

/**
 * Refuses keys that are not known. Plain JavaScript says what it likes, and what a misspelt key asks for would not be done and pass for done.
 *
 * Errors: of the given code, KRN024 when absent.
 */
export function onlyKeys(
  where: string,
  found: object,
  known: readonly string[],
  code: KernelErrorCode = 'KRN024',
): void {
  for (const key of Object.keys(found)) if (!known.includes(key)) refuse(where, key, known, code);
}

/** Refuses a value that is none of these. Errors: as of `onlyKeys`. */
export function oneOf(
  where: string,
  found: unknown,
  known: readonly unknown[],
  code: KernelErrorCode = 'KRN024',
): void {
  if (!known.includes(found)) refuse(where, found, known, code);
}

/** The most that are named of what could have been meant. */
const namedMax = 24;

function refuse(where: string, found: unknown, known: readonly unknown[], code: KernelErrorCode): never {
  const named = known.slice(0, namedMax).map(String).join(', ');
  const more = known.length > namedMax ? `, and ${known.length - namedMax} more` : '';
  throw new KernelError(code, where, `found ${JSON.stringify(found)}, expected one of: ${named}${more}`);
}
