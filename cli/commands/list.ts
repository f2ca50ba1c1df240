import type { Command } from 'commander';
import type { Manifest } from '../../manifests/define-machine.ts';
import { exporters } from '../../scenarios/exports/exporters.ts';
import { scheduleProducers } from '../../scenarios/schedule.ts';
import type { Session } from '../command.ts';
import { knownMachines } from '../known-machines.ts';
import { listedScenarios } from '../scenario-files.ts';

/** `lockstep list` (design, section 7). */
export function declareList(command: Command, { terminal }: Session): void {
  command
    .option('--json', 'one JSON object on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const listing = await everything();
      if (json) terminal.out(`${JSON.stringify(listing)}\n`);
      else terminal.out(listingText(listing));
    });
}

type Listing = Awaited<ReturnType<typeof everything>>;

async function everything() {
  return {
    machines: await Promise.all((await knownMachines()).map(listed)),
    scenarios: await listedScenarios(),
    exporters: [
      ...Object.entries(exporters).map(([name, { summary }]) => ({ name, summary })),
      { name: 'log', summary: "the machine's own event log, one JSON object a line" },
    ],
    schedules: Object.keys(scheduleProducers),
  };
}

async function listed(known: Manifest) {
  const { name, summary } = known;
  const { mutants, views = {} } = await known.load();
  return {
    name,
    summary,
    properties: (await known.properties())?.sentences ?? [],
    mutants: [...mutants].map(([id, sentence]) => ({ id, sentence })),
    views: Object.entries(views).map(([view, { summary: shows }]) => ({ name: view, summary: shows })),
  };
}

function listingText({ machines: known, scenarios, exporters: ways, schedules }: Listing): string {
  const sections = [
    ['machines', known.map(({ name, summary }) => [name, summary])],
    ['scenarios', scenarios.map(({ file, name, about }) => [file, about || name])],
    ...known.map(({ name, properties }) => [`properties of ${name}`, properties.map((one) => [one])]),
    ...known.map(({ name, mutants }) => [
      `planted faults of ${name}`,
      mutants.map(({ id, sentence }) => [id, sentence]),
    ]),
    ...known.map(({ name, views }) => [
      `views of ${name}`,
      views.map(({ name: view, summary }) => [view, summary]),
    ]),
    ['exports', ways.map(({ name, summary }) => [name, summary])],
    ['schedules', [[schedules.join(', ')]]],
  ] as const;
  return sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => section(title as string, rows as string[][]))
    .join('\n');
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map(([first = '']) => first.length));
  const lines = rows.map(
    ([first = '', ...rest]) => `  ${[first.padEnd(width), ...rest].join('  ').trimEnd()}\n`,
  );
  return `${title}\n${lines.join('')}`;
}
