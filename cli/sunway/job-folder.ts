import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { bytesOfHex, hexOfBytes } from '../../machines/sunway/file-digits.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { describeFound } from '../../scenarios/found.ts';
import { systemWords } from '../../scenarios/output-error.ts';
import { makeFolders } from '../../scenarios/output-file.ts';
import { UsageError } from '../usage-error.ts';

/** The files of a node by name, two hexadecimal digits a byte. */
export type NodeFiles = Readonly<Record<string, string>>;

/** A signal that a job can get (Sunway specification 5.7). */
export type JobSignal = 34 | 35;

const mark = '.lockstep-job';
const request = '.lockstep-bsignal';
/** Files that a node is given, in bytes: a configuration holds them all. */
const bytesMax = 64 * 2 ** 20;

/**
 * The folder of a job: its files, the mark that it is running, and what it is asked meanwhile.
 *
 * Details: one job runs in a folder at a time. A signal is a file that the job looks for, so that it reaches no other process by mistake.
 */
export class JobFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The number of the process that runs a job here; undefined when none does. Errors: `UsageError` for a mark that is damaged. */
  get process(): number | undefined {
    const file = join(this.#folder, mark);
    if (!existsSync(file)) return undefined;
    const text = readFileSync(file, 'utf8').trim();
    const id = Number(text);
    if (!Number.isSafeInteger(id) || id <= 0)
      throw new UsageError(
        `${file}:1:1 found ${describeFound(text)}, expected the number of the process of a job`,
        'remove the file if no job runs there',
      );
    return isAlive(id) ? id : undefined;
  }

  /** Marks the folder as that of this process. Errors: `UsageError` when another job runs here. */
  begin(): void {
    this.#asFolder(() => this.#begin());
  }

  #begin(): void {
    const there = statSync(this.#folder, { throwIfNoEntry: false });
    if (there && !there.isDirectory())
      throw new UsageError(
        `--files ${this.#folder}: found a file, expected a folder`,
        'give a folder of its own',
      );
    const other = this.process;
    if (other !== undefined && other !== process.pid)
      throw new UsageError(
        `--files ${this.#folder}: found a job that runs there (process ${other})`,
        `wait for it, or stop it: lockstep sunway bsignal 34 ${this.#folder}`,
      );
    makeFolders(this.#folder);
    rmSync(join(this.#folder, request), { force: true });
    writeFileAtomically(join(this.#folder, mark), `${process.pid}\n`);
  }

  /** The job is over. */
  end(): void {
    for (const name of [mark, request]) rmSync(join(this.#folder, name), { force: true });
  }

  /** Asks the job for something. Errors: `UsageError` when none runs here. */
  send(signal: JobSignal): void {
    if (this.process === undefined)
      throw new UsageError(
        `${join(this.#folder, mark)}: found no running job`,
        'a job is named by the folder of its files: lockstep sunway run SCENARIO --files FOLDER',
      );
    writeFileAtomically(join(this.#folder, request), `${signal}\n`);
  }

  /** What the job is asked for, once. */
  heard(): JobSignal | undefined {
    const file = join(this.#folder, request);
    if (!existsSync(file)) return undefined;
    const text = readFileSync(file, 'utf8').trim();
    rmSync(file, { force: true });
    return text === '34' ? 34 : text === '35' ? 35 : undefined;
  }

  /** The files that are there. Errors: `UsageError` when they are too many bytes. */
  read(): NodeFiles {
    return this.#asFolder(() => this.#read());
  }

  #read(): NodeFiles {
    const files: Record<string, string> = {};
    let bytes = 0;
    for (const entry of readdirSync(this.#folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.startsWith('.')) continue;
      const path = join(entry.parentPath, entry.name);
      const contents = readFileSync(path);
      bytes += contents.length;
      if (bytes > bytesMax)
        throw new UsageError(
          `--files ${this.#folder}: found more than ${bytesMax} bytes`,
          'give a folder that holds the files of the job and no others',
        );
      files[nameOf(this.#folder, path)] = hexOfBytes(contents);
    }
    return files;
  }

  /** Writes what differs, each file whole or not at all. Answers what was written, and names that lie outside the folder. */
  write(
    files: NodeFiles,
    before: NodeFiles,
  ): { readonly written: readonly string[]; readonly outside: readonly string[] } {
    const names = Object.keys(files).filter((name) => files[name] !== before[name]);
    const outside = names.filter(leavesFolder);
    const written = names.filter((name) => !leavesFolder(name));
    this.#asFolder(() => {
      for (const name of written) writeFileAtomically(join(this.#folder, name), bytesOfHex(files[name]!));
    });
    return { written, outside };
  }

  /** What the system refuses is told as a mistake about the folder. Errors: `UsageError`. */
  #asFolder<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new UsageError(
        `--files ${this.#folder}: ${systemWords(code)[0]}${path === undefined ? '' : ` (${path})`}, expected a folder to read and write`,
        'check the path, and the rights of the folder and of the files in it',
      );
    }
  }
}

const nameOf = (folder: string, path: string): string =>
  normalize(path).slice(join(folder, sep).length).replaceAll(sep, '/');

/** True for a name that a program may not write to: outside the folder, or one that is the folder's own. */
function leavesFolder(name: string): boolean {
  const parts = normalize(name).split(sep);
  return isAbsolute(name) || parts.includes('..') || parts.at(-1)!.startsWith('.');
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
