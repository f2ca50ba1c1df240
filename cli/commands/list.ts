import type { Command } from 'commander';
import { didYouMean } from '../../scenarios/nearest.ts';
import { type Catalogue, catalogueHere, type ListedMachine } from '../catalogue.ts';
import type { Session } from '../command.ts';
import type { ListedScenario } from '../scenario-files.ts';
import { UsageError } from '../usage-error.ts';

interface ListOptions {
  readonly properties?: boolean;
  readonly machine?: string;
  readonly json?: boolean;
}

/** What can be listed besides a machine, and what it is. */
const kinds = {
  machines: 'with the counts of their scenarios, properties and planted faults',
  scenarios: 'files, and what each shows',
  properties: 'sentences, by machine',
  faults: 'that can be planted, by machine: faults: [{ mutant: ID }] in a scenario, --mutant ID of fuzz',
  actors: 'for diagram',
  exports: 'for run --export KIND=FILE',
  schedules: 'for run --schedule, and for scenarios',
} as const;
type Kind = keyof typeof kinds;

/** `lockstep list` (design, section 7). */
export function declareList(command: Command, { terminal }: Session): void {
  command
    .argument('[what]', `${Object.keys(kinds).join(', ')}, or the name of a machine`, 'machines')
    .argument('[text]', 'only what has this text in its name, file or sentence, or is of this machine')
    .option('--machine <name>', 'only what is of this machine')
    .option('--properties', 'short for `list properties`')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep list
  lockstep list mesi
  lockstep list scenarios paxos
  lockstep list properties --machine cell`,
    )
    .action(async (word: string, text: string | undefined, options: ListOptions, { args }: Command) => {
      const short = options.properties ? 'properties' : undefined;
      const catalogue = ofMachine(await catalogueHere(), options.machine);
      if (options.json && args.length === 0 && !short)
        terminal.out(`${JSON.stringify(await everything(catalogue))}\n`);
      else {
        const found = await listing(catalogue, args.length === 0 ? (short ?? word) : word, text);
        terminal.out(options.json ? `${JSON.stringify(found.json)}\n` : found.text);
      }
    });
}

/** All there is, for scripts. */
async function everything({ machines, scenarios }: Catalogue) {
  return { machines, scenarios, exporters: await exports(), schedules: await schedules() };
}

/** What of it is of one machine; all when none is named. Errors: `UsageError` for a machine that there is not. */
function ofMachine(catalogue: Catalogue, name: string | undefined): Catalogue {
  if (name === undefined) return catalogue;
  const machines = catalogue.machines.filter((one) => one.name === name);
  if (machines.length > 0) return { machines, scenarios: scenariosOf(catalogue, name) };
  const names = catalogue.machines.map((one) => one.name);
  throw new UsageError(`--machine: found no machine "${name}"`, didYouMean(name, names, 'machines'));
}

interface Listing {
  readonly text: string;
  readonly json: object;
}

/** Errors: `UsageError` for a word that is neither a kind nor a machine. */
async function listing(catalogue: Catalogue, what: string, text: string | undefined): Promise<Listing> {
  const { machines } = catalogue;
  const names = machines.map(({ name }) => name);
  const own = catalogue.machines.find(({ name }) => name === what);
  if (own) return machineListing(own, scenariosOf(catalogue, own.name));
  if (!Object.hasOwn(kinds, what))
    throw new UsageError(
      `found "${what}", expected what is listed: ${Object.keys(kinds).join(', ')}, or a machine`,
      didYouMean(what, [...Object.keys(kinds), ...names], 'words'),
    );
  const has = (...words: readonly string[]) => {
    return text === undefined || words.some((word) => word.toLowerCase().includes(text.toLowerCase()));
  };
  switch (what as Kind) {
    case 'machines':
      return machinesListing(
        machines.filter(({ name, summary }) => has(name, summary)),
        catalogue,
      );
    case 'scenarios': {
      const scenarios = catalogue.scenarios.filter(({ file, name, machine, about }) =>
        has(file, name, machine, about),
      );
      return { json: { scenarios }, text: table(scenarios.map(scenarioRow)) };
    }
    case 'properties':
      return byMachine(machines, 'properties', ({ name, properties }) =>
        properties.filter((sentence) => name === text || has(sentence)).map((sentence) => ({ sentence })),
      );
    case 'faults':
      return byMachine(machines, 'faults', ({ name, mutants }) =>
        mutants.filter(({ id, sentence }) => name === text || has(id, sentence)),
      );
    case 'actors': {
      const actors = (await (await import('../actor-files.ts')).allActors())
        .map(({ name }) => name)
        .filter((name) => has(name));
      return { json: { actors }, text: table(actors.map((name) => [name])) };
    }
    case 'exports': {
      const exporters = (await exports()).filter(({ name, summary }) => has(name, summary));
      return { json: { exporters }, text: table(exporters.map(({ name, summary }) => [name, summary])) };
    }
    case 'schedules': {
      const kindsOfSchedules = (await schedules()).filter((kind) => has(kind));
      return { json: { schedules: kindsOfSchedules }, text: table(kindsOfSchedules.map((kind) => [kind])) };
    }
  }
}

/** Machines with their counts, and what else can be listed. */
function machinesListing(machines: readonly ListedMachine[], catalogue: Catalogue): Listing {
  const counted = machines.map((machine) => ({
    name: machine.name,
    scenarios: scenariosOf(catalogue, machine.name).length,
    properties: machine.properties.length,
    faults: machine.mutants.length,
    summary: machine.summary,
  }));
  const head = ['machine', 'scenarios', 'properties', 'faults', ''];
  const rows = counted.map(({ name, scenarios, properties, faults, summary }) => [
    name,
    `${scenarios}`.padStart(9),
    `${properties}`.padStart(10),
    `${faults}`.padStart(6),
    summary,
  ]);
  const more = Object.entries(kinds)
    .filter(([kind]) => kind !== 'machines')
    .map(([kind, about]) => [`lockstep list ${kind}`, about]);
  return {
    json: { machines: counted },
    text: `${table([head, ...rows])}\nall about one: lockstep list NAME; with a word more: only what has it\n${table(more)}`,
  };
}

/** All about one machine. */
function machineListing(machine: ListedMachine, scenarios: readonly ListedScenario[]): Listing {
  const sections = [
    ['scenarios', scenarios.map(scenarioRow)],
    ['properties', machine.properties.map((sentence) => [sentence])],
    ['planted faults', machine.mutants.map(({ id, sentence }) => [id, sentence])],
    ['views', machine.views.map(({ name, summary }) => [name, summary])],
  ] as const;
  const told = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `\n${title}\n${table(rows)}`);
  return {
    json: { ...machine, scenarios },
    text: `${machine.name}: ${machine.summary}\n${told.join('')}`,
  };
}

/** A sentence of a machine, and the id that names it, where there is one. */
interface Entry {
  readonly id?: string;
  readonly sentence: string;
}

function byMachine(
  machines: readonly ListedMachine[],
  what: string,
  entriesOf: (machine: ListedMachine) => readonly Entry[],
): Listing {
  const found = machines.map((machine) => ({ name: machine.name, entries: entriesOf(machine) }));
  const row = ({ id, sentence }: Entry) => (id === undefined ? [sentence] : [id, sentence]);
  return {
    json: { [what]: found.flatMap(({ name, entries }) => entries.map((one) => ({ machine: name, ...one }))) },
    text: found
      .filter(({ entries }) => entries.length > 0)
      .map(({ name, entries }) => `${name}\n${table(entries.map(row))}`)
      .join('\n'),
  };
}

const scenariosOf = ({ scenarios }: Catalogue, machine: string): readonly ListedScenario[] =>
  scenarios.filter((one) => one.machine === machine);

const scenarioRow = ({ file, name, about }: ListedScenario): readonly string[] => [file, about || name];

async function exports() {
  const { exporters } = await import('../../scenarios/exports/exporters.ts');
  return [
    ...Object.entries(exporters).map(([name, { summary }]) => ({ name, summary })),
    { name: 'log', summary: "the machine's own event log, one JSON object a line" },
  ];
}

const schedules = async (): Promise<readonly string[]> =>
  Object.keys((await import('../../scenarios/schedule.ts')).scheduleProducers);

/** Rows with their columns below each other. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
