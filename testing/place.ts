import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a test stands. */
export interface TestPlace {
  /** Folder of the test file, relative to the folder that we are in. */
  readonly folder: string;
}

/** The folder beside a test that has the recordings of what its runs have found. */
export const recordingsFolder = ({ folder }: TestPlace): string => join(folder, '__lockstep__');

/** The place of a test file. */
export const placeOf = (file: string): TestPlace => ({ folder: relative('', dirname(file)) });

/** The place of whoever called a function; the folder that we are in when that is not known. */
// biome-ignore lint/complexity/noBannedTypes: any function can be called
export function placeOfCaller(called: Function): TestPlace {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, called);
  const [, address] =
    /^\s+at (?:.*?\()?((?:file:|\/|[A-Za-z]:\\).*?):\d+:\d+\)?$/m.exec(at.stack ?? '') ?? [];
  if (address === undefined) return { folder: '' };
  return placeOf(address.startsWith('file:') ? fileURLToPath(address) : address);
}
