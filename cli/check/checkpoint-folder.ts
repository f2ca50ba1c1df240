import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Checkpoint } from '../../kernel/explore/checkpoint.ts';
import type { Explorer } from '../../kernel/explore/explorer.ts';
import type { WordStore } from '../../kernel/explore/word-store.ts';
import { isSystemError, OutputError, outputError } from '../../scenarios/output-error.ts';
import { makeFolders, OutputFile } from '../../scenarios/output-file.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import { UsageError } from '../usage-error.ts';

/** Milliseconds between two checkpoints at least, and how many times as long as writing one takes. */
const keepEvery = 2000;
const timesAsLong = 20;
/** Milliseconds that the state which is gone on from may take to its end when somebody waits. */
const lastStateMs = 2000;
const format = 'lockstep.checkpoint/2';
const headFile = 'check.json';
const progressFile = 'progress.bin';
/** Folders of one check that are tried: others may be in use. */
const foldersMax = 100;

/** What a check is, as far as its states depend on it: of two that agree in all of it, one can go on from the other's checkpoint. */
export interface CheckIdentity {
  readonly lockstep: string;
  readonly scenario: string;
  readonly options: string;
  /** Hashes of the sources of the project, in which machines and properties may be, by file. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What the file `check.json` of a checkpoint says. */
interface Head {
  readonly format: string;
  readonly pid: number;
  /** When the process began, where the system tells: numbers of processes come again. */
  readonly began?: string;
  readonly check: CheckIdentity;
}

/** The file of a stream, how many words it has, and the hash of them. */
interface StreamFile {
  readonly descriptor: number;
  words: number;
  hash: Hash;
}

/** What `progress.bin` has behind the hash of it. */
interface Progress {
  readonly checkpoint: Checkpoint;
  /** By stream: the hash of the words that count. */
  readonly hashes: Readonly<Record<string, string>>;
}

/**
 * The folder in which a check keeps how far it has come, so that it can go on after an interrupt or a kill, and states that are too many for its memory.
 *
 * Details: it is made when there is something to keep. Words go into one file a stream, which only grows; what of them counts stands with the rest in `progress.bin`, which is replaced as a
 * whole: whenever the process ends, what was kept last is whole. Of all of it there are hashes, so that nothing goes on from what was damaged meanwhile. Errors: `OutputError`, from `append`.
 */
export class CheckpointFolder implements WordStore {
  /** What was kept last; undefined for nothing. */
  kept: { readonly states: number } | undefined;
  /** Why nothing is kept any more, where the folder cannot be written. */
  failure: OutputError | undefined;
  readonly folder: string;
  readonly #check: () => CheckIdentity;
  readonly #files = new Map<string, StreamFile>();
  #made = false;
  #next = performance.now() + keepEvery;

  private constructor(folder: string, check: () => CheckIdentity) {
    this.folder = folder;
    this.#check = check;
  }

  /** A folder for a check that begins: that of its name, or another one beside it when a process uses that. What an earlier check left there stays beside it until the next one. */
  static forNew(folder: string, check: () => CheckIdentity): CheckpointFolder {
    return new CheckpointFolder(candidates(folder).find((one) => !isInUse(one)) ?? folder, check);
  }

