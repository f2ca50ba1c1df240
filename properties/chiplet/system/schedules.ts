import type { Choices } from '../../../kernel/choices.ts';
import { RandomChoices } from '../../../kernel/choices.ts';
import { DelayBoundedChoices } from '../../../kernel/schedules/delay-bounded.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { PosChoices } from '../../../kernel/schedules/pos.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import type { SystemConfig, SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import { chipletMachine } from '../../../machines/chiplet.ts';
import type { Machine } from '../../../machines/machine.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { chipletMachineProperties } from '../machine-properties.ts';
import { systemScenarios } from './scenarios.ts';
import { trial } from './trial.ts';

/** A system whose schedules are compared with its canonical run. */
export interface ComparedSchedules {
  /** What is wrong with the schedule of a seed; undefined when it gives what the canonical run gives. */
  differs(seed: number): string | undefined;
}

/** Kinds of schedules, which take turns. */
const kinds: readonly ((seed: number) => Choices)[] = [
  (seed) => new RandomChoices(seed),
  (seed) => new PctChoices(seed),
  (seed) => new PosChoices(seed),
  (seed) => new DelayBoundedChoices(seed),
];

/** Compares schedules of a system: outputs, messages and properties; cycles may differ where warps issue in any order. */
export function schedulesOf(given: SystemGiven): ComparedSchedules {
  const told = (choices?: Choices): { readonly values: string; readonly raised: readonly string[] } => {
    const { outputs, result, raised } = trial(given, choices ? { choices } : {});
    return { values: JSON.stringify([outputs, result.messages]), raised };
  };
  const canonical = told();
  return {
    differs: (seed) => {
      if (canonical.raised.length > 0) return `without a schedule: ${canonical.raised.join('; ')}`;
      const { values, raised } = told(kinds[seed % kinds.length]!(seed));
      if (raised.length > 0) return raised.join('; ');
      return values === canonical.values ? undefined : `${values} instead of ${canonical.values}`;
    },
  };
}

/** Seed of the systems that campaigns generate. */
const systemsSeed = 41;

const generated = new GeneratedSubject({
  machine: chipletMachine as unknown as Machine,
  properties: chipletMachineProperties,
  arbitrary: systemScenarios,
  seed: systemsSeed,
});

/** A generated system by its number, from 0; the same whenever it is asked for. */
export function generatedSystem(number: number): SystemGiven {
  const { name, config, programs } = generated.scenario(number);
  return {
    name: `${name} ${number}`,
    config: config as SystemConfig,
    programs: programs as SystemPrograms,
    mutants: [],
    scheduled: true,
  };
}
