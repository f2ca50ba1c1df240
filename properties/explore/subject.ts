import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mixSeed } from '../../kernel/mix-seed.ts';
import type { Machine } from '../../machines/machine.ts';
import { ofMachine } from '../../machines/machine-error.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { type WrittenScenario, writtenScenarioReader } from '../../scenarios/written.ts';
import type { MachineProperties } from '../properties.ts';
import { Trials } from './trial.ts';

/** What a campaign tries: numbered scenarios of one machine, each the same whenever it is asked for. */
export interface Subject {
  readonly machine: Machine;
  /** Those that watch the runs; undefined for a machine that has none. */
  readonly properties: MachineProperties | undefined;
  /** The scenario of a number, from 0. */
  scenario(index: number): Scenario;
}

/** One scenario, whatever the number. */
export const givenSubject = (
  scenario: Scenario,
  machine: Machine,
  properties: MachineProperties | undefined,
): Subject => ({
  machine,
  properties,
  scenario: () => scenario,
});

/** A generated scenario that knows what is simpler than it. */
export type Generated = fc.Value<WrittenScenario>;

/** One in so many numbers is drawn near the ends of its range, where mistakes are. */
const biasFactor = 3;

/** What scenarios are generated from. */
export interface Generation {
  readonly machine: Machine;
  /** What its scenarios name it by; its name when absent. */
  readonly named?: string;
  /** Those that watch the runs; undefined for a machine that has none. */
  readonly properties: MachineProperties | undefined;
  readonly arbitrary: fc.Arbitrary<WrittenScenario>;
  readonly seed: number;
  /** Ids of the machine's catalogue, planted in all scenarios; none when absent. */
  readonly mutants?: readonly string[];
  /** Injected faults of all scenarios; none when absent. */
  readonly faults?: readonly unknown[];
}

/** Scenarios that an arbitrary generates from a seed and their number, with the same mutants planted in all, and the same faults injected. */
export class GeneratedSubject implements Subject {
  readonly machine: Machine;
  readonly properties: MachineProperties | undefined;
  readonly #arbitrary: fc.Arbitrary<WrittenScenario>;
  readonly #seed: number;
  readonly #faults: readonly unknown[];
  readonly #read: (written: WrittenScenario, file: string) => Scenario;

  constructor({ machine, named, properties, arbitrary, seed, mutants = [], faults = [] }: Generation) {
    this.machine = machine;
    this.properties = properties;
    this.#arbitrary = arbitrary;
    this.#seed = seed;
    this.#faults = [...mutants.map((mutant) => ({ mutant })), ...faults];
    this.#read = writtenScenarioReader(machine, named);
  }

  /** Generates the scenario of a number. */
  generate(index: number): Generated {
    const random = new fc.Random(xoroshiro128plus(mixSeed(index, ~this.#seed)));
    return ofMachine(this.machine.name, 'generator', () => this.#arbitrary.generate(random, biasFactor));
  }

  /** What is simpler than a generated scenario, most promising first. */
  simpler(generated: Generated): Iterable<Generated> {
    return this.#arbitrary.shrink(generated.value, generated.context);
  }

  /** A generated scenario as it would be read from this file. Errors: a `MachineError` when the machine refuses it. */
  read({ value }: Generated, file: string): Scenario {
    const faults = [...(value.faults ?? []), ...this.#faults];
    return this.#read({ ...value, ...(faults.length > 0 && { faults }) }, file);
  }

  scenario(index: number): Scenario {
    return this.read(this.generate(index), `${this.machine.name}-${index}.yaml`);
  }
}

/** The trials of a subject's scenarios; those of the last one asked for are kept. */
export class SubjectTrials {
  #index = -1;
  #trials: Trials | undefined;
  constructor(readonly subject: Subject) {}

  of(index: number): Trials {
    if (!this.#trials || index !== this.#index) {
      const scenario = this.subject.scenario(index);
      // Trials of one scenario share what they have in common.
      if (scenario !== this.#trials?.scenario) {
        const { machine, properties } = this.subject;
        this.#trials = new Trials(scenario, machine, properties);
      }
      this.#index = index;
    }
    return this.#trials!;
  }
}
