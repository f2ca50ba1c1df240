import type { Observer } from '../../kernel/explore/observer.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { dataValue, singleWriter } from './mesi.ts';
import { neighboursTakeTurns } from './philosophers.ts';
import { electionSafety, leaderCompleteness, logMatching, stateMachineSafety } from './raft.ts';
import { everybodyLearns, largestLeads } from './ring-election.ts';

/** The properties of the protocols of the literature, by machine: runs and the exhaustive checker judge them alike. */
export const libraryProperties: Readonly<Record<string, MachineProperties>> = Object.fromEntries(
  (
    [
      ['raft', electionSafety, logMatching, leaderCompleteness, stateMachineSafety],
      ['mesi', singleWriter, dataValue],
      ['philosophers', neighboursTakeTurns],
      ['ring-election', largestLeads, everybodyLearns],
    ] as const satisfies readonly (readonly [string, ...Observer[]])[]
  ).map(([machine, ...observers]) => [machine, judging(machine, observers)]),
);

function judging(machine: string, observers: readonly Observer[]): MachineProperties {
  return {
    machine,
    sentences: observers.map(({ sentence }) => sentence),
    watch: (run) => watch(run, observers, undefined),
    observers: () => observers,
  };
}
