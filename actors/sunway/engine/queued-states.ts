import { waitingFor } from '../../../kernel/outcome.ts';
import { engineOf, type TransferHead } from './transfer-head.ts';

/** What a transfer goes through before it is in the queue of its CPE, and a barrier operation until it is over (specification 7.2, 8.2, 8.4); then comes the state `queued`. */
export const queuedStates = <C extends TransferHead>() =>
  ({
    free: {
      on: {
        'transfer.open': [
          { guard: 'issuesBarrier', target: 'barrierHold', actions: ['latch', 'acknowledge'] },
          { guard: 'hasPlace', target: 'queued', actions: ['latch', 'acknowledge'] },
          { target: 'waitingForPlace', actions: ['latch', 'acknowledge'] },
        ],
      },
    },
    waitingForPlace: {
      ...waitingFor<C>('a place in the queue of its CPE', engineOf),
      on: {
        'transfer.placed': [
          { guard: 'isBarrier', target: 'barrierHold', actions: 'acknowledge' },
          { target: 'queued', actions: 'acknowledge' },
        ],
      },
    },
    barrierHold: {
      ...waitingFor<C>('the earlier transfers of its CPE to be complete', engineOf),
      on: { 'transfer.pass': { target: 'free', actions: ['clear', 'acknowledge'] } },
    },
  }) as const;
