import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Manifest } from '../manifests/define-machine.ts';
import { machines as ours } from '../manifests/machines.ts';
import { knownMachines } from './known-machines.ts';
import { isBuilt, projectFile } from './project.ts';
import { type ListedScenario, ownScenarios, scenariosAt } from './scenario-files.ts';

/** What `lockstep list` tells of a machine. */
export interface ListedMachine {
  readonly name: string;
  readonly summary: string;
  /** Sentences of its properties. */
  readonly properties: readonly string[];
  /** Its fault catalogue. */
  readonly mutants: readonly { readonly id: string; readonly sentence: string }[];
  readonly views: readonly { readonly name: string; readonly summary: string }[];
}

/** Machines and scenarios. */
export interface Catalogue {
  readonly machines: readonly ListedMachine[];
  readonly scenarios: readonly ListedScenario[];
}

const scenarioFolder = 'scenarios';

/** What comes with Lockstep, scenarios by their paths below its folder of them: as it was worked out when the package was built, so that nothing of it is loaded. */
export async function catalogueOfLockstep(): Promise<Catalogue> {
  if (isBuilt) return JSON.parse(readFileSync(projectFile(catalogueFile), 'utf8')) as Catalogue;
  return {
    machines: await Promise.all(ours.map(listed)),
    scenarios: scenariosAt(projectFile(scenarioFolder), projectFile(scenarioFolder)),
  };
}

/** The file of the package that has it. */
export const catalogueFile = 'catalogue.json';

/** What is known here: what is of the project that we are in, and what comes with Lockstep; scenarios by their paths from here. */
export async function catalogueHere(): Promise<Catalogue> {
  const { machines, scenarios } = await catalogueOfLockstep();
  const own = (await knownMachines()).filter((one) => !ours.includes(one));
  const here = scenarios.map((one) => ({
    ...one,
    file: relative('', join(projectFile(scenarioFolder), one.file)),
  }));
  return {
    machines: [...(await Promise.all(own.map(listed))), ...machines],
    scenarios: [...(await ownScenarios()), ...here],
  };
}

async function listed(known: Manifest): Promise<ListedMachine> {
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
