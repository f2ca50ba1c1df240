import { describe, expect, test } from 'vitest';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import { interchipletMutants } from '../../machines/chiplet/interchiplet-mutants.ts';
import { networkMutants } from '../../machines/chiplet/mutants.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { sourceMutants } from '../../machines/chiplet/source-mutants.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import { systemMutants } from '../../machines/chiplet/system-mutants.ts';
import type { Machine } from '../../machines/machine.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { coordinatorScenarios } from './interchiplet/scenarios.ts';
import {
  interchipletMachineProperties,
  networkMachineProperties,
  systemMachineProperties,
} from './machine-properties.ts';
import { chipletScenarios } from './scenarios.ts';
import { systemScenarios } from './system/scenarios.ts';

/** What is generated for each machine, and its faults. */
const kinds = {
  network: {
    machine: networkMachine,
    properties: networkMachineProperties,
    scenarios: chipletScenarios,
    mutants: networkMutants,
  },
  system: {
    machine: systemMachine,
    properties: systemMachineProperties,
    scenarios: systemScenarios,
    mutants: new Map([...systemMutants, ...sourceMutants]),
  },
  interchiplet: {
    machine: interchipletMachine,
    properties: interchipletMachineProperties,
    scenarios: coordinatorScenarios,
    mutants: interchipletMutants,
  },
} as const;

const campaignOf = (kind: keyof typeof kinds, mutants: readonly string[]): Campaign =>
  new Campaign(
    new GeneratedSubject({
      machine: kinds[kind].machine as unknown as Machine,
      properties: kinds[kind].properties,
      arbitrary: kinds[kind].scenarios,
      // Of the first seeds the one by which all are found soonest.
      seed: 7,
      mutants,
    }),
    {
      // Of the first seeds the one by which all are found soonest.
      seed: 7,
      strategies: ['random', 'pct', 'delay'],
      coverage: false,
    },
  );

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'in generated scenarios of the machine %s',
  (kind) => {
    const faults = [...kinds[kind].mutants].map(([id, { sentence }]) => [id, sentence]);

    test.each(faults)('%s is found: %s', (id) => {
      const [first] = campaignOf(kind, [id!]).batch(0, 300, true).failures;

      expect(first, `${id} in 300 runs`).toBeDefined();
    });
  },
);
