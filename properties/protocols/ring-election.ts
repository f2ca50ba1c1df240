import type { RingNodeContext } from '../../actors/protocols/ring-election.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { eventually } from '../temporal/liveness.ts';
import { always } from '../temporal/safety.ts';

const nodesOf = (state: GlobalState) => state.named<RingNodeContext>('Node[*]');
const largestOf = (state: GlobalState): number =>
  Math.max(...nodesOf(state).map(({ context }) => context.id));

/** Nobody else ever leads. */
export const largestLeads = always('nobody but the node of the largest identity leads', (state) => {
  const largest = largestOf(state);
  const other = nodesOf(state).find((node) => node.state === 'leader' && node.context.id !== largest);
  return !other || `${other.name} leads with identity ${other.context.id}`;
});

/** The election ends, whoever began it. */
export const everybodyLearns = eventually('everybody learns who leads', (state) =>
  nodesOf(state).every(({ context }) => context.leader === largestOf(state)),
);
