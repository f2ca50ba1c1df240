import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

/** What a command wrote, and the code with which it ended. */
export interface Called {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Calls commands as a terminal of so many columns does that nobody sits at. */
export const calledAt =
  (columns: number) =>
  async (...words: readonly string[]): Promise<Called> => {
    const terminal = new KeptTerminal(false, columns);
    const exitCode = await main(words, terminal);
    return { exitCode, out: terminal.stdout, err: terminal.stderr };
  };

/** Calls a command. */
export const called = calledAt(100);
