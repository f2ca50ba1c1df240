import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import { type Jittered, jitterCount, keepJitter } from '../jitter.ts';
import { takeMember } from '../members.ts';
import type { LockRelease, LockReleased, LockRequest } from '../messages.ts';
import type { LockEvent, LockSays } from './lock.ts';
import { badUnlock, type MutexUnitInput } from './lock-rules.ts';

/** Locks that are actors inside their unit. */
export interface WholeMutexUnitInput extends MutexUnitInput {
  /** Member 0 of the family of locks. */
  readonly locks: Address;
}

/** The locks of one core group, or of the node. */
export interface MutexUnitContext extends Jittered {
  readonly spec: Fixed<WholeMutexUnitInput>;
  /** By key, locks that somebody holds: members of the family. */
  held: Map<string, number>;
  /** Members that are in use, ascending. */
  used: number[];
}

type MutexUnitEvent = LockRequest | LockRelease | LockSays;

const { act, choose, post, report, update, when } = component<
  MutexUnitContext,
  MutexUnitEvent,
  LockEvent | LockReleased
>();

/** Locks by key (specification 6.3, 8.10). What a lock goes through is told by `lock.ts`, one actor for each that somebody holds. */
export const mutexUnit = setup({
  types: {} as { context: MutexUnitContext; events: MutexUnitEvent; input: WholeMutexUnitInput },
  guards: {
    isHeld: when<'lock.release'>((c, { key }) => c.held.has(key)),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    ask: act<'lock.request'>((c, { key, core, try: tries }, out) => {
      const member = c.held.get(key) ?? takeMember(c.used);
      c.held.set(key, member);
      const to = memberOf(c.spec.value.locks, member);
      out.post({ to, type: 'lock.ask', key, core, requester: out.from, try: tries, jitter: c.jitter });
    }),
    giveBack: post<'lock.release'>((c, { key, core }, { from: requester }) => ({
      to: memberOf(c.spec.value.locks, c.held.get(key)!),
      type: 'lock.give',
      core,
      requester,
      jitter: c.jitter,
    })),
    tellWrong: post<'lock.release'>((_c, { key }, { from: to }) => ({
      to,
      type: 'lock.released',
      key,
      right: false,
      delay: 1,
    })),
    complain: report<'lock.release'>((_c, { key, core }) => badUnlock(key, core, undefined)),
    close: update<'lock.free'>((c, { key }) => {
      const member = c.held.get(key)!;
      c.held.delete(key);
      c.used = c.used.filter((one) => one !== member);
    }),
  },
}).createMachine({
  id: 'mutexUnit',
  context: ({ input }) => ({ spec: fixed(input), jitter: 0, held: new Map(), used: [] }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'lock.request': { target: 'handing', actions: ['drawJitter', 'ask'] },
        'lock.release': [
          { guard: 'isHeld', target: 'handing', actions: ['drawJitter', 'giveBack'] },
          { actions: ['drawJitter', 'tellWrong', 'complain'] },
        ],
      },
    },
    handing: { on: { 'lock.noted': 'idle', 'lock.free': { target: 'idle', actions: 'close' } } },
  },
});
