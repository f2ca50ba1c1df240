import fc from 'fast-check';
import type { WrittenScenario } from '../scenarios/written.ts';

/** What generates scenarios, loaded when it is asked for. */
type Generator = () => Promise<fc.Arbitrary<WrittenScenario>>;

/** What generates the scenarios of each machine, by its name. A machine that can be fuzzed by its name is one entry here. */
export const generatedScenarios: ReadonlyMap<string, Generator> = new Map<string, Generator>([
  ['cell', async () => (await import('./cell/scenarios.ts')).cellScenarios],
  ['cellbe', async () => (await import('./cell/eib/scenarios.ts')).cellbeScenarios],
  ['chiplet', ofChiplets],
  ['grape', ofChips],
  ['sunway', async () => (await import('./sunway/scenarios.ts')).sunwayScenarios],
  ['tca', async () => (await import('./tca/scenarios.ts')).tcaScenarios],
  ['two-phase-commit', async () => (await import('./protocols/scenarios.ts')).twoPhaseCommitScenarios],
  ['register', async () => (await import('./protocols/scenarios.ts')).registerScenarios],
  ['mutual-exclusion', async () => (await import('./protocols/scenarios.ts')).mutualExclusionScenarios],
  ['single-copy', async () => (await import('./protocols/scenarios.ts')).putGetScenarios(1)],
  ['abd', async () => (await import('./protocols/scenarios.ts')).putGetScenarios(4)],
  ['paxos', async () => (await import('./protocols/scenarios.ts')).putGetScenarios(4)],
  ['ping-pong', async () => (await import('./protocols/scenarios.ts')).pingPongScenarios],
  ['raft', async () => (await import('./protocols/library-scenarios.ts')).raftScenarios],
  ['mesi', async () => (await import('./protocols/library-scenarios.ts')).mesiScenarios],
  ['philosophers', async () => (await import('./protocols/library-scenarios.ts')).philosophersScenarios],
  ['ring-election', async () => (await import('./protocols/library-scenarios.ts')).ringElectionScenarios],
]);

/** Some sources have macros, whose parser is loaded once. */
async function ofChips(): Promise<fc.Arbitrary<WrittenScenario>> {
  const { loadMacros } = await import('../machines/grape/macros/expand.ts');
  await loadMacros();
  return (await import('./grape/scenarios.ts')).grapeScenarios;
}

/** Networks, systems, coordinators and kernels are scenarios of one machine. */
async function ofChiplets(): Promise<fc.Arbitrary<WrittenScenario>> {
  const { chipletScenarios } = await import('./chiplet/scenarios.ts');
  const { systemScenarios } = await import('./chiplet/system/scenarios.ts');
  const { coordinatorScenarios } = await import('./chiplet/interchiplet/scenarios.ts');
  const { kernelScenarios } = await import('./chiplet/kernel-scenarios.ts');
  return fc.oneof(chipletScenarios, systemScenarios, coordinatorScenarios, kernelScenarios);
}
