import { Command, CommanderError } from 'commander';
import { didYouMean } from '../scenarios/nearest.ts';
import { lockstepVersion } from '../scenarios/version.ts';
import { addCommands, type Session } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { tellFailure } from './failure.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Carries out one command line, without the name of the program, and gives the exit code (design, section 7). */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const session: Session = {
    terminal,
    words: words[0] === 'help' ? words.slice(1) : words,
    exitCode: exitCodes.ok,
    usageExitCode: exitCodes.usage,
  };
  const program = programFor(terminal);
  try {
    await addCommands(program, commands, session.words[0], session);
    if (args.length === 0) {
      terminal.err(program.helpInformation());
      return exitCodes.usage;
    }
    await program.parseAsync([...args], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const found = error instanceof CommanderError ? usageErrorOf(error, program, session) : error;
    return tellFailure(found, terminal, args.includes('--json'));
  }
}

function programFor(terminal: Terminal): Command {
  return (
    new Command('lockstep')
      .description('Simulate machines made of parts that exchange messages and advance in lock step.')
      // Not -V, which is a number of popnet.
      .version(lockstepVersion, '--version')
      .showSuggestionAfterError(false)
      .exitOverride()
      // Errors are told once, by `tellFailure`.
      .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: () => {} })
      .addHelpText('after', '\nExit codes: 0 ok, 1 not as it should be, 2 bad input or usage, 3 a defect.')
  );
}

/** What commander refused, with the names that would have been right. */
function usageErrorOf(
  { code, message }: CommanderError,
  program: Command,
  { words, usageExitCode }: Session,
): UsageError {
  const command = commandAt(program, words);
  const path = pathOf(command);
  const refuse = (what: string, help: string) => new UsageError(what, help, usageExitCode);
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

/** The innermost command that the words name. */
function commandAt(program: Command, words: readonly string[]): Command {
  let here = program;
  for (const word of words) {
    const next = here.commands.find((command) => command.name() === word);
    if (!next) return here;
    here = next;
  }
  return here;
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
