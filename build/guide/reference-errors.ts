import { driverErrors } from '../../actors/tca/driver/errors.ts';
import { kernelErrors } from '../../kernel/errors.ts';
import { diagnosticCatalogue } from '../../machines/grape/assembler/diagnostics.ts';
import { scheduleErrors } from '../../machines/grape/schedule/schedule-error.ts';
import { scenarioErrors } from '../../scenarios/errors.ts';
import { cell } from './schema-tables.ts';

interface Catalogue {
  readonly title: string;
  readonly about: string;
  readonly entries: readonly (readonly [code: string, cause: string, cure: string])[];
}

type WithCures = Readonly<Record<string, { readonly cause: string; readonly cure: string }>>;
const withCures = (of: WithCures) =>
  Object.entries(of).map(([code, { cause, cure }]) => [code, cause, cure] as const);
const pairs = (of: Readonly<Record<string, readonly [string, string]>>) =>
  Object.entries(of).map(([code, [cause, cure]]) => [code, cause, cure] as const);

/** All codes that messages of Lockstep carry, from where they are declared. */
export const errorCatalogues: readonly Catalogue[] = [
  {
    title: 'KRN: state machines, wirings and snapshots',
    about:
      'A `KernelError`, thrown where an actor is placed, a run is made, or a message is handled. It names the actor, the state and the event.',
    entries: withCures(kernelErrors),
  },
  {
    title: 'SCN: scenarios and recordings',
    about:
      'A `ScenarioError`. It names the file, the line and the column, what was found and what was expected, and the nearest valid names.',
    entries: withCures(scenarioErrors),
  },
  {
    title: 'The driver of the TCA machine',
    about: 'What calls of the driver refuse, and what channels report.',
    entries: withCures(driverErrors),
  },
  {
    title: 'The assembler of the GRAPE machine',
    about: 'E_ stops the assembly, W_ warns, H_ is a hazard that `lockstep grape lint` tells of.',
    entries: [...pairs(diagnosticCatalogue), ...pairs(scheduleErrors)],
  },
];

/** The page of the codes. */
export const errorsPage = (): string =>
  `---\noutline: 2\n---\n\n# Error codes\n\nEach code with its cause and its cure, as the sources declare them. For symptoms without a code see [troubleshooting](../troubleshooting.md).\n\n${errorCatalogues
    .map(
      ({ title, about, entries }) =>
        `## ${title}\n\n${about}\n\n| code | cause | cure |\n|---|---|---|\n${entries
          .map(([one, cause, cure]) => `| <a id="${one}"></a>\`${one}\` | ${cell(cause)} | ${cell(cure)} |\n`)
          .join('')}`,
    )
    .join('\n')}`;