  /** The folder that an earlier check has left, with what it kept. Errors: `UsageError` when there is none, or it is of something else, or damaged. */
  static resumed(
    folder: string,
    check: () => CheckIdentity,
  ): { readonly store: CheckpointFolder; readonly checkpoint: Checkpoint } {
    // A check that was killed before it kept anything has left words that nothing counts.
    const found = candidates(folder).filter((one) =>
      [headFile, progressFile].every((name) => existsSync(join(one, name))),
    );
    const free = found.filter((one) => !isInUse(one));
    const [first] = free;
    if (first === undefined) {
      const used = found.length > 0 ? ', where a check is running' : '';
      throw new UsageError(
        `--resume: found nothing to go on from in ${folder}${used}; expected the checkpoint of a check that was interrupted`,
        'without --resume the check begins; it keeps how far it has come from then on',
      );
    }
    const wanted = check();
    const differing = free.map((one) => ({ one, differs: differenceOf(headOf(one).check, wanted) }));
    const same = differing.find(({ differs }) => differs === undefined);
    if (!same)
      throw new UsageError(
        `--resume: found in ${first} the checkpoint of a check with ${differing[0]!.differs}, expected the one that it is to go on from`,
        'give the options that it had, or begin anew without --resume',
      );
    const store = new CheckpointFolder(same.one, check);
    return { store, checkpoint: store.#open() };
  }

  append(stream: string, words: Uint32Array): void {
    this.#make();
    try {
      const file = this.#file(stream);
      const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      for (let at = 0; at < bytes.length; )
        at += writeSync(file.descriptor, bytes, at, bytes.length - at, 4 * file.words + at);
      file.words += words.length;
      file.hash.update(bytes);
    } catch (error) {
      throw outputError(this.folder, error);
    }
  }

  read(stream: string, from: number, into: Uint32Array): void {
    const { descriptor } = this.#file(stream);
    const target = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    // A file cannot be read into memory that threads may share.
    const bytes = into.buffer instanceof SharedArrayBuffer ? new Uint8Array(target.length) : target;
    const count = readSync(descriptor, bytes, 0, bytes.length, 4 * from);
    if (bytes !== target) target.set(bytes.subarray(0, count));
  }

  clear(): void {
    for (const file of this.#files.values()) {
      ftruncateSync(file.descriptor, 0);
      file.words = 0;
      file.hash = newHash();
    }
    rmSync(join(this.folder, progressFile), { force: true });
    this.kept = undefined;
  }

  /** Keeps how far an exploration has come when it is time to. A folder that cannot be written is no reason to end a check. */
  keepInTime(explorer: Explorer): void {
    if (performance.now() < this.#next || this.failure) return;
    this.keep(explorer);
  }

  /** Keeps how far an exploration has come, unless the state that it goes on from takes too long. */
  keep(explorer: Explorer): void {
    if (!explorer.canStop || this.failure) return;
    const began = performance.now();
    for (; !explorer.isBetweenStates; ) {
      if (!explorer.go(deliveriesAtOnce, true) || performance.now() - began > lastStateMs) break;
    }
    if (!explorer.isBetweenStates) return;
    const { states } = explorer.figures;
    try {
      // Words are in place before what says how many of them count.
      const checkpoint = explorer.checkpoint();
      const hashes = Object.fromEntries(
        [...this.#files].map(([stream, { hash }]) => [stream, hash.copy().digest('hex')]),
      );
      const progress = serialize({ checkpoint, hashes } satisfies Progress);
      const file = new OutputFile(join(this.folder, progressFile));
      file.write(newHash().update(progress).digest());
      file.write(progress);
      file.end();
      this.kept = { states };
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      this.failure = error;
    }
    const now = performance.now();
    this.#next = now + Math.max(keepEvery, timesAsLong * (now - began));
  }

  /** Removes the folder: the check has come to its end. */
  remove(): void {
    this.close();
    if (this.#made) rmSync(this.folder, { recursive: true, force: true });
  }

  /** The check ends here; a folder in which nothing was kept is removed. */
  close(): void {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor);
    this.#files.clear();
    if (this.#made && this.kept === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  #file(stream: string): StreamFile {
    const known = this.#files.get(stream);
    if (known) return known;
    const name = join(this.folder, `${stream}.bin`);
    const file = { descriptor: openSync(name, existsSync(name) ? 'r+' : 'w+'), words: 0, hash: newHash() };
    this.#files.set(stream, file);
    return file;
  }

  /** Makes the folder; what is there under its name goes aside. */
  #make(): void {
    if (this.#made) return;
    const { folder } = this;
    try {
      if (existsSync(folder)) {
        if (!existsSync(join(folder, headFile)))
          throw new OutputError(folder, 'something else is there', 'name another folder with --checkpoint');
        rmSync(`${folder}.old`, { recursive: true, force: true });
        renameSync(folder, `${folder}.old`);
      }
      makeFolders(folder);
    } catch (error) {
      throw outputError(folder, error);
    }
    this.#made = true;
    this.#writeHead();
  }

  #writeHead(): void {
    const { pid } = process;
    const began = beginOf(pid);
    const head: Head = { format, pid, ...(began !== undefined && { began }), check: this.#check() };
    const file = new OutputFile(join(this.folder, headFile));
    file.write(`${JSON.stringify(head)}\n`);
    file.end();
  }

  /** Errors: `UsageError` when it is damaged. */
  #open(): Checkpoint {
    this.#made = true;
    const damaged = (what: string): never => {
      throw new UsageError(
        `--resume: found in ${this.folder} ${what}, expected the checkpoint of a check`,
        'begin anew without --resume',
      );
    };
    let checkpoint: Checkpoint;
    try {
      const all = readFileSync(join(this.folder, progressFile));
      const [hash, progress] = [all.subarray(0, hashBytes), all.subarray(hashBytes)];
      if (!newHash().update(progress).digest().equals(hash)) return damaged(`a damaged ${progressFile}`);
      const { hashes, ...given } = deserialize(progress) as Progress;
      checkpoint = given.checkpoint;
      for (const [stream, words] of Object.entries(checkpoint.stored)) {
        const file = this.#file(stream);
        if (statSync(join(this.folder, `${stream}.bin`)).size < 4 * words)
          return damaged(`fewer than ${words} words of ${stream}`);
        // What was written after that belongs to nothing.
        ftruncateSync(file.descriptor, 4 * words);
        file.words = words;
        file.hash = hashOfFile(file.descriptor, 4 * words);
        if (file.hash.copy().digest('hex') !== hashes[stream]) return damaged(`a damaged ${stream}.bin`);
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      return damaged(isSystemError(error) ? `no ${progressFile}` : `a ${progressFile} that cannot be read`);
    }
    this.kept = { states: checkpoint.table.size };
    this.#writeHead();
    return checkpoint;
  }
}

const deliveriesAtOnce = 2000;

const newHash = (): Hash => createHash('sha256');
const hashBytes = 32;
/** Bytes of a file that are read at once. */
const chunkBytes = 2 ** 22;

/** The hash of so many bytes of a file. */
function hashOfFile(descriptor: number, size: number): Hash {
  const hash = newHash();
  const chunk = new Uint8Array(Math.min(size, chunkBytes));
  for (let at = 0; at < size; ) {
    const count = readSync(descriptor, chunk, 0, Math.min(chunk.length, size - at), at);
    // Nothing is left where the file became shorter meanwhile: the hash tells.
    if (count === 0) break;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
  return hash;
}

const candidates = (folder: string): readonly string[] => [
  folder,
  ...Array.from({ length: foldersMax }, (_, index) => `${folder}-${index + 2}`),
];

/** Errors: `UsageError` for a file that is none. */
function headOf(folder: string): Head {
  try {
    const head = JSON.parse(readFileSync(join(folder, headFile), 'utf8')) as Head;
    if (head.format === format) return head;
  } catch {}
  throw new UsageError(
    `--resume: found in ${folder} a ${headFile} that is none of this version of Lockstep, expected the checkpoint of a check`,
    'begin anew without --resume',
  );
}

/** True while the process that made a folder is there. */
function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, headFile))) return false;
  try {
    const { pid, began } = JSON.parse(readFileSync(join(folder, headFile), 'utf8')) as Head;
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return beginOf(pid) === began;
  } catch (error) {
    // There is a process, of somebody else.
    return isSystemError(error) && error.code === 'EPERM';
  }
}

/** When a process began, in ticks of the clock of Linux; undefined elsewhere, and for a process that is dead and not yet taken away. */
function beginOf(pid: number): string | undefined {
  try {
    // The name, in parentheses, may have spaces. State and time of the start are fields 3 and 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** In what two checks differ, in words; undefined in nothing. */
function differenceOf(one: CheckIdentity, other: CheckIdentity): string | undefined {
  if (one.scenario !== other.scenario) return 'another scenario';
  if (one.options !== other.options) return `the options ${one.options} instead of ${other.options}`;
  if (one.lockstep !== other.lockstep) return `Lockstep ${one.lockstep} instead of ${other.lockstep}`;
  // A file that was not there when it began is imported by one that has changed, or by none.
  const changed = Object.keys(one.sources).find((file) => one.sources[file] !== other.sources[file]);
  if (changed === undefined) return undefined;
  return `other sources: ${changed} ${other.sources[changed] === undefined ? 'is gone' : 'has changed'}`;
}

/** What a check of a scenario file is. `options`: those on which its states depend. */
export function identityOf(file: string, scenario: string, options: object): CheckIdentity {
  return {
    lockstep: lockstepVersion,
    scenario: hashOf(scenario),
    options: JSON.stringify(options),
    sources: Object.fromEntries(
      [...sourcesOf(file)].map(([path, text]) => [relative('', path), hashOf(text)]),
    ),
  };
}

const hashOf = (text: string | Buffer): string => newHash().update(text).digest('hex').slice(0, 32);

/** Files that a machine, a property or a program may be in: those below the present folder, and those beside the scenario. */
function* sourcesOf(file: string): Generator<readonly [path: string, text: Buffer], void> {
  const beside = dirname(resolve(file));
  const folders = [process.cwd(), ...(beside === process.cwd() ? [] : [beside])];
  // Breadth first, so that of a folder with very many files those near its top are looked at.
  for (let at = 0, left = entriesMax; at < folders.length && left > 0; at++) {
    const folder = folders[at]!;
    const entries = readdirSync(folder, { withFileTypes: true });
    left -= entries.length;
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isFile() && sourceName.test(entry.name)) {
        yield [path, readFileSync(path)];
      } else if (entry.isDirectory() && folder !== beside && !notSources.test(entry.name)) folders.push(path);
    }
  }
}

const entriesMax = 20_000;
const sourceName = /\.[cm]?[jt]sx?$|^package\.json$/;
/** Folders with what others wrote, or what commands write. */
const notSources = /^(\..*|node_modules|out|coverage)$/;
