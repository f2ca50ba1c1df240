import { defineMachine, later } from './define-machine.ts';

export const multiPaxos = defineMachine({
  name: 'multi-paxos',
  summary: 'servers that agree on a log, slot by slot: Paxos for many decisions (Lamport)',
  kind: 'protocol',
  machine: later(async () => (await import('../machines/protocols/multi-paxos.ts')).multiPaxos),
  properties: later(async () => {
    const { commandIsChosen, leadersKeepChosen, slotsAgree } = await import(
      '../properties/protocols/multi-paxos.ts'
    );
    return [slotsAgree, leadersKeepChosen, commandIsChosen];
  }),
  generator: later(
    async () => (await import('../properties/protocols/library-scenarios.ts')).multiPaxosScenarios,
  ),
});
