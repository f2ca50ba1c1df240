import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { BenchFileError, type BenchProcess } from '../../scenarios/chiplet/interchiplet-bench-file.ts';
import { makeFolders } from '../../scenarios/output-file.ts';
import { UsageError } from '../usage-error.ts';

/** Makes the working directory of a process, empty but for the files it asks for (chiplet specification 9.1, 9.8). */
export function workingFolder(
  cwd: string,
  { round, phase, index }: { readonly round: number; readonly phase: 1 | 2; readonly index: number },
  { preCopy, at }: BenchProcess,
): string {
  const folder = join(cwd, `proc_r${round}_p${phase}_t${index}`);
  rmSync(folder, { recursive: true, force: true });
  makeFolders(folder);
  for (const name of preCopy) {
    const source = resolve(cwd, name);
    if (!existsSync(source))
      throw new BenchFileError('E-FILE', at, `found no file "${source}" to copy`, 'check pre_copy');
    cpSync(source, join(folder, basename(source)), { recursive: true });
  }
  return folder;
}

/** The file that takes what a process writes; undefined when the benchmark names none. */
export const logFile = (folder: string, { log }: BenchProcess): string | undefined =>
  log === '' ? undefined : resolve(folder, log);

/** The named pipes of a round: made when they are first asked for, gone after it. */
export class Pipes {
  readonly #cwd: string;
  readonly #made = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Makes the pipe of a RESULT, whose path is relative to a working directory. */
  make(path: string): void {
    const file = join(this.#cwd, basename(path));
    if (this.#made.has(file)) return;
    rmSync(file, { force: true });
    const { status, error } = spawnSync('mkfifo', [file]);
    if (status !== 0)
      throw new UsageError(
        `E-FILE the named pipe ${file} cannot be made${error ? ` (${error.message})` : ''}`,
        'data of real processes go through named pipes: the command mkfifo must be there',
      );
    this.#made.add(file);
  }

  remove(): void {
    for (const file of this.#made) rmSync(file, { force: true });
    this.#made.clear();
  }
}
