import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { KernelError } from '../kernel/errors.ts';
import { propertyFault } from '../kernel/explore/property-fault.ts';
import { hashOf } from '../kernel/hash.ts';
import { onlyKeys } from '../kernel/known-keys.ts';
import type { Network } from '../kernel/network.ts';
import { isMachine, type KnownMachine, loadMachine } from '../machines/machine.ts';
import { briefly } from '../machines/machine-error.ts';
import { type GivenProperties, judgedBy } from '../properties/judged-by.ts';
import { propertiesOf } from '../properties/judged-machine.ts';
import type { JudgedScenario } from '../properties/judged-scenario.ts';
import { ScenarioErrors } from '../scenarios/errors.ts';
import { describeFound } from '../scenarios/found.ts';
import { inputText } from '../scenarios/input-file.ts';
import { parseScenario } from '../scenarios/load.ts';
import { scenarioText, type WrittenScenario } from '../scenarios/written.ts';
import type { TestPlace } from './place.ts';

/** What a test gives a machine; what is absent is as in a scenario file that says nothing of it. */
export interface TestedRun {
  /** A scenario file, relative to the folder that we are in, in place of `config`, `programs`, `mutants`, `faults` and `network`. */
  readonly scenario?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Programs as data, or `{ module: 'file.ts#export' }` beside the test. */
  readonly programs?: unknown;
  /** Ids of the machine's fault catalogue. */
  readonly mutants?: readonly string[];
  /** Faults as a scenario file has them. */
  readonly faults?: readonly unknown[];
  /** Of a machine with asynchronous wirings. */
  readonly network?: Network;
  /** Last tick that is carried out. */
  readonly until?: number;
  /** What must hold, instead of the properties of the machine. */
  readonly properties?: GivenProperties;
  /** How recordings name the machine, when it does not stand in `lockstep.config.ts`: `./file.ts#export`, relative to the test. */
  readonly named?: string;
  /** False: write no recording of what is found. */
  readonly record?: boolean;
}

/** Keys of `TestedRun`. */
export const runKeys = Object.keys({
  scenario: 1,
  config: 1,
  programs: 1,
  mutants: 1,
  faults: 1,
  network: 1,
  until: 1,
  properties: 1,
  named: 1,
  record: 1,
} satisfies Record<keyof TestedRun, 1>);

/** What a scenario says itself. */
const ofScenario = ['config', 'programs', 'mutants', 'faults', 'network'] as const;

/** Refuses options beside one that says the same otherwise: they would not be done and pass for done. Errors: KRN024. */
export function notTogether(
  where: string,
  options: Readonly<Record<string, unknown>>,
  one: string,
  others: readonly string[],
): void {
  const other = options[one] === undefined ? undefined : others.find((key) => options[key] !== undefined);
  if (other !== undefined)
    throw new KernelError('KRN024', where, `found ${other} together with ${one}, expected one of them`, {
      cure: `write it where ${one} takes its scenario from, or take one of the two out`,
    });
}

/** A whole number that an option says. Errors: KRN024. */
export function wholeNumber(where: string, key: string, found: unknown, least: number): void {
  if (found !== undefined && !(Number.isSafeInteger(found) && (found as number) >= least))
    throw new KernelError(
      'KRN024',
      where,
      `found ${key} ${describeFound(found)}, expected a whole number from ${least}`,
    );
}

/** Errors: KRN024 for options that are not known or exclude each other, a `TypeError` for what is no machine, and no list of properties. */
export function checkTested(
  where: string,
  machine: unknown,
  options: TestedRun,
  more: readonly string[],
): void {
  if (!isMachine(machine))
    throw new TypeError(`${where}: found ${briefly(machine)}, expected a machine that defineMachine made`);
  onlyKeys(where, options, [...new Set([...more, ...runKeys])]);
  notTogether(where, options as Readonly<Record<string, unknown>>, 'scenario', ofScenario);
  wholeNumber(where, 'until', options.until, 0);
  const { properties } = options;
  if (properties === undefined || typeof properties === 'function') return;
  if (!Array.isArray(properties))
    throw new TypeError(
      `${where}: found ${briefly(properties)} as properties, expected a list of properties`,
    );
  properties.forEach((one, index) => {
    const fault = propertyFault(one);
    if (fault !== undefined)
      throw new TypeError(`${where}: found ${briefly(one)} as properties[${index}]: ${fault}`);
  });
}

/** What is tested, judged in two ways. */
export interface Tested {
  /** By what the test asks. */
  readonly judged: JudgedScenario;
  /** By the properties of the machine, as commands do. */
  readonly own: JudgedScenario;
}

/** Reads what a test gives. Errors: an `Error` for what the machine does not take, of a file `ScenarioErrors`. */
export async function testedRun(known: KnownMachine, given: TestedRun, place: TestPlace): Promise<Tested> {
  const machine = await loadMachine(known);
  if (given.named !== undefined) checkNamed(given.named, place);
  const written = writtenOf(machine.name, given);
  const { scenario: parsed } =
    given.scenario === undefined
      ? await parseScenario(scenarioText(machine.name, written), beside(place, machine.name), [known]).catch(
          withoutPlaces,
        )
      : await parseScenario(inputText(given.scenario), given.scenario, [known]);
  const { named, until } = given;
  const read = until === undefined ? parsed : { ...parsed, until };
  const scenario =
    named === undefined ? read : { ...read, machine: named, text: scenarioText(named, written) };
  const own = { scenario, machine, properties: await propertiesOf(known) };
  return {
    own,
    judged: given.properties ? { ...own, properties: judgedBy(machine, given.properties) } : own,
  };
}

/** Errors: for a name by which nobody who reads a recording beside the test would find the machine. */
function checkNamed(named: string, place: TestPlace): void {
  const [file = ''] = named.split('#');
  if (!/^\.{0,2}\//.test(file)) return;
  const path = resolve(place.folder, file);
  if (!existsSync(path))
    throw new Error(
      `named: found no module ${relative('', path)}, expected a path that is relative to the test, as in '../machine.ts#machine'`,
    );
}

/** Errors: what is wrong with data that stands in no file. */
function withoutPlaces(error: unknown): never {
  if (!(error instanceof ScenarioErrors)) throw error;
  throw new Error(error.errors.map(({ what, help }) => `${what}\n  help: ${help}`).join('\n'));
}

/** Where the scenario of a test would lie: modules that it names are relative to the test. */
export const beside = ({ folder }: TestPlace, name: string): string => join(folder, `${name}.yaml`);

function writtenOf(name: string, { config, programs, mutants = [], faults, network, until }: TestedRun) {
  const all = [...mutants.map((mutant) => ({ mutant })), ...(faults ?? [])];
  return {
    name: [name, ...mutants].join(' with '),
    config: config ?? {},
    programs: programs ?? [],
    ...(all.length > 0 && { faults: all }),
    ...(network && { network }),
    ...(until !== undefined && { until }),
  } satisfies WrittenScenario;
}

/** The name of the recording of a sentence that fails in a scenario: other scenarios, sentences and ways to look for it have other ones. */
export function recordingName(
  { scenario }: Pick<JudgedScenario, 'scenario'>,
  sentence: string,
  askedBy: string,
): string {
  const name = basename(scenario.name.replace(/[^\w.-]+/g, '-')).slice(0, 80);
  return `${name}-${hashOf([scenario.text, sentence, askedBy]).slice(0, 8)}.json`;
}
