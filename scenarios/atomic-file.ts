import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: beside its place first, then renamed; folders that are missing are made.
 *
 * Details: what is there and is no plain file, a terminal or a pipe, is written to and not replaced.
 */
export function writeFileAtomically(file: string, contents: string | Uint8Array): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) {
    writeFileSync(file, contents);
    return;
  }
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  // Two writers of one file, in two processes, must not share the temporary one.
  const temporary = join(folder, `.${basename(file)}.${process.pid}.part`);
  try {
    writeFileSync(temporary, contents);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
