import { mkdirSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { verbsOf, wholeCommands } from '../../cli/whole-commands.ts';
import { commandOutput } from './command-output.ts';
import { cell, code } from './schema-tables.ts';

/** The pages of the command line: one of the commands of all machines, one for each family with verbs of its own; from what the commands declare. */
export async function writeCommandLineReference(target: string): Promise<readonly string[]> {
  mkdirSync(target, { recursive: true });
  const complete = await wholeCommands();
  const families = complete.filter((one) => one.commands.length > 0);
  const general = complete.filter((one) => one.commands.length === 0);
  writeFileSync(
    `${target}/index.md`,
    `---\noutline: 2\n---\n\n# The command line\n\nWith \`--json\` a command writes exactly one JSON object to standard output, and everything else to standard error. [Exit codes](../../exit-codes.md) are one table for all.\n\nMachines with verbs of their own: ${families
      .map((one) => `[${code(`lockstep ${one.name()}`)}](./${one.name()}.md)`)
      .join(
        ', ',
      )}.\n\n${(await Promise.all(general.map((one) => section(one, [])))).join('\n')}\n${optionTable(complete)}`,
  );
  for (const family of families) {
    const sections = await Promise.all(family.commands.map((verb) => section(verb, [family.name()])));
    writeFileSync(
      `${target}/${family.name()}.md`,
      `---\noutline: 2\n---\n\n# lockstep ${family.name()}\n\n${sentence(family.description())}\n\n${sections.join('\n')}`,
    );
  }
  return families.map((one) => one.name());
}

/** Every option of every verb by its name: what it means, and where. */
function optionTable(complete: readonly Command[]): string {
  const rows = new Map<string, string[]>();
  for (const { words, options } of verbsOf(complete))
    for (const { flags, description, hidden } of options.filter(({ long }) => long !== undefined)) {
      if (hidden) continue;
      const row = `${code(flags)} | ${cell(description)}`;
      rows.set(row, [...(rows.get(row) ?? []), code(words.join(' '))]);
    }
  const lines = [...rows].sort().map(([row, verbs]) => `| ${row} | ${verbs.join(', ')} |\n`);
  return `## All options\n\nAn option has the same name and meaning in all commands; where it takes another value it has a row for each.\n\n| option | meaning | of |\n|---|---|---|\n${lines.join('')}`;
}

const sentence = (text: string): string => cell(`${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`);

async function section(command: Command, above: readonly string[]): Promise<string> {
  const path = [...above, command.name()];
  const help = await commandOutput([...path, '--help']);
  const examples = /\nExamples:\n([\s\S]*)$/.exec(help)?.[1];
  const given = command.registeredArguments.map((one) => [
    code(one.name()),
    cell(one.description),
    absent(one.defaultValue),
  ]);
  const options = command.options
    .filter((one) => !one.hidden)
    .map((one) => [code(one.flags), cell(one.description), absent(one.defaultValue)]);
  const table = (what: string, all: readonly (readonly string[])[]) =>
    all.length === 0
      ? ''
      : `| ${what} | meaning | default |\n|---|---|---|\n${all.map((row) => `| ${row.join(' | ')} |\n`).join('')}\n`;
  const inner = await Promise.all(command.commands.map((one) => section(one, path)));
  return `## ${path.join(' ')}\n\n${sentence(command.description())}\n\n\`\`\`sh\nlockstep ${path.join(' ')} ${command.usage()}\n\`\`\`\n\n${table('argument', given)}${table('option', options)}${
    examples ? `Examples:\n\n\`\`\`sh\n${examples.trimEnd().replace(/^ {2}/gm, '')}\n\`\`\`\n` : ''
  }${inner.join('\n')}`;
}

const absent = (value: unknown): string =>
  value === undefined || value === false || value === true
    ? ''
    : code(typeof value === 'string' ? value : JSON.stringify(value));
