import type { Choices } from '../../../kernel/choices.ts';
import { RandomChoices } from '../../../kernel/choices.ts';
import { DelayBoundedChoices } from '../../../kernel/schedules/delay-bounded.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { PosChoices } from '../../../kernel/schedules/pos.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import { systemMachine } from '../../../machines/chiplet/system.ts';
import type { SystemConfig, SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import type { Machine } from '../../../machines/machine.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { systemMachineProperties } from '../machine-properties.ts';
import { systemScenarios } from './scenarios.ts';
import { givenFrom, trial } from './trial.ts';

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

const modes = ['decoupled', 'coupled', 'iterative'] as const;
/** Scenarios that are small enough for many schedules. */
const files = [
  'system-schedules.yaml',
  'system-data-ranges.yaml',
  'system-pipeline.yaml',
  'system-all-to-all.yaml',
];

/** Rounds of an iterative run: schedules decide about the first one alone. */
const rounds = 2;

/** Numbered systems of chiplets, each the same whenever it is asked for: scenarios in each mode, then generated ones. */
export class ComparedSystems {
  readonly #mutants: readonly string[];
  readonly #folder: string;
  readonly #generated: GeneratedSubject;

  /** `seed` decides what is generated; `folder` is that of the scenarios. */
  constructor(seed: number, mutants: readonly string[], folder: string) {
    this.#mutants = mutants;
    this.#folder = folder;
    this.#generated = new GeneratedSubject({
      machine: systemMachine as unknown as Machine,
      properties: systemMachineProperties,
      arbitrary: systemScenarios,
      seed,
    });
  }

  /** The system of a number, from 0. Errors: what loading its scenario throws. */
  async system(number: number): Promise<SystemGiven> {
    const mutants = this.#mutants;
    const file = files[Math.floor(number / modes.length)];
    const mode = modes[number % modes.length]!;
    if (file !== undefined)
      return {
        ...(await givenFrom(file, { mode, rounds }, mutants, this.#folder)),
        scheduled: true,
        fast: true,
      };
    const { name, config, programs } = this.#generated.scenario(number);
    return {
      name: `${name} ${number}`,
      config: { ...(config as SystemConfig), rounds },
      programs: programs as SystemPrograms,
      mutants,
      scheduled: true,
      fast: true,
    };
  }
}
