import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const bufferChars = 1 << 16;

/** A text file that is written while a run goes on and stands under its name only when it is complete. */
export class FileSink {
  readonly #temporary: string;
  readonly #descriptor: number;
  #buffer = '';

  constructor(readonly file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#temporary = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
    this.#descriptor = openSync(this.#temporary, 'w');
  }

  write(text: string): void {
    this.#buffer += text;
    if (this.#buffer.length >= bufferChars) this.#flush();
  }

  /** Completes the file. */
  end(): void {
    this.#flush();
    closeSync(this.#descriptor);
    renameSync(this.#temporary, this.file);
  }

  /** Leaves no file behind. */
  abandon(): void {
    closeSync(this.#descriptor);
    rmSync(this.#temporary, { force: true });
  }

  #flush(): void {
    // A single write may take less than it is given.
    const bytes = Buffer.from(this.#buffer);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#buffer = '';
  }
}
