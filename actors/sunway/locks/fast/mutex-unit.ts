import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import type { Address } from '../../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { type Jittered, jitterCount, keepJitter } from '../../jitter.ts';
import type { LockGrant, LockRelease, LockReleased, LockRequest } from '../../messages.ts';
import { badUnlock, grantDelay, type MutexUnitInput } from '../lock-rules.ts';

/** Who holds a lock, and who waits for it, in the order of their requests. */
interface HeldLock {
  holder: number;
  waiting: { readonly core: number; readonly requester: Address }[];
}

/** The locks of one core group, or of the node. */
export interface FastMutexUnitContext extends Jittered {
  readonly spec: Fixed<MutexUnitInput>;
  /** Locks that somebody holds, by key. */
  locks: Map<string, HeldLock>;
}

type MutexUnitEvent = LockRequest | LockRelease;
type MutexUnitSends = LockGrant | LockReleased;
type Out = Outbox<MutexUnitSends>;

const { act, choose } = component<FastMutexUnitContext, MutexUnitEvent, MutexUnitSends>();

/** Tells a core that it holds a lock, or that its try came too late. Its request has taken a cycle already. */
function answer(c: FastMutexUnitContext, to: Address, key: string, held: boolean, out: Out): void {
  const delay = (held ? grantDelay(c.spec.value) : 1) + c.jitter;
  out.post({ to, type: 'lock.grant', key, held, delay });
}

/** Locks by key as plain code: the fast twin of `../mutex-unit.ts`, with the same messages in the same order. */
export const fastMutexUnit = setup({
  types: {} as { context: FastMutexUnitContext; events: MutexUnitEvent; input: MutexUnitInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    request: act<'lock.request'>((c, { key, core, try: tries }, out) => {
      const lock = c.locks.get(key);
      if (lock === undefined) {
        c.locks.set(key, { holder: core, waiting: [] });
        answer(c, out.from, key, true, out);
      } else if (tries) answer(c, out.from, key, false, out);
      else lock.waiting.push({ core, requester: out.from });
    }),
    release: act<'lock.release'>((c, { key, core }, out) => {
      const lock = c.locks.get(key);
      const right = lock?.holder === core;
      out.post({ to: out.from, type: 'lock.released', key, right, delay: 1 });
      if (!right) {
        out.report(badUnlock(key, core, lock?.holder));
        return;
      }
      const next = lock.waiting.shift();
      if (next === undefined) c.locks.delete(key);
      else {
        lock.holder = next.core;
        answer(c, next.requester, key, true, out);
      }
    }),
  },
}).createMachine({
  id: 'fastMutexUnit',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0, locks: new Map() }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'lock.request': { actions: ['drawJitter', 'request'] },
        'lock.release': { actions: ['drawJitter', 'release'] },
      },
    },
  },
});
