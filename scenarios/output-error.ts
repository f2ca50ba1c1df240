/** What the system says of a file, in words. */
const reasons: Readonly<Record<string, readonly [why: string, cure: string]>> = {
  EISDIR: ['it is a folder', 'name a file'],
  ENOTDIR: ['a file stands where a folder should be', 'name a folder that can be made'],
  EEXIST: ['a file stands where a folder should be', 'name a folder that can be made'],
  EACCES: ['there is no right to write there', 'name a place that you may write to'],
  EPERM: ['there is no right to write there', 'name a place that you may write to'],
  EROFS: ['the file system is read-only', 'name a place that can be written'],
  ENOSPC: ['no space is left', 'make room, or name another place'],
  EDQUOT: ['the quota of space is used up', 'make room, or name another place'],
  EFBIG: ['the file would be too large', 'name another place'],
  EIO: ['the device does not take it', 'name another place'],
  ENAMETOOLONG: ['its name is too long', 'give a shorter name'],
  ELOOP: ['its links lead in a circle', 'mend the links, or name another file'],
  ENXIO: ['nobody reads from it', 'start the reader first, or name a file'],
  ENODEV: ['nothing takes what is written to it', 'name a file'],
  EPIPE: ['its reader is gone', 'keep the reader until the end, or name a file'],
  EBADF: ['it is not open for writing', 'name a file'],
  ENOENT: ['there is no such place', 'name a folder that can be made'],
  EMFILE: ['too many files are open', 'ask for fewer outputs at once'],
  ENFILE: ['too many files are open', 'ask for fewer outputs at once'],
  EBUSY: ['it is in use', 'name another file'],
  ETXTBSY: ['it is a program that runs', 'name another file'],
  EINVAL: ['it has no place of that kind', 'name another file'],
  ERR_INVALID_ARG_VALUE: ['its name has a character that no file name may have', 'give another name'],
};

/** An output that cannot be written: which file, why, and what helps. A user's affair, not a defect. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  constructor(
    readonly file: string,
    readonly why: string,
    readonly help: string,
  ) {
    super(
      `${file === '' ? '""' : JSON.stringify(file).slice(1, -1)}: cannot be written: ${why}\n  help: ${help}`,
    );
  }
}

/** True for what the operating system answers to a call about files. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

/** A code of the operating system in words: why, and what helps. */
export const systemWords = (code = ''): readonly [why: string, cure: string] =>
  reasons[code] ?? [`the system says ${code}`, 'name another file'];

/** What the system refused while a file was written, as an `OutputError`; anything else as it is. */
export function outputError(file: string, error: unknown): unknown {
  if (error instanceof OutputError || !isSystemError(error)) return error;
  const [why, help] = systemWords(error.code);
  return new OutputError(file, why, help);
}
