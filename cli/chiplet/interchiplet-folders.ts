import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, parse, resolve, sep } from 'node:path';
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
    const found = filesLike(source);
    if (found.length === 0)
      throw new BenchFileError('E-FILE', at, `found no file "${source}" to copy`, 'check pre_copy');
    for (const file of found) cpSync(file, join(folder, basename(file)), { recursive: true });
  }
  return folder;
}

/** The files and folders of a path whose parts may have `*` and `?`, as a shell reads them: without those that begin with a dot. */
function filesLike(path: string): readonly string[] {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  let found: readonly string[] = [root];
  for (const part of parts) {
    const like = /[*?]/.test(part) ? likeOf(part) : undefined;
    found = found.flatMap((folder) =>
      like === undefined
        ? [join(folder, part)].filter((file) => existsSync(file))
        : namesIn(folder)
            .filter((name) => like.test(name))
            .map((name) => join(folder, name)),
    );
  }
  return found;
}

const likeOf = (part: string): RegExp =>
  new RegExp(
    `^(?!\\.)${part
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

const namesIn = (folder: string): readonly string[] =>
  statSync(folder).isDirectory() ? readdirSync(folder).sort() : [];

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
