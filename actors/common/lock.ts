import type { EventObject, MachineContext } from 'xstate';
import type { Component, Envelope } from '../../kernel/kit.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { on } from './on.ts';

/** What a lock keeps: who holds it, and who waits for it, the first one first. */
export interface LockKept<P> {
  holder: P | null;
  queue: P[];
}

/** By name, what is done in each step of a lock, in this order. */
export interface LockSteps<A extends string> {
  /** Nobody held it: the asker does now. */
  readonly take: readonly A[];
  /** The asker waits. */
  readonly queue: readonly A[];
  /** The asker does not wait (guard `isDeclined`). */
  readonly decline: readonly A[];
  /** The holder gives it back; then nobody wants it, or the next one gets it. */
  readonly giveBack: readonly A[];
  readonly open: readonly A[];
  readonly pass: readonly A[];
  /** Somebody else gives it back. */
  readonly refuse: readonly A[];
}

/**
 * The states of a lock with a queue: free, held, contended.
 *
 * Details: `ask` and `give` are the events that ask for it and give it back; `contended` is what the family says of that state: its tags and for what it waits. The guards and
 * the actions that keep the queue are made by `lockParts`; the family has `isDeclined` and the other actions.
 */
export function lockStates<
  const Ask extends string,
  const Give extends string,
  A extends string,
  const W extends object,
>(ask: Ask, give: Give, { take, queue, decline, giveBack, open, pass, refuse }: LockSteps<A>, contended: W) {
  const declined = { guard: 'isDeclined', actions: decline } as const;
  return {
    free: { on: on(ask, { target: 'held', actions: take }) },
    held: {
      on: {
        ...on(ask, [declined, { target: 'contended', actions: queue }]),
        ...on(give, [
          { guard: 'isHolder', target: 'free', actions: [...giveBack, ...open] },
          { actions: refuse },
        ]),
      },
    },
    contended: {
      ...contended,
      on: {
        ...on(ask, [declined, { actions: queue }]),
        ...on(give, [
          { guard: 'passesToLast', target: 'held', actions: [...giveBack, ...pass] },
          { guard: 'isHolder', actions: [...giveBack, ...pass] },
          { actions: refuse },
        ]),
      },
    },
  } as const;
}

/**
 * The guards and the actions by which a lock keeps who holds it and who waits, for the kit of a family.
 *
 * Details: `partyOf` finds in an event who asks or gives back. `order` says whether who asked first is next, or any one: a pick. Default `fifo`.
 */
export function lockParts<
  C extends MachineContext & LockKept<P>,
  E extends EventObject,
  S extends LockstepEvent,
  V extends Probe,
  P,
>(
  { choose, update, when }: Component<C, E, S, V>,
  partyOf: (event: E, envelope: Envelope) => P,
  order: (context: C) => 'fifo' | 'any' = () => 'fifo',
  isSame: (one: P, other: P) => boolean = Object.is,
) {
  const isHolder = ({ holder }: C, event: E, envelope: Envelope): boolean =>
    holder !== null && isSame(holder, partyOf(event, envelope));
  return {
    guards: {
      isHolder: when((c, event, envelope) => isHolder(c, event, envelope)),
      passesToLast: when((c, event, envelope) => c.queue.length === 1 && isHolder(c, event, envelope)),
      /** Holds it, or waits for it. */
      isKnown: when((c, event, envelope) => {
        const party = partyOf(event, envelope);
        return isHolder(c, event, envelope) || c.queue.some((one) => isSame(one, party));
      }),
    },
    actions: {
      hold: update((c, event, envelope) => {
        c.holder = partyOf(event, envelope);
      }),
      queue: update((c, event, envelope) => {
        c.queue.push(partyOf(event, envelope));
      }),
      passOn: choose(
        'next holder',
        (c) => (order(c) === 'any' ? c.queue.length : 1),
        (c, _event, pick) => {
          c.holder = c.queue.splice(pick, 1)[0]!;
        },
      ),
      letGo: update((c) => {
        c.holder = null;
      }),
    },
  };
}
