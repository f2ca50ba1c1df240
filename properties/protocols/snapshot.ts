import type { SnapshotContext, snapshotProtocol } from '../../actors/protocols/snapshot.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { MessageOf } from '../../kernel/protocol/protocol.ts';
import { eventually } from '../temporal/liveness.ts';
import { always } from '../temporal/safety.ts';

const processesIn = (state: GlobalState) => state.named<SnapshotContext>('Process[*]');
const isComplete = (state: GlobalState): boolean =>
  processesIn(state).every((process) => process.state === 'recorded');
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The cut is consistent: what was recorded is all the money that there is, each coin once. */
export const recordsAllMoney = always('a complete snapshot has all the money, and no more', (state) => {
  if (!isComplete(state)) return true;
  const contexts = processesIn(state).map(({ context }) => context);
  const recorded = sum(contexts.flatMap(({ recorded, channels }) => [recorded!.balance, ...channels]));
  const onTheWay = state
    .underWay('Transfer')
    .map(({ event }) => (event as MessageOf<typeof snapshotProtocol, 'Transfer'>).amount);
  const there = sum([...contexts.map(({ balance }) => balance), ...onTheWay]);
  return recorded === there || `${recorded} is recorded, and there is ${there}`;
});

/** Markers reach everybody. */
export const completes = eventually('the snapshot is complete some time', isComplete, { fair: true });
