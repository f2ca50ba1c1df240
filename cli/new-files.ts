import { existsSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { outputError } from '../scenarios/output-error.ts';
import { makeFolders } from '../scenarios/output-file.ts';

/** Writes files that are not there yet, all or none, and the folders that they need. Errors: `OutputError`, one that is there included; then nothing is left of the others. */
export function writeNewFiles(files: ReadonlyMap<string, string>): void {
  const written: string[] = [];
  const folders: string[] = [];
  for (const [file, text] of files) {
    try {
      const folder = dirname(resolve(file));
      folders.push(...missingFolders(folder));
      makeFolders(folder);
      writeFileSync(file, text, { flag: 'wx' });
      written.push(file);
    } catch (error) {
      for (const one of written) rmSync(one);
      for (const one of folders.toReversed()) if (existsSync(one)) rmdirSync(one);
      throw outputError(file, error);
    }
  }
}

/** The folders that are not there on the way to one, outermost first. */
const missingFolders = (folder: string): readonly string[] =>
  existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
