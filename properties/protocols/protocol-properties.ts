import type { Observer } from '../../kernel/explore/observer.ts';
import { mutualExclusion } from '../../machines/protocols/mutual-exclusion.ts';
import { pingPong } from '../../machines/protocols/ping-pong.ts';
import { abd, paxos, singleCopy } from '../../machines/protocols/put-get.ts';
import { recoverableCommit } from '../../machines/protocols/recoverable-commit.ts';
import { sharedRegister } from '../../machines/protocols/register.ts';
import { twoPhaseCommit } from '../../machines/protocols/two-phase-commit.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { consistentDecisions } from './consistent-decisions.ts';
import { linearizableRegister } from './linearizable-register.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { playersStayTogether } from './players-stay-together.ts';
import { putGetIsLinearizable } from './put-get.ts';

/** The properties of the protocols: each watches runs, and the exhaustive checker judges it too. */
export const protocolProperties: readonly MachineProperties[] = [
  judging(twoPhaseCommit.name, consistentDecisions),
  judging(recoverableCommit.name, consistentDecisions),
  judging(sharedRegister.name, linearizableRegister),
  judging(mutualExclusion.name, oneAtATime),
  ...[singleCopy, abd, paxos].map(({ name }) => judging(name, putGetIsLinearizable)),
  judging(pingPong.name, playersStayTogether),
];

function judging(machine: string, ...observers: readonly Observer[]): MachineProperties {
  return {
    machine,
    sentences: observers.map(({ sentence }) => sentence),
    watch: (run) => watch(run, observers, undefined),
    observers: () => observers,
  };
}
