import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import type { Given } from '../../machines/machine.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMutants } from '../../machines/sunway/mutants.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import { sunwayScenarios } from './scenarios.ts';

const subjectOf = (mutants: readonly string[] = []): GeneratedSubject =>
  new GeneratedSubject({
    machine: sunwayMachine,
    properties: sunwayMachineProperties,
    arbitrary: sunwayScenarios,
    seed: 3,
    mutants,
  });

const campaignOf = (mutants: readonly string[] = []): Campaign =>
  new Campaign(subjectOf(mutants), { seed: 3, strategies: ['random', 'pct', 'delay'], coverage: false });

/** The digest of main memory in the end of a run. */
function memoryAfter(given: Given<SunwayConfig, SunwayPrograms>, seed: number): unknown {
  const { wiring, result } = sunwayMachine.assemble({ ...given, scheduled: true });
  const run = new Run(wiring, { choices: new RandomChoices(seed) });
  run.toEnd();
  return result(run).told[0]!['memory'];
}

test.each([0, 1, 2, 3, 4, 5])(
  'a program without races ends with one memory, whatever seed, fidelity and freedom: %i',
  (index) => {
    const { name, config, programs } = subjectOf().scenario(index);
    const usual = config as SunwayConfig;
    const memories = (['tlm', 'functional'] as const).flatMap((fidelity) =>
      [1, 2].map((seed) => {
        const changed = sunwayConfig.parse({
          ...usual,
          fidelity,
          fuzz: { maxJitter: 40 * seed, reorder: true },
        });
        return memoryAfter(
          { name, config: changed, programs: programs as SunwayPrograms, mutants: [], scheduled: true },
          seed,
        );
      }),
    );

    expect(memories).toEqual(memories.map(() => expect.stringMatching(/^[0-9a-f]{8}$/)));
    expect(new Set(memories).size).toBe(1);
  },
);

describe('a planted fault is found in generated scenarios', () => {
  test.each([...sunwayMutants].map(([id, { sentence }]) => [id, sentence]))(
    '%s: %s',
    (id) => {
      const [first] = campaignOf([id]).batch(0, 300, true).failures;

      expect(first).toBeDefined();
      // Rare faults take some hundred runs.
    },
    60_000,
  );
});
