import { describe, expect, test } from 'vitest';
import { interchipletMutants } from '../../machines/chiplet/interchiplet-mutants.ts';
import { networkMutants } from '../../machines/chiplet/mutants.ts';
import { sourceMutants } from '../../machines/chiplet/source-mutants.ts';
import { systemMutants } from '../../machines/chiplet/system-mutants.ts';
import { chipletMachine } from '../../machines/chiplet.ts';
import type { Machine } from '../../machines/machine.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { coordinatorScenarios } from './interchiplet/scenarios.ts';
import { chipletMachineProperties } from './machine-properties.ts';
import { chipletScenarios } from './scenarios.ts';
import { systemScenarios } from './system/scenarios.ts';

const machine = chipletMachine as unknown as Machine;

/** What is generated of each kind, and the faults of that kind. */
const kinds = {
  network: { scenarios: chipletScenarios, mutants: networkMutants },
  system: { scenarios: systemScenarios, mutants: new Map([...systemMutants, ...sourceMutants]) },
  coordinator: { scenarios: coordinatorScenarios, mutants: interchipletMutants },
} as const;

const campaignOf = (kind: keyof typeof kinds, mutants: readonly string[]): Campaign =>
  new Campaign(
    new GeneratedSubject({
      machine,
      properties: chipletMachineProperties,
      arbitrary: kinds[kind].scenarios,
      seed: 3,
      mutants,
    }),
    {
      seed: 3,
      strategies: ['random', 'pct', 'delay'],
      coverage: false,
    },
  );

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'in generated scenarios of the kind %s',
  (kind) => {
    const faults = [...kinds[kind].mutants].map(([id, { sentence }]) => [id, sentence]);

    test.each(faults)('%s is found: %s', (id) => {
      const [first] = campaignOf(kind, [id!]).batch(0, 300, true).failures;

      expect(first, `${id} in 300 runs`).toBeDefined();
    });
  },
);
