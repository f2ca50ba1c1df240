import { commandJson } from './command-output.ts';
import { cell, code, keysTable, type Schema, typeText } from './schema-tables.ts';

interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly properties: readonly string[];
  readonly mutants: readonly { readonly id: string; readonly sentence: string }[];
  readonly views: readonly { readonly name: string; readonly summary: string }[];
  readonly scenarios: readonly { readonly file: string; readonly about: string }[];
}

const rows = (head: readonly string[], of: readonly (readonly string[])[]): string =>
  `| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|\n${of.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;

/** All that `lockstep list` knows, read once. */
let catalogue:
  | Promise<{
      machines: readonly Omit<Listed, 'scenarios'>[];
      scenarios: readonly (Listed['scenarios'][number] & { machine: string })[];
    }>
  | undefined;

async function listed(name: string): Promise<Listed> {
  catalogue ??= commandJson(['list', '--json']) as NonNullable<typeof catalogue>;
  const { machines, scenarios } = await catalogue;
  const machine = machines.find((one) => one.name === name);
  if (!machine)
    throw new Error(`found no machine "${name}", expected ${machines.map((one) => one.name).join(', ')}`);
  return { ...machine, scenarios: scenarios.filter((one) => one.machine === name) };
}

const schemaOf = async (machine: string): Promise<Schema> =>
  (await commandJson(['schema', machine])) as Schema;

/** What a page may ask for with `<!-- table: NAME MACHINE -->`; each gives Markdown. */
export const machineTables: Readonly<Record<string, (machine: string) => Promise<string>>> = {
  /** One sentence: what it is. */
  summary: async (machine) => {
    const { summary } = await listed(machine);
    return `${summary[0]!.toUpperCase()}${summary.slice(1)}.\n`;
  },
  config: async (machine) => {
    const config = (await schemaOf(machine)).properties!['config']!;
    const table = keysTable(config);
    if (table !== '') return table;
    return config.anyOf || config.oneOf
      ? `\`\`\`ts\n${typeText(config).trim()}\n\`\`\`\n`
      : 'It has no configuration.\n';
  },
  programs: async (machine) => {
    const text = typeText((await schemaOf(machine)).properties!['programs']!).trim();
    return text === '[]'
      ? 'It takes no programs: its parties know what they do.\n'
      : `\`\`\`ts\n${text}\n\`\`\`\n`;
  },
  properties: async (machine) => {
    const { properties } = await listed(machine);
    return properties.map((sentence) => `- ${cell(sentence)}\n`).join('');
  },
  faults: async (machine) => {
    const { mutants } = await listed(machine);
    if (mutants.length === 0) return 'None is in its catalogue.\n';
    return rows(
      ['id', 'what is wrong'],
      mutants.map(({ id, sentence }) => [code(id), cell(sentence)]),
    );
  },
  scenarios: async (machine) => {
    const { scenarios } = await listed(machine);
    return rows(
      ['file', 'what it shows'],
      scenarios.map(({ file, about }) => [code(file.replace(/^dist\//, '')), cell(about)]),
    );
  },
  views: async (machine) => {
    const { views } = await listed(machine);
    return rows(
      ['view', 'what it shows'],
      views.map(({ name, summary }) => [code(name), cell(summary)]),
    );
  },
};
