import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isMachine, type KnownMachine, type Machine } from '../machines/machine.ts';
import type { Configuration } from '../manifests/define-config.ts';
import { defineMachine, later, type Manifest } from '../manifests/define-machine.ts';
import { machines as ours } from '../manifests/machines.ts';
import { describeFound } from '../scenarios/found.ts';
import {
  exportHere,
  isReference,
  loadModule,
  MissingExport,
  moduleExport,
} from '../scenarios/module-export.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** What is known in a folder: the machines of Lockstep and those that the configuration of a project names. */
export interface Project {
  readonly machines: readonly Manifest[];
  /** Folder of the configuration; absent where there is none. */
  readonly folder?: string;
  /** The configuration itself, by its whole name. */
  readonly file?: string;
  /** Folders and files of scenarios, relative to `folder`. */
  readonly scenarios: readonly string[];
}

const projects = new Map<string, Promise<Project>>();

/** The project that a folder belongs to, read once: `lockstep.config.ts` (or `.mts`, `.js`, `.mjs`) there or above. Errors: `UsageError` for a configuration that is wrong. */
export function projectOf(folder: string = process.cwd()): Promise<Project> {
  let project = projects.get(folder);
  if (!project) {
    project = readProject(folder);
    projects.set(folder, project);
  }
  return project;
}

/** All machines that commands know here. */
export const knownMachines = async (): Promise<readonly Manifest[]> => (await projectOf()).machines;

/** The machine that a word names: by its name, or `file.ts#export`. Errors: `UsageError` with the nearest names. */
export async function machineNamed(word: string): Promise<Manifest> {
  const machine = await machineCalled(word);
  if (machine) return machine;
  const names = (await knownMachines()).map(({ name }) => name);
  throw new UsageError(
    `unknown machine "${word}"`,
    `${didYouMean(word, names, 'machines')}; one of your own: ./file.ts#export, or its name in lockstep.config.ts`,
  );
}

/** The same; undefined for a word that names none. */
export async function machineCalled(word: string): Promise<Manifest | undefined> {
  if (!isReference(word)) return (await knownMachines()).find(({ name }) => name === word);
  return machineAt(word, undefined);
}

const names = ['ts', 'mts', 'js', 'mjs'].map((ending) => `lockstep.config.${ending}`);

async function readProject(folder: string): Promise<Project> {
  const file = configurationAbove(folder);
  if (file === undefined) return { machines: ours, scenarios: [] };
  const told = relative(process.cwd(), file) || file;
  const refuse = (what: string, help: string) => new UsageError(`${told}: ${what}`, help);
  let module: Record<string, unknown>;
  try {
    module = await loadModule(file, told);
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    throw new UsageError(error.what, error.help ?? 'mend the configuration, or move it away');
  }
  const example = 'write: export default defineConfig({ machines: [mesi], scenarios: ["scenarios"] })';
  const { default: given } = module;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse(`found ${describeFound(given)} as its default export, expected a configuration`, example);
  if (Object.keys(given).length === 0)
    throw refuse('found neither machines nor scenarios in its default export, or none', example);
  const strange = Object.keys(given).find((key) => key !== 'machines' && key !== 'scenarios');
  if (strange !== undefined)
    throw refuse(`found the key "${strange}", expected machines or scenarios`, example);
  const { machines = [], scenarios = [] } = given as Configuration;
  const own: Manifest[] = [];
  for (const one of machines) {
    const machine = typeof one === 'string' ? await machineAt(one, file) : manifestOf(one);
    if (!machine)
      throw refuse(`machines: found ${describeFound(one)}, expected what defineMachine gives`, example);
    if ([...ours, ...own].some(({ name }) => name === machine.name))
      throw refuse(
        `machines: found two machines of the name "${machine.name}"`,
        'give yours a name of its own',
      );
    own.push(machine);
  }
  const folders = typeof scenarios === 'string' ? [scenarios] : scenarios;
  return { machines: [...own, ...ours], folder: dirname(file), file, scenarios: folders };
}

function configurationAbove(folder: string): string | undefined {
  for (let here = resolve(folder); ; here = dirname(here)) {
    const found = names.map((name) => join(here, name)).find((file) => existsSync(file));
    if (found !== undefined || dirname(here) === here) return found;
  }
}

async function machineAt(reference: string, beside: string | undefined): Promise<Manifest> {
  try {
    const machine = manifestOf(
      await (beside === undefined ? exportHere(reference) : moduleExport(reference, beside)),
    );
    if (machine) return machine;
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    throw new UsageError(error.what, error.help ?? 'name a machine as file.ts#export');
  }
  throw new UsageError(
    `found something else than a machine as "${reference}"`,
    'export what defineMachine({ name, summary, assemble }) gives',
  );
}

/** What is known of an exported machine. */
function manifestOf(value: unknown): Manifest | undefined {
  if (!isMachine(value)) return undefined;
  if ('summary' in value) return value as Manifest;
  const known: KnownMachine = value;
  return defineMachine({
    name: known.name,
    summary: known.name,
    machine: later(async () => ('load' in known ? known.load() : known) as Promise<Machine> | Machine),
  });
}
