import type { Command } from 'commander';
import type { FailureCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** What a command is given besides its arguments. */
export interface Session {
  readonly terminal: Terminal;
  /** The words of the command line that are no options: the command, its verb, its arguments. */
  readonly words: readonly string[];
  /** Exit code of the command, 0 until it says otherwise. */
  exitCode: number;
  /** Exit codes of what is no result: those of all commands, unless the specification of a verb names others. */
  codes: FailureCodes;
  /** Makes the program once more, with the commands that other words ask for complete. */
  program(words: readonly string[]): Promise<Command>;
}

/** Adds arguments, options and the action to a command. */
export type Declare = (command: Command, session: Session) => void | Promise<void>;

/** One command of the command line; what it needs is loaded when it is asked for, so that others start fast. */
export interface CommandEntry {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  load(): Promise<Declare>;
}

/** Adds commands to a parent; only the one named by `asked` is loaded and complete. */
export async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  asked: string | undefined,
  session: Session,
): Promise<void> {
  for (const { name, summary, load } of entries) {
    const command = parent.command(name).description(summary);
    if (name === asked) await (await load())(command, session);
  }
}

/** The innermost command that the words name. */
export function commandAt(program: Command, words: readonly string[]): Command {
  let here = program;
  for (const word of words) {
    const next = here.commands.find((command) => command.name() === word);
    if (!next) return here;
    here = next;
  }
  return here;
}
