import { coloured, showsColours } from './colour.ts';
import { plainText } from './tellable.ts';

/** Where a command writes: `out` is for data, `err` for people (design, section 7). */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True when a person reads `err` as it is written. */
  readonly interactive: boolean;
  /** Characters in a line of `err`, at least 40. */
  readonly columns: number;
  /** True when somebody may interrupt the process while it works. */
  readonly interruptible?: boolean;
}

/** The streams of this process. */
export class ProcessTerminal implements Terminal {
  readonly interruptible = true;
  readonly interactive = process.stderr.isTTY === true;
  readonly columns = Math.max(40, process.stderr.columns ?? 100);
  readonly #outColours = showsColours(process.stdout);
  readonly #errColours = showsColours(process.stderr);
  #refused: NodeJS.ErrnoException | undefined;

  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => (this.#refused ??= error));
    // Nobody is left who could be told.
    process.stderr.on('error', () => {});
  }

  out(text: string): void {
    if (!this.#refused) process.stdout.write(this.#outColours ? coloured(text) : text);
  }

  err(text: string): void {
    process.stderr.write(this.#errColours ? coloured(text) : text);
  }

  /** The exit code of the process: of what was carried out, unless standard output did not take what it was given. */
  async finish(exitCode: number, refused: number): Promise<number> {
    await new Promise((resolve) => process.stdout.write('', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.#refused) return exitCode;
    const { code } = this.#refused;
    // Who reads the beginning only, as `head` does, has got what he wanted.
    if (code === 'EPIPE') return exitCode;
    this.err(`lockstep: standard output cannot be written (${code})\n  help: check where it is sent to\n`);
    return refused;
  }
}

/** A terminal that keeps what is written to it. */
export class KeptTerminal implements Terminal {
  stdout = '';
  stderr = '';
  constructor(
    readonly interactive = false,
    readonly columns = 100,
  ) {}
  out(text: string): void {
    this.stdout += text;
  }
  err(text: string): void {
    this.stderr += text;
  }
}

/** A terminal that knows whether anything went to its output, and obeys nothing that stands in a user's file. */
export class CountedTerminal implements Terminal {
  readonly interactive: boolean;
  readonly columns: number;
  readonly interruptible: boolean;
  readonly #inner: Terminal;
  /** True once anything was written to the output. */
  used = false;

  constructor(inner: Terminal) {
    this.#inner = inner;
    this.interactive = inner.interactive;
    this.columns = inner.columns;
    this.interruptible = inner.interruptible ?? false;
  }

  out(text: string): void {
    this.used ||= text !== '';
    this.#inner.out(text);
  }

  err(text: string): void {
    // Progress is written over itself on a terminal.
    this.#inner.err(this.interactive ? text.split('\r').map(plainText).join('\r') : plainText(text));
  }
}
