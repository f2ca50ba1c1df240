import type { commitProtocol } from '../../actors/protocols/commit-protocol.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { ObservationOf } from '../../kernel/protocol/protocol.ts';

/** Who decided what, ascending: what a state of the machine says, whichever way led to it. */
interface Decisions {
  readonly committed: string[];
  readonly aborted: string[];
}

/** All or none: what an atomic commit is for. */
export const consistentDecisions: Observer<Decisions, ObservationOf<typeof commitProtocol>> = {
  sentence: 'no resource manager commits while another one aborts',
  watches: ['transaction.decided'],
  exchange: ({ committed, aborted }, nameOf) => ({
    committed: committed.map(nameOf).sort(),
    aborted: aborted.map(nameOf).sort(),
  }),
  begin: () => ({ committed: [], aborted: [] }),
  see({ committed, aborted }, observation) {
    if (observation.kind !== 'probe') return undefined;
    const deciders = observation.probe.decision === 'committed' ? committed : aborted;
    // One that crashed and begins anew decides again.
    if (deciders.includes(observation.actor)) return undefined;
    deciders.push(observation.actor);
    deciders.sort();
    if (committed.length === 0 || aborted.length === 0) return undefined;
    return {
      actors: [...committed, ...aborted],
      why: `${committed.join(', ')} committed and ${aborted.join(', ')} aborted`,
    };
  },
};
