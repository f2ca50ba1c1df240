import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitsFor } from '../../kernel/outcome.ts';

/** Asks for the mutex; answered by `mutex.granted` when it is the asker's turn. */
export interface MutexAcquire {
  readonly type: 'mutex.acquire';
  readonly by: Address;
}

/** Gives the mutex back. */
export interface MutexRelease {
  readonly type: 'mutex.release';
  readonly by: Address;
}

/** The asker holds the mutex from now on. */
export interface MutexGranted {
  readonly type: 'mutex.granted';
}

/** How the next holder is found. */
export interface MutexSpec {
  /** `fifo`: who asked first. `any`: a pick, for locks that promise no order. Default `fifo`. */
  readonly order?: 'fifo' | 'any';
}

/** What a mutex remembers. */
export interface MutexContext {
  readonly order: 'fifo' | 'any';
  /** Who holds it, -1 when nobody does. */
  holder: Address | -1;
  queue: Address[];
}

type MutexEvent = MutexAcquire | MutexRelease;

const { update, post, when, choose, report } = component<MutexContext, MutexEvent>();

/** A mutual exclusion lock with a queue. A release by somebody else, or an acquire by the holder or by
 * somebody who waits for it, is reported. */
export const mutex = setup({
  types: {} as { context: MutexContext; events: MutexEvent; input: MutexSpec },
  guards: {
    byHolder: when((m, { by }) => m.holder === by),
    known: when((m, { by }) => m.holder === by || m.queue.includes(by)),
    queued: when((m) => m.queue.length > 0),
  },
  actions: {
    hold: update((m, { by }) => {
      m.holder = by;
    }),
    queue: update((m, { by }) => {
      m.queue.push(by);
    }),
    letGo: update((m) => {
      m.holder = -1;
    }),
    passOn: choose(
      'next holder',
      (m) => (m.order === 'any' ? m.queue.length : 1),
      (m, _event, pick) => {
        m.holder = m.queue.splice(pick, 1)[0]!;
      },
    ),
    grant: post((m) => ({ to: m.holder as Address, type: 'mutex.granted' })),
    complain: report((m, event) => ({
      property: 'only the holder releases a mutex, and nobody acquires it twice',
      why: `${event.type} by address ${event.by} while ${m.holder === -1 ? 'nobody' : `address ${m.holder}`} holds it${m.queue.includes(event.by) ? ' and it is in the queue' : ''}`,
    })),
  },
}).createMachine({
  id: 'mutex',
  context: ({ input }) => ({ order: input.order ?? 'fifo', holder: -1, queue: [] }),
  initial: 'free',
  states: {
    free: {
      on: {
        'mutex.acquire': { target: 'held', actions: ['hold', 'grant'] },
        'mutex.release': { actions: 'complain' },
      },
    },
    held: {
      on: {
        'mutex.acquire': [
          { guard: 'byHolder', actions: 'complain' },
          { target: 'contended', actions: 'queue' },
        ],
        'mutex.release': [{ guard: 'byHolder', target: 'free', actions: 'letGo' }, { actions: 'complain' }],
      },
    },
    contended: {
      tags: ['waiting'],
      meta: waitsFor<MutexContext>('its holder to release it', (m) => m.holder),
      on: {
        'mutex.acquire': [{ guard: 'known', actions: 'complain' }, { actions: 'queue' }],
        'mutex.release': [
          { guard: 'byHolder', target: 'passing', actions: ['passOn', 'grant'] },
          { actions: 'complain' },
        ],
      },
    },
    passing: { always: [{ guard: 'queued', target: 'contended' }, { target: 'held' }] },
  },
});
