import type { Command, Option } from 'commander';
import { commandAt, type Session } from '../command.ts';
import { knownMachines } from '../known-machines.ts';
import { UsageError } from '../usage-error.ts';

/** By shell: the script that asks this command for the words that can come next. Where there are none, the shell offers files. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_lockstep() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(lockstep completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lockstep lockstep
`,
  zsh: `#compdef lockstep
_lockstep() {
  local -a found
  found=(\${(f)"$(lockstep completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
compdef _lockstep lockstep
`,
  fish: `complete -c lockstep -a '(lockstep completion fish -- (commandline -opc)[2..] (commandline -ct | string collect --allow-empty) 2>/dev/null)'
`,
};

/** `lockstep completion SHELL`; with words of a command line, the last of which is begun, what can stand in its place. */
export function declareCompletion(command: Command, { terminal, program }: Session): void {
  const shells = Object.keys(scripts);
  command
    .argument('<shell>', shells.join(', '))
    .argument('[words...]', 'words of a command line, after --: then what can stand in place of the last')
    .addHelpText(
      'after',
      `
Examples:
  eval "$(lockstep completion bash)"        # in ~/.bashrc
  source <(lockstep completion zsh)         # in ~/.zshrc
  lockstep completion fish | source         # in ~/.config/fish/config.fish`,
    )
    .action(async (shell: string, words: readonly string[]) => {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined)
        throw new UsageError(
          `found the shell "${shell}", expected one of ${shells.join(', ')}`,
          'for example lockstep completion bash',
        );
      const answer = words.length === 0 ? script : lines(await nextWords(words, program));
      terminal.out(answer);
    });
}

const lines = (words: readonly string[]): string => words.map((word) => `${word}\n`).join('');

/** What can stand in place of the last of these words; nothing where a file or a number is expected. */
async function nextWords(
  words: readonly string[],
  programOf: Session['program'],
): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const begun = words.at(-1)!;
  const named = before.filter((word) => !word.startsWith('-'));
  const command = commandAt(await programOf(named), named);
  const beginning = (all: readonly string[]) => all.filter((word) => word.startsWith(begun));
  const option = command.options.find((one) => one.long === before.at(-1));
  if (option && (option.required || option.optional)) return beginning(await valuesOf(option));
  if (begun.startsWith('-'))
    return beginning([...command.options.flatMap(({ long }) => long ?? []), '--help']);
  const verbs = command.commands.map((one) => one.name());
  const [argument] = command.registeredArguments;
  const takesMachine = /machine|what/.test(argument?.name() ?? '');
  const machines = takesMachine ? (await knownMachines()).map(({ name }) => name) : [];
  return beginning([...verbs, ...machines]);
}

async function valuesOf({ long, argChoices = [] }: Option): Promise<readonly string[]> {
  return long === '--machine' ? (await knownMachines()).map(({ name }) => name) : argChoices;
}
