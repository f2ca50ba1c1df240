import type { EventObject, MachineContext } from 'xstate';
import { type Component, refused } from '../../kernel/kit.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { on } from './on.ts';

/** The tick in which a server has done all that it has taken; 0 when it is idle. */
export interface Serving {
  servesUntil: number;
}

/**
 * The states of a server whose times are known when it takes something: idle, serving until the last of what it took is done.
 *
 * Details: `done` is the event by which it knows. What it takes leads to `serving`: the family says with which actions. It has the guard `hasMore` and the actions `serveOn` and
 * `rest`; where time is that of the calendar, `serverParts` makes them.
 */
export const serverStates = <const Done extends string>(done: Done) =>
  ({
    idle: { on: on(done, refused) },
    serving: {
      on: on(done, [
        { guard: 'hasMore', actions: 'serveOn' },
        { target: 'idle', actions: 'rest' },
      ] as const),
    },
  }) as const;

/** The guard and the actions of a server that is told by a timer. `ticksOf`: how long it takes for what an event asks, at least 1. */
export function serverParts<
  C extends MachineContext & Serving,
  E extends EventObject,
  S extends LockstepEvent,
  V extends Probe,
>({ act, update, when }: Component<C, E, S, V>, done: string, ticksOf: (context: C, event: E) => number) {
  return {
    guards: { hasMore: when((c, _event, { now }) => c.servesUntil > now) },
    actions: {
      serve: act((c, event, out) => {
        const ticks = ticksOf(c, event);
        c.servesUntil = Math.max(c.servesUntil, out.now + ticks);
        out.setTimer(done, ticks);
      }),
      serveOn: act((c, _event, out) => out.setTimer(done, c.servesUntil - out.now)),
      rest: update((c) => {
        c.servesUntil = 0;
      }),
    },
  };
}
