import { writeFileAtomically } from '../scenarios/atomic-file.ts';
import { OutputError } from '../scenarios/output-error.ts';
import { OutputFile } from '../scenarios/output-file.ts';
import type { Terminal } from './terminal.ts';

/** How standard output is named where a file is expected. */
export const standardOutput = '-';

/** Writes an output of a command, `-` to standard output. Errors: `OutputError`. */
export function writeOutput(
  terminal: Pick<Terminal, 'out'>,
  file: string,
  contents: string | Uint8Array,
): void {
  if (file === standardOutput) terminal.out(contents.toString());
  else writeFileAtomically(file, contents);
}

/** An output that is written piece by piece. */
export interface Sink {
  readonly file: string;
  write(text: string): void;
  end(): void;
  abandon(): void;
}

/** Begins an output, `-` on standard output. Errors: `OutputError`, from its methods as well. */
export function outputSink(terminal: Pick<Terminal, 'out'>, file: string): Sink {
  if (file !== standardOutput) return new OutputFile(file);
  return { file, write: (text) => terminal.out(text), end: () => {}, abandon: () => {} };
}

/** The outputs of a run that was carried out: what cannot be written is told after the run, and keeps none of the others back. */
export class Outputs {
  readonly #failed: OutputError[] = [];

  /** Writes something; false when that could not be done. */
  attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      this.#keep(error);
      return false;
    }
  }

  /** Makes something that is to be written; nothing when that could not be done. */
  async attempted<T>(make: () => Promise<T>): Promise<T | undefined> {
    try {
      return await make();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  #keep(error: unknown): void {
    if (!(error instanceof OutputError)) throw error;
    this.#failed.push(error);
  }

  /** What was not written, for scripts; nothing when all was. */
  get json(): { readonly notWritten?: readonly { readonly file: string; readonly why: string }[] } {
    return this.#failed.length === 0
      ? {}
      : { notWritten: this.#failed.map(({ file, why }) => ({ file, why })) };
  }

  /** To be called when all else is told. Errors: the first `OutputError` that was kept. */
  settle(): void {
    const [first] = this.#failed;
    if (first) throw first;
  }
}
