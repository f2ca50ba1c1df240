import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import { type Jittered, type JitterInput, jitterCount, keepJitter } from './jitter.ts';
import type { LockGrant, LockRelease, LockReleased, LockRequest } from './messages.ts';

/** The locks of one core group, or of the node. */
export interface MutexUnitInput extends JitterInput {
  /** Cycles from a request, or from the release before it, to the grant; at least 2. */
  readonly grantCycles: number;
}

/** Who holds a lock, and who waits for it, in the order of their requests. */
interface HeldLock {
  holder: number;
  waiting: { readonly core: number; readonly requester: Address }[];
}

/** The locks of one core group, or of the node. */
export interface MutexUnitContext extends Jittered {
  readonly spec: Fixed<MutexUnitInput>;
  /** Locks that somebody holds, by key. */
  locks: Map<string, HeldLock>;
}

type MutexUnitEvent = LockRequest | LockRelease;
type MutexUnitSends = LockGrant | LockReleased;
type Out = Outbox<MutexUnitSends>;

const { act, choose } = component<MutexUnitContext, MutexUnitEvent, MutexUnitSends>();

/** Tells a core that it holds a lock, or that its try came too late. Its request has taken a cycle already. */
function answer(c: MutexUnitContext, to: Address, key: string, held: boolean, out: Out): void {
  const delay = (held ? Math.max(1, c.spec.value.grantCycles - 1) : 1) + c.jitter;
  out.post({ to, type: 'lock.grant', key, held, delay });
}

/** A core as reports name it: CPEs are counted over the node, 64 a core group, and hosts from -1 down. */
const nameOf = (core: number): string =>
  core < 0
    ? `the host of core group ${-1 - core}`
    : `CPE ${core % 64} of core group ${Math.floor(core / 64)}`;

/** Locks by key, granted in the order of requests (specification 6.3, 8.10). */
export const mutexUnit = setup({
  types: {} as { context: MutexUnitContext; events: MutexUnitEvent; input: MutexUnitInput },
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
        const holder = lock === undefined ? 'nobody holds it' : `${nameOf(lock.holder)} holds it`;
        out.report({
          property: 'only its holder gives a lock back',
          why: `BadUnlock: ${nameOf(core)} gives back lock ${key}, but ${holder}`,
        });
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
  id: 'mutexUnit',
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
