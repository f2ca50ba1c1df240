import { Run, type RunOptions } from '../../../kernel/run.ts';
import { type SystemGiven, type SystemResult, systemMachine } from '../../../machines/chiplet/system.ts';
import {
  type SystemConfig,
  type SystemPrograms,
  systemConfig,
} from '../../../machines/chiplet/system-config.ts';
import type { Machine } from '../../../machines/machine.ts';
import { loadScenario } from '../../../scenarios/load.ts';
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
export interface SystemTrial {
  readonly run: Run;
  readonly result: SystemResult;
  /** What the programs of all chiplets have written. */
  readonly outputs: readonly Readonly<Record<string, readonly number[]>>[];
  /** The sentences that do not hold, each once, and the verdict of a run that did not come to its end. */
  readonly raised: readonly string[];
}

/** Runs a system to its end with all its properties watching. */
export function trial(given: SystemGiven, options: RunOptions = {}): SystemTrial {
  const assembly = systemMachine.assemble(given);
  const run = new Run(assembly.wiring, options);
  const watching = watchSystem(run, given, assembly);
  run.toEnd();
  watching.end();
  const { verdict, violations } = run.outcome;
  const result = assembly.result(run);
  return {
    run,
    result,
    outputs: result.chiplets.map(({ outputs }) => outputs),
    raised: [
      ...new Set(violations.map(({ property }) => property)),
      ...(verdict === 'ok' || verdict === 'violated' ? [] : [verdict]),
    ],
  };
}
