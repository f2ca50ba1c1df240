import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { coordinatorScenarios } from './interchiplet/scenarios.ts';
import { kernelScenarios } from './kernel-scenarios.ts';
import { chipletScenarios } from './scenarios.ts';
import { systemScenarios } from './system/scenarios.ts';

/** Networks, systems, coordinators and kernels: all are scenarios of one machine. */
export const allChipletScenarios: fc.Arbitrary<WrittenScenario> = fc.oneof(
  chipletScenarios,
  systemScenarios,
  coordinatorScenarios,
  kernelScenarios,
);
