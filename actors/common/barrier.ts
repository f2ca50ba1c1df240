import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { barrierStates } from './barrier-states.ts';

/*
 * What a barrier and its parties say to each other. A party posts `barrier.arrive` with the number of the generation it ends; when
 * all have arrived, each gets `barrier.open` with that number.
 */

/** A party has come to the end of a generation. */
export interface BarrierArrive {
  readonly type: 'barrier.arrive';
  /** Index of the party in `parties`. */
  readonly party: number;
  /** Generation that it ends, from 0. */
  readonly generation: number;
}

/** All parties have arrived. */
export interface BarrierOpen {
  readonly type: 'barrier.open';
  readonly generation: number;
}

/** Which parties meet. */
export interface BarrierSpec {
  /** Addresses of the parties, at least one. A group of actors that meets elsewhere has a barrier of its own. */
  readonly parties: readonly Address[];
}

/** What a barrier remembers. */
export interface BarrierContext {
  readonly parties: readonly Address[];
  /** Generation that is being collected. */
  generation: number;
  /** True for parties that have arrived in it. */
  arrived: boolean[];
  count: number;
}

const { update, post, when, report } = component<BarrierContext, BarrierArrive>();

/**
 * A reentrant barrier for any number of parties.
 *
 * Details: nobody leaves generation g before all have arrived in g; who has left may arrive for g+1 at once, while others have not yet
 * been told that g is open. A party that arrives twice in a generation, or for another one, is reported.
 */
export const barrier = setup({
  types: {} as { context: BarrierContext; events: BarrierArrive; input: BarrierSpec },
  guards: {
    isUnexpected: when((b, event) => event.generation !== b.generation || b.arrived[event.party] !== false),
    isLast: when((b) => b.count === b.parties.length - 1),
  },
  actions: {
    note: update((b, { party }) => {
      b.arrived[party] = true;
      b.count++;
    }),
    open: post((b) => b.parties.map((to) => ({ to, type: 'barrier.open', generation: b.generation }))),
    turn: update((b) => {
      b.generation++;
      b.arrived.fill(false);
      b.count = 0;
    }),
    complain: report((b, event) => ({
      property: 'each party arrives exactly once per generation',
      why: `party ${event.party} arrived for generation ${event.generation} while ${b.generation} is being collected${b.arrived[event.party] ? ' and it has arrived already' : ''}`,
    })),
  },
}).createMachine({
  id: 'barrier',
  context: ({ input }) => ({
    parties: input.parties,
    generation: 0,
    arrived: input.parties.map(() => false),
    count: 0,
  }),
  initial: 'open',
  states: barrierStates(
    { arrive: 'barrier.arrive' },
    { arrive: ['note'], begin: [], wait: [], release: ['open', 'turn'] },
    {
      ...waitingFor<BarrierContext>('the parties that have not arrived', (b) =>
        b.parties.filter((_, party) => !b.arrived[party]),
      ),
    },
    { guard: 'isUnexpected', actions: 'complain' },
  ),
});
