import type { RunOptions } from '../../../kernel/run.ts';
import { type SystemGiven, type SystemResult, systemMachine } from '../../../machines/chiplet/system.ts';
import {
  type SystemConfig,
  type SystemPrograms,
  systemConfig,
} from '../../../machines/chiplet/system-config.ts';
import type { Machine } from '../../../machines/machine.ts';
import { loadScenario } from '../../../scenarios/load.ts';
import { type WatchedTrial, watchedTrial } from '../../watched-trial.ts';
import { watchSystem } from '../machine-properties.ts';

/** Tests run in the folder of the project. */
const usualFolder = 'scenarios/chiplet';

/** The run of a scenario of chiplet systems in a folder, with some of its configuration changed. */
export async function givenFrom(
  file: string,
  changes: Partial<SystemConfig> = {},
  mutants: readonly string[] = [],
  folder = usualFolder,
): Promise<SystemGiven> {
  const { scenario } = await loadScenario(`${folder}/${file}`, [systemMachine as unknown as Machine]);
  return {
    name: scenario.name,
    config: systemConfig.parse({ ...(scenario.config as SystemConfig), ...changes }),
    programs: scenario.programs as SystemPrograms,
    mutants,
    scheduled: false,
  };
}

/** What a run of a system under its properties came to. */
export interface SystemTrial extends WatchedTrial<SystemResult> {
  /** What the programs of all chiplets have written. */
  readonly outputs: readonly Readonly<Record<string, readonly number[]>>[];
}

/** Runs a system to its end with all its properties watching. */
export function trial(given: SystemGiven, options: RunOptions = {}): SystemTrial {
  const watched = watchedTrial(
    systemMachine.assemble(given),
    (run, assembly) => watchSystem(run, given, assembly),
    options,
  );
  return { ...watched, outputs: watched.result.chiplets.map(({ outputs }) => outputs) };
}
