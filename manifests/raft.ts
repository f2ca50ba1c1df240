import { defineMachine, later } from './define-machine.ts';

export const raft = defineMachine({
  name: 'raft',
  summary: 'servers that keep equal logs under an elected leader: Raft (Ongaro, Ousterhout)',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/raft.ts')).raft),
  properties: later(async () => {
    const { electionSafety, logMatching, leaderCompleteness, stateMachineSafety } = await import(
      '../properties/protocols/raft.ts'
    );
    return [electionSafety, logMatching, leaderCompleteness, stateMachineSafety];
  }),
  generator: later(async () => (await import('../properties/protocols/library-scenarios.ts')).raftScenarios),
});
