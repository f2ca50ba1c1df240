import { Command, CommanderError } from 'commander';
import { didYouMean } from '../scenarios/nearest.ts';
import { lockstepVersion } from '../scenarios/version.ts';
import { addCommands, commandAt, type Session } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { tellFailure } from './failure.ts';
import { refuseConflicts } from './output-conflicts.ts';
import { CountedTerminal, ProcessTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Carries out the command line of this process. Returns its exit code. */
export async function ownProcess(args: readonly string[]): Promise<number> {
  const terminal = new ProcessTerminal();
  return terminal.finish(await main(args, terminal), exitCodes.usage);
}

/** Carries out one command line, without the name of the program, and gives the exit code (design, section 7). */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  const terminal = new CountedTerminal(given);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const session: Session = {
    terminal,
    words: words[0] === 'help' ? words.slice(1) : words,
    exitCode: exitCodes.ok,
    codes: exitCodes,
    program: async (others) => {
      const [asked] = others;
      const program = programFor(terminal, args);
      await addCommands(program, await commands(asked), asked, { ...session, words: others });
      return program;
    },
  };
  const program = programFor(terminal, args);
  try {
    const [asked] = session.words;
    await addCommands(program, await commands(asked), asked, session);
    if (args.length === 0) {
      terminal.err(program.helpInformation());
      return exitCodes.usage;
    }
    if (words[0] === 'help') refuseUnknown(program, session.words);
    await program.parseAsync([...args], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const found = error instanceof CommanderError ? usageErrorOf(error, program, session) : error;
    // A command that has told its result may still fail to write it elsewhere: a script gets one object all the same.
    return tellFailure(found, terminal, args.includes('--json') && !terminal.used, session.codes);
  }
}

function programFor(terminal: Terminal, args: readonly string[]): Command {
  return (
    new Command('lockstep')
      .description('Simulate machines made of parts that exchange messages and advance in lock step.')
      // Not -V, which is a number of popnet.
      .version(lockstepVersion, '--version')
      .showSuggestionAfterError(false)
      .hook('preAction', (_, command) => {
        refuseForgottenValues(command, args);
        refuseConflicts(command);
      })
      .exitOverride()
      // Errors are told once, by `tellFailure`.
      .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: () => {} })
      .addHelpText(
        'after',
        '\nExit codes: 0 ok, 1 not as it should be, 2 bad input or usage, 3 a defect, 4 not judged to the end, 130 interrupted; the guide has all (Exit codes).',
      )
  );
}

/** Errors: `UsageError` for an option that stands where the value of another one should. */
function refuseForgottenValues({ options }: Command, args: readonly string[]): void {
  const called = (word: string | undefined) =>
    options.find(({ long, short }) => word !== undefined && (long === word || short === word));
  for (let at = 0; at < args.length && args[at] !== '--'; at++) {
    if (!called(args[at])?.required) continue;
    const [flag, value] = [args[at]!, args[++at]];
    if (called(value))
      throw new UsageError(
        `found the option ${value} as the value of ${flag}`,
        `give ${flag} its value${flag.startsWith('--') ? `; a file of that name: ${flag}=${value}` : ''}`,
      );
  }
}

/** What commander refused, with the names that would have been right. */
function usageErrorOf({ code, message }: CommanderError, program: Command, { words }: Session): UsageError {
  const command = commandAt(program, words);
  const path = pathOf(command);
  const refuse = (what: string, help: string) => new UsageError(what, help);
  const names = command.commands.map((one) => one.name());
  const found = /'([^']*)'/.exec(message)?.[1] ?? '';
  switch (code) {
    case 'commander.unknownCommand':
      return refuse(`unknown command "${found}"`, didYouMean(found, names, 'commands'));
    case 'commander.unknownOption': {
      const options = command.options.flatMap(({ long }) => (long ? [long] : []));
      return refuse(
        `unknown option "${found}"`,
        didYouMean(found, [...options, '--help'], `options of ${path}`),
      );
    }
    // What commander raises when a command that only has verbs is called without one.
    case 'commander.help':
      return refuse(`found no verb after "${path}"`, didYouMean('', names, 'verbs'));
    default:
      return refuse(
        message.replace(/^error: /, '').replaceAll("'", '"'),
        `usage: ${path} ${command.usage()}`,
      );
  }
}

/** Errors: `UsageError` for words after `help` that name no command. */
function refuseUnknown(program: Command, words: readonly string[]): void {
  let here = program;
  for (const word of words) {
    const names = here.commands.map((one) => one.name());
    // What follows the last command are its arguments.
    if (names.length === 0) return;
    const next = here.commands.find((one) => one.name() === word);
    if (!next) throw new UsageError(`unknown command "${word}"`, didYouMean(word, names, 'commands'));
    here = next;
  }
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
