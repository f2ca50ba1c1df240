import { on } from './on.ts';

/** By name, what is done in each step of a barrier, in this order. */
export interface BarrierSteps<A extends string> {
  /** A party comes. */
  readonly arrive: readonly A[];
  /** It is the first one, or others have come before; some are still to come. */
  readonly begin: readonly A[];
  readonly wait: readonly A[];
  /** All have come: they are told, and the next round begins. */
  readonly release: readonly A[];
  /** A party takes part no more. */
  readonly leave?: readonly A[];
}

/**
 * The states of a barrier: open while nobody has come in a round, gathering until all have.
 *
 * Details: `arrive` and `leave` are the events of a party that comes and of one that takes part no more. `gathering` is what the family says of that state: its tags and for whom
 * it waits; `refusals` come before all other transitions of an arrival. The family has the guards `isLast`, of an arrival, and `leavesLast`, of a leaving, and all actions.
 */
export function barrierStates<
  const Arrive extends string,
  A extends string,
  const W extends object,
  const Leave extends string = never,
  const R extends readonly object[] = readonly [],
>(
  events: { readonly arrive: Arrive; readonly leave?: Leave },
  { arrive, begin, wait, release, leave = [] }: BarrierSteps<A>,
  gathering: W,
  ...refusals: R
) {
  const atLeaving = <T>(transition: T) =>
    (events.leave === undefined ? {} : on(events.leave, transition)) as { readonly [P in Leave]: T };
  return {
    // Nobody has come yet: a machine that is quiet here is not stuck.
    open: {
      on: {
        ...on(events.arrive, [
          ...refusals,
          { guard: 'isLast', actions: [...arrive, ...release] },
          { target: 'gathering', actions: [...arrive, ...begin] },
        ]),
        ...atLeaving({ actions: leave }),
      },
    },
    gathering: {
      ...gathering,
      on: {
        ...on(events.arrive, [
          ...refusals,
          { guard: 'isLast', target: 'open', actions: [...arrive, ...release] },
          { actions: [...arrive, ...wait] },
        ]),
        ...atLeaving([
          { guard: 'leavesLast', target: 'open', actions: [...leave, ...release] },
          { actions: [...leave, ...wait] },
        ] as const),
      },
    },
  } as const;
}
