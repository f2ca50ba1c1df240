import type { Place } from './place.ts';

/** A line of a trace or delay file that cannot be read: E-TRACE with its place (chiplet specification 13). */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  constructor(
    readonly file: string,
    readonly line: number,
    readonly column: number,
    what: string,
    help: string,
  ) {
    super(`${file}:${line}:${column} E-TRACE ${what}\n  help: ${help}`);
  }
}

/** Reads the whole numbers of one line, one after another; each that is not as expected is refused with its place. */
export class LineReader {
  readonly #words: readonly { readonly text: string; readonly column: number }[];
  readonly #end: number;
  #next = 0;

  constructor(
    text: string,
    readonly file: string,
    readonly line: number,
    /** The fields of a line, for the help. */
    readonly form: string,
  ) {
    this.#words = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], column: match.index + 1 }));
    this.#end = text.trimEnd().length + 1;
  }

  /** The next number, which must be whole and at least `least`. */
  whole(name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const word = this.#words[this.#next];
    if (!word) return this.refuse(`found the end of the line, expected ${name}`, this.#end);
    const value = Number(word.text);
    const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word.text);
    if (!decimal || !Number.isSafeInteger(value) || value < least || value > most) {
      const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
      return this.refuse(`found "${word.text}", expected ${name}, a whole number ${range}`, word.column);
    }
    this.#next++;
    return value;
  }

  place(name: string): Place {
    const x = this.whole(`the x of ${name}`);
    return { x, y: this.whole(`the y of ${name}`) };
  }

  /** Refuses what is left in the line. */
  end(): void {
    const word = this.#words[this.#next];
    if (word) this.refuse(`found "${word.text}", expected the end of the line`, word.column);
  }

  /** Refuses the line at the word read last, or at a column. */
  refuse(what: string, column = this.#words[this.#next - 1]?.column ?? 1): never {
    throw new TraceError(this.file, this.line, column, what, `a line is: ${this.form}`);
  }
}

/** The lines of a text that are not blank, each read by `read`. Errors: `TraceError`. */
export const readLines = <T>(
  text: string,
  file: string,
  form: string,
  read: (reader: LineReader) => T,
): readonly T[] =>
  text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const reader = new LineReader(line, file, index + 1, form);
    const found = read(reader);
    reader.end();
    return [found];
  });
