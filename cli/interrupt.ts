import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** What a terminal sends for Ctrl-C, and what `kill`, `timeout` and the schedulers of clusters send. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ctrl-C, or SIGTERM, while something runs: the first asks it to stop where it can be continued or replayed, the second quits at once.
 *
 * Gotchas: call `release` when nothing is left to interrupt; from then on the signals do what they always do.
 */
export class Interrupt {
  #asked = false;
  readonly #terminal: Terminal;
  readonly #listener = () => this.#ask();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    for (const signal of signals) process.on(signal, this.#listener);
  }

  /** True once the user pressed Ctrl-C, or the process was asked to end. */
  get asked(): boolean {
    return this.#asked;
  }

  release(): void {
    for (const signal of signals) process.off(signal, this.#listener);
  }

  #ask(): void {
    if (this.#asked) process.exit(exitCodes.interrupted);
    this.#asked = true;
    this.#terminal.err('\nstopping; Ctrl-C again quits at once and keeps nothing more\n');
  }
}
