import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { type LockKept, lockParts, lockStates } from './lock.ts';

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

/** What a mutex remembers: how it finds the next holder, who holds it, null when nobody does, and who waits. */
export interface MutexContext extends LockKept<Address> {
  readonly order: 'fifo' | 'any';
}

type MutexEvent = MutexAcquire | MutexRelease;

const kit = component<MutexContext, MutexEvent>();
const { guards, actions } = lockParts(
  kit,
  ({ by }) => by,
  ({ order }) => order,
);

/** A mutual exclusion lock with a queue. A release by somebody else, or an acquire by the holder or by
 * somebody who waits for it, is reported. */
export const mutex = setup({
  types: {} as { context: MutexContext; events: MutexEvent; input: MutexSpec },
  guards: { ...guards, isDeclined: guards.isKnown },
  actions: {
    ...actions,
    grant: kit.post((m) => ({ to: m.holder as Address, type: 'mutex.granted' })),
    complain: kit.report((m, event) => ({
      property: 'only the holder releases a mutex, and nobody acquires it twice',
      why: `${event.type} by address ${event.by} while ${m.holder === null ? 'nobody' : `address ${m.holder}`} holds it${m.queue.includes(event.by) ? ' and it is in the queue' : ''}`,
    })),
  },
}).createMachine({
  id: 'mutex',
  context: ({ input }) => ({ order: input.order ?? 'fifo', holder: null, queue: [] }),
  initial: 'free',
  on: { 'mutex.release': { actions: 'complain' } },
  states: lockStates(
    'mutex.acquire',
    'mutex.release',
    {
      take: ['hold', 'grant'],
      queue: ['queue'],
      decline: ['complain'],
      giveBack: [],
      open: ['letGo'],
      pass: ['passOn', 'grant'],
      refuse: ['complain'],
    },
    {
      ...waitingFor<MutexContext>('its holder to release it', (m) => m.holder as Address),
    },
  ),
});
