import { type Argument, Command, type Option } from 'commander';
import { addCommands, type Session } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { KeptTerminal } from './terminal.ts';

/** A command, or a verb of a machine, with its arguments and options. */
export interface Verb {
  /** `['run']`, `['cell', 'workload']`. */
  readonly words: readonly string[];
  readonly args: readonly Argument[];
  readonly options: readonly Option[];
}

/** All commands with everything that they declare, which a call declares for the command asked for alone. */
export async function wholeCommands(): Promise<readonly Command[]> {
  const known = await commands(undefined);
  const whole = async (name: string, verb?: string): Promise<Command> => {
    const program = new Command('lockstep');
    const session: Session = {
      terminal: new KeptTerminal(),
      words: verb === undefined ? [name] : [name, verb],
      exitCode: 0,
      codes: exitCodes,
      program: async () => program,
    };
    await addCommands(program, known, name, session);
    return program.commands.find((one) => one.name() === name)!;
  };
  const found: Command[] = [];
  for (const { name } of known) {
    const command = await whole(name);
    for (const verb of command.commands.map((one) => one.name())) {
      // Verbs that are loaded when asked for take the place of those that only have a name.
      const inner = (await whole(name, verb)).commands.find((one) => one.name() === verb)!;
      (command.commands as Command[])[command.commands.findIndex((one) => one.name() === verb)] = inner;
    }
    found.push(command);
  }
  return found;
}

/** The commands and verbs that do something themselves. */
export const verbsOf = (all: readonly Command[], above: readonly string[] = []): readonly Verb[] =>
  all.flatMap((command) => {
    const words = [...above, command.name()];
    return command.commands.length === 0
      ? [{ words, args: command.registeredArguments, options: command.options }]
      : verbsOf(command.commands, words);
  });
