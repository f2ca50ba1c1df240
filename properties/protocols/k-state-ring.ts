import { kStateProtocol, type RingMachineContext } from '../../actors/protocols/k-state-ring.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { MessageOf } from '../../kernel/protocol/protocol.ts';
import { eventually, leadsTo } from '../temporal/liveness.ts';
import { patternOf } from '../temporal/pattern.ts';
import { patternsOf } from '../temporal/patterns-of.ts';
import { always } from '../temporal/safety.ts';

const { shown } = patternsOf(kStateProtocol);

/** The privileges in a ring, in which a state on its way to a machine is one more machine: of the bottom machine by its equality, of all others by their difference. */
function privilegesIn(state: GlobalState): number {
  const machines = state.named<RingMachineContext>('Machine[*]');
  const values = machines.flatMap(({ name, context }) => [
    context.value,
    // The last one told is next to who told it.
    ...state.messages
      .filter(({ from }) => from === name)
      .map(({ event }) => (event as MessageOf<typeof kStateProtocol, 'State'>).value)
      .reverse(),
  ]);
  const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
  return changes + (values[0] === values.at(-1) ? 1 : 0);
}

const isLegitimate = (state: GlobalState): boolean => privilegesIn(state) === 1;

/** Convergence: whatever the ring begins with. */
export const stabilizes = eventually('some time there is exactly one privilege', isLegitimate);

/** Closure. */
export const staysStable = always(
  'once there is exactly one privilege, there always is',
  (state) => isLegitimate(state) || `there are ${privilegesIn(state)} privileges`,
  { after: patternOf(isLegitimate) },
);

/** The privilege goes round. */
export const bottomMoves = leadsTo(
  'where there is one privilege, the bottom machine moves some time',
  isLegitimate,
  shown('machine.moved', { actor: 'Machine[0]' }),
  { answers: 'all' },
);
