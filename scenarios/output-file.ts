import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OutputError, outputError } from './output-error.ts';
import { pause, pauseMs } from './pause.ts';

const bufferBytes = 1 << 16;
/** Bytes of the name of a file. */
const nameBytesMax = 255;
/** Links that are followed to the place of an output. */
const linksMax = 40;
/** Milliseconds in which the reader of a named pipe must have opened it. */
const readerMsMax = 5000;

/** Where the bytes of an output go. */
interface Target {
  readonly descriptor: number;
  /** A descriptor of the process, which stays open. */
  readonly lent?: boolean;
  /** The file that is replaced when all is written, and the one that is written until then. */
  readonly whole?: { readonly place: string; readonly temporary: string; readonly mode?: number };
}

/**
 * A file that is written piece by piece: the one rule for all outputs.
 *
 * Details: a plain file stands under its name only when it is complete, with the rights that it had; folders that are missing are made. Nothing that is
 * there is replaced by something else: a link is followed and stays, a file with several names or in a folder that cannot be written is written in place, a pipe or
 * a device, `/dev/stdout` and `/dev/fd/N` among them, is written through. A named pipe that nobody reads within 5 s is refused.
 *
 * Errors: `OutputError`, from the constructor and from `end`, which also tells what failed before: who writes observes a run, which is not to end for it.
 */
export class OutputFile {
  readonly #target: Target;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #failure: unknown;
  #closed = false;

  constructor(readonly file: string) {
    this.#target = asOutput(file, () => targetOf(file));
  }

  write(contents: string | Uint8Array): void {
    if (this.#failure !== undefined) return;
    this.#pieces.push(Buffer.from(contents as Uint8Array));
    this.#bytes += this.#pieces.at(-1)!.length;
    if (this.#bytes >= bufferBytes) this.#flush();
  }

  /** Completes the file; nothing is left behind when that fails. */
  end(): void {
    this.#flush();
    if (this.#failure !== undefined) throw this.#failure;
    const { descriptor, lent, whole } = this.#target;
    try {
      asOutput(this.file, () => {
        if (!lent) closeSync(descriptor);
        if (whole?.mode !== undefined) chmodSync(whole.temporary, whole.mode);
        if (whole) renameSync(whole.temporary, whole.place);
      });
    } catch (error) {
      if (whole) rmSync(whole.temporary, { force: true });
      throw error;
    }
  }

  /** Leaves the file as it was before; what went into a pipe or a device has gone. */
  abandon(): void {
    const { descriptor, lent, whole } = this.#target;
    this.#pieces = [];
    if (!lent && !this.#closed) closeQuietly(descriptor);
    this.#closed = true;
    if (whole) rmSync(whole.temporary, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    try {
      asOutput(this.file, () => writeAll(this.#target.descriptor, bytes));
    } catch (error) {
      this.#failure = error;
      this.abandon();
    }
  }
}

function asOutput<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw outputError(file, error);
  }
}

function targetOf(file: string): Target {
  if (file === '') throw new OutputError(file, 'its name is empty', 'name a file');
  const lent = lentDescriptor(file);
  if (lent !== undefined) return { descriptor: lent, lent: true };
  const there = statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) return { descriptor: openThrough(file, there) };
  const place = placeOf(file);
  if (there) {
    // A shell that sends standard output into the same file goes on writing there.
    const standard = [1, 2].find((one) => isSameFile(one, there));
    if (standard !== undefined) return { descriptor: standard, lent: true };
    accessSync(place, constants.W_OK);
    if (there.nlink > 1) return { descriptor: openSync(place, 'w') };
  }
  const folder = dirname(place);
  makeFolders(folder);
  const temporary = join(folder, temporaryName(place));
  try {
    const descriptor = openSync(temporary, 'w');
    return { descriptor, whole: { place, temporary, ...(there && { mode: there.mode & 0o7777 }) } };
  } catch (error) {
    if (!there) throw error;
    // The folder takes no new file, but this one may be written.
    return { descriptor: openSync(place, 'w') };
  }
}

/** Makes a folder and those above it. Node's own way to do so never ends where the system takes none, as in `/proc`. */
export function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Its own for each process and file, so that no two writers share it, also of a name that leaves no room for more. */
function temporaryName(place: string): string {
  const name = `.${basename(place)}.${process.pid}.part`;
  if (Buffer.byteLength(name) <= nameBytesMax) return name;
  return `.${createHash('sha256').update(place).digest('hex').slice(0, 12)}.${process.pid}.part`;
}

/** The descriptor of this process that a name such as `/dev/stdout` stands for. */
function lentDescriptor(file: string): number | undefined {
  const path = resolve(file);
  if (path === '/dev/stdout') return 1;
  if (path === '/dev/stderr') return 2;
  const [, owner, number] = /^\/(?:dev|proc\/([\w-]+))\/fd\/(\d+)$/.exec(path) ?? [];
  const own = [undefined, 'self', 'thread-self', String(process.pid)];
  return number !== undefined && own.includes(owner) ? Number(number) : undefined;
}

/** Where a name leads: behind its links, even when nothing is there yet. */
function placeOf(file: string): string {
  let place = resolve(file);
  for (let links = 0; links <= linksMax; links++) {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
    place = resolve(dirname(place), readlinkSync(place));
  }
  throw new OutputError(file, 'its links lead in a circle', 'mend the links, or name another file');
}

function isSameFile(descriptor: number, { dev, ino }: Stats): boolean {
  try {
    const open = fstatSync(descriptor);
    return open.dev === dev && open.ino === ino;
  } catch {
    return false;
  }
}

/** Opens what is no plain file, to write into it. */
function openThrough(file: string, there: Stats): number {
  if (!there.isFIFO()) return openSync(file, constants.O_WRONLY);
  // Opening a named pipe waits for a reader, for ever if there is none: so without waiting, for a time that ends.
  for (let waited = 0; ; waited += pauseMs) {
    try {
      return openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO' || waited >= readerMsMax) throw error;
      pause();
    }
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  // A single write may take less than it is given; a pipe that is full takes nothing for a while.
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // It was closed already.
  }
}
