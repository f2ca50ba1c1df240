import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Ctrl-C while something runs: the first asks it to stop where it can be continued or replayed, the second quits at once.
 *
 * Gotchas: call `release` when nothing is left to interrupt; from then on Ctrl-C does what it always does.
 */
export class Interrupt {
  #asked = false;
  readonly #terminal: Terminal;
  readonly #listener = () => this.#ask();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    process.on('SIGINT', this.#listener);
  }

  /** True once the user pressed Ctrl-C. */
  get asked(): boolean {
    return this.#asked;
  }

  release(): void {
    process.off('SIGINT', this.#listener);
  }

  #ask(): void {
    if (this.#asked) process.exit(exitCodes.interrupted);
    this.#asked = true;
    this.#terminal.err('\nstopping; Ctrl-C again quits at once and keeps nothing\n');
  }
}
