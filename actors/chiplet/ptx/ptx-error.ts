import type { Place } from './syntax.ts';

/** What was meant, perhaps: the name found, and those that are known. */
export interface KnownNames {
  readonly found: string;
  readonly known: readonly string[];
  /** What the names are of: `registers`, `instructions`. */
  readonly of: string;
}

/** Characters of a line, and of a word in it, that are shown: a text of one line may be megabytes long. */
const shownMax = 200;

/** A sentence about a text, with its words cut where they are long. */
const withShortWords = (what: string): string =>
  what.replace(/\S{201,}/g, (word) => `${word.slice(0, shownMax)}…`);

/**
 * A mistake in a PTX text (chiplet specification 13, E-PTX): where, the text of the line, what was found, what was expected, what helps.
 */
export class PtxError extends Error {
  override readonly name = 'PtxError';
  readonly code = 'E-PTX';

  /** What was found and what was expected. */
  readonly what: string;

  constructor(
    readonly file: string,
    readonly at: Place,
    /** The line of the text. */
    readonly text: string,
    what: string,
    readonly help: string,
    /** Names to choose from, for a misspelt one. */
    readonly names?: KnownNames,
  ) {
    const short = withShortWords(what);
    super(`${file}:${at.line}:${at.column} E-PTX ${short}\n  ${shortLine(text)}\n  help: ${help}`);
    this.what = short;
  }
}

/** Makes errors of one text. */
export class PtxSource {
  readonly #lines: readonly string[];

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.#lines = text.split(/\r?\n/);
  }

  error(at: Place, what: string, help: string, names?: KnownNames): PtxError {
    return new PtxError(this.file, at, this.#lines[at.line - 1] ?? '', what, help, names);
  }

  /** A name that is declared again. */
  twice(name: string, at: Place): PtxError {
    return this.error(at, `found "${name}" declared twice, expected it once`, 'rename one');
  }

  /** The line of the text at a place, without blanks around it. */
  lineAt(at: Place): string {
    return (this.#lines[at.line - 1] ?? '').trim();
  }
}

/** A line as an error shows it. */
export function shortLine(text: string): string {
  const line = text.trim();
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line;
}
