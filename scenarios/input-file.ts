import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isSystemError } from './output-error.ts';
import { pause } from './pause.ts';

/** Bytes of one file that is read. What is larger is refused before it fills the memory. */
export const inputBytesMax = 512 * 2 ** 20;
/** How standard input is named where a file is expected. */
export const standardInput = '-';

const pieceBytesMax = 1 << 20;

/** A file that cannot be read: why, in words that follow its name. */
export class InputError extends Error {
  override readonly name = 'InputError';
  constructor(
    readonly file: string,
    readonly why: string,
    readonly help = 'check the path and the rights of the file',
  ) {
    super(`${file}: ${why}\n  help: ${help}`);
  }
}

/** The bytes of a file, `-` for standard input. Errors: `InputError`, also for more than `bytesMax` bytes. */
export function inputBytes(file: string, bytesMax = inputBytesMax): Buffer {
  try {
    return file === standardInput ? allOf(0, file, bytesMax) : bytesOf(file, bytesMax);
  } catch (error) {
    throw isSystemError(error) ? inputError(file, error.code) : error;
  }
}

/** The text of a file in UTF-8, `-` for standard input. Errors: as `inputBytes`. */
export function inputText(file: string, bytesMax = inputBytesMax): string {
  const text = inputBytes(file, bytesMax).toString('utf8');
  // Some editors begin a text with a mark of its byte order, which no format knows.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function bytesOf(file: string, bytesMax: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    return allOf(descriptor, file, bytesMax);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the end, in pieces: a device may have no end, and no size. */
function allOf(descriptor: number, file: string, bytesMax: number): Buffer {
  const pieces: Buffer[] = [];
  // One byte more than there should be shows in the first reading that there are no others.
  const size = Math.min(pieceBytesMax, Math.max(4096, fstatSync(descriptor).size + 1));
  for (let bytes = 0; ; ) {
    const piece = Buffer.allocUnsafe(size);
    const count = readPiece(descriptor, piece);
    if (count === 0) return Buffer.concat(pieces);
    bytes += count;
    if (bytes > bytesMax)
      throw new InputError(
        file,
        `found more than ${bytesMax} bytes (inputBytesMax), expected at most so many`,
        'give a smaller file',
      );
    pieces.push(piece.subarray(0, count));
  }
}

function readPiece(descriptor: number, piece: Uint8Array): number {
  for (;;) {
    try {
      return readSync(descriptor, piece);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      // Standard input may be set not to wait.
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** What the system answered about a file that is looked at, by its code, in words. */
export function inputError(file: string, code: string | undefined): InputError {
  if (code === 'ENOENT' || code === 'ENOTDIR') return new InputError(file, 'found no such file');
  if (code === 'EISDIR') return new InputError(file, 'found a folder, expected a file');
  if (code === 'ENAMETOOLONG') return new InputError(file, 'its name is too long', 'give a shorter name');
  if (code === 'ELOOP') return new InputError(file, 'its links lead in a circle', 'mend the links');
  if (code === 'ERR_INVALID_ARG_VALUE')
    return new InputError(file, 'its name has a character that no file name may have', 'give another name');
  return new InputError(file, `the file cannot be read (${code})`);
}
