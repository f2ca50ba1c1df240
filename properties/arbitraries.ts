import fc from 'fast-check';
import type { WrittenScenario } from '../scenarios/written.ts';
import { cellbeScenarios } from './cell/eib/scenarios.ts';
import { cellScenarios } from './cell/scenarios.ts';
import { coordinatorScenarios } from './chiplet/interchiplet/scenarios.ts';
import { chipletScenarios } from './chiplet/scenarios.ts';
import { systemScenarios } from './chiplet/system/scenarios.ts';
import { grapeScenarios } from './grape/scenarios.ts';
import {
  mutualExclusionScenarios,
  registerScenarios,
  twoPhaseCommitScenarios,
} from './protocols/scenarios.ts';
import { sunwayScenarios } from './sunway/scenarios.ts';
import { tcaScenarios } from './tca/scenarios.ts';

/** What generates the scenarios of each machine, by its name. A machine that can be fuzzed by its name is one entry here. */
export const generatedScenarios: ReadonlyMap<string, fc.Arbitrary<WrittenScenario>> = new Map([
  ['cell', cellScenarios],
  ['cellbe', cellbeScenarios],
  ['chiplet', fc.oneof(chipletScenarios, systemScenarios, coordinatorScenarios)],
  ['grape', grapeScenarios],
  ['sunway', sunwayScenarios],
  ['tca', tcaScenarios],
  ['two-phase-commit', twoPhaseCommitScenarios],
  ['register', registerScenarios],
  ['mutual-exclusion', mutualExclusionScenarios],
]);
