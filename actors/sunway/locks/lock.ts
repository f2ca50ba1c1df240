import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { LockGrant, LockReleased } from '../messages.ts';
import { badUnlock, grantDelay, type MutexUnitInput } from './lock-rules.ts';

/*
 * What the locks of a core group and a lock among them say to each other: nobody else hears it, and it takes no time.
 */

/** LOCK_REQ: a core asks for the lock. */
export interface LockAsk {
  readonly type: 'lock.ask';
  readonly key: string;
  readonly core: number;
  readonly requester: Address;
  /** It does not wait. */
  readonly try: boolean;
  readonly jitter: number;
}
/** LOCK_REL: a core gives it back. */
export interface LockGive {
  readonly type: 'lock.give';
  readonly core: number;
  readonly requester: Address;
  readonly jitter: number;
}
/** Somebody holds it. */
export interface LockNoted {
  readonly type: 'lock.noted';
}
/** Nobody holds it: its place is free for another one. */
export interface LockFree {
  readonly type: 'lock.free';
  readonly key: string;
}
/** What a lock hears, and what it says. */
export type LockEvent = LockAsk | LockGive;
export type LockSays = LockNoted | LockFree;

/** A lock, and the unit that it is part of. */
export interface LockInput {
  readonly self: Address;
  readonly unit: MutexUnitInput;
}

/** A core that holds a lock or waits for it. */
interface Party {
  readonly core: number;
  readonly requester: Address;
}

/** One lock. */
export interface LockContext {
  readonly spec: Fixed<LockInput>;
  /** Empty while nobody holds it. */
  key: string;
  holder: Party | null;
  /** In the order of their requests. */
  waiting: Party[];
}

const { post, report, update, when } = component<
  LockContext,
  LockEvent,
  LockSays | LockGrant | LockReleased
>();

const unit = ({ spec }: LockContext): Address => spec.value.self;

/** One lock that somebody holds (specification 6.3, 8.10): granted in the order of requests. */
export const lock = setup({
  types: {} as { context: LockContext; events: LockEvent; input: LockInput },
  guards: {
    onlyTries: when<'lock.ask'>((_c, event) => event.try),
    isHolder: when<'lock.give'>((c, { core }) => c.holder?.core === core),
    passesToLast: when<'lock.give'>((c, { core }) => c.holder?.core === core && c.waiting.length === 1),
  },
  actions: {
    hold: update<'lock.ask'>((c, { key, core, requester }) => {
      c.key = key;
      c.holder = { core, requester };
    }),
    queue: update<'lock.ask'>((c, { core, requester }) => {
      c.waiting.push({ core, requester });
    }),
    passOn: update((c) => {
      c.holder = c.waiting.shift()!;
    }),
    clear: update((c) => {
      c.key = '';
      c.holder = null;
    }),
    grant: post((c, { jitter }) => ({
      to: c.holder!.requester,
      type: 'lock.grant',
      key: c.key,
      held: true,
      delay: grantDelay(c.spec.value.unit) + jitter,
    })),
    decline: post<'lock.ask'>((c, { requester, jitter }) => ({
      to: requester,
      type: 'lock.grant',
      key: c.key,
      held: false,
      delay: 1 + jitter,
    })),
    tellReleased: post<'lock.give'>((c, { requester }) => ({
      to: requester,
      type: 'lock.released',
      key: c.key,
      right: true,
      delay: 1,
    })),
    tellWrong: post<'lock.give'>((c, { requester }) => ({
      to: requester,
      type: 'lock.released',
      key: c.key,
      right: false,
      delay: 1,
    })),
    complain: report<'lock.give'>((c, { core }) => badUnlock(c.key, core, c.holder?.core)),
    acknowledge: post((c) => ({ to: unit(c), type: 'lock.noted' })),
    tellFree: post((c) => ({ to: unit(c), type: 'lock.free', key: c.key })),
  },
}).createMachine({
  id: 'lock',
  context: ({ input }) => ({ spec: fixed(input), key: '', holder: null, waiting: [] }),
  initial: 'free',
  states: {
    free: { on: { 'lock.ask': { target: 'held', actions: ['hold', 'grant', 'acknowledge'] } } },
    held: {
      on: {
        'lock.ask': [
          { guard: 'onlyTries', actions: ['decline', 'acknowledge'] },
          { target: 'contended', actions: ['queue', 'acknowledge'] },
        ],
        'lock.give': [
          { guard: 'isHolder', target: 'free', actions: ['tellReleased', 'tellFree', 'clear'] },
          { actions: ['tellWrong', 'complain', 'acknowledge'] },
        ],
      },
    },
    // Those in the queue wait, and their states say so. No `waiting` here: an array that is halted leaves locks behind, and is not stuck.
    contended: {
      meta: waitsFor<LockContext>('its holder to give it back', (c) => c.holder!.requester),
      on: {
        'lock.ask': [
          { guard: 'onlyTries', actions: ['decline', 'acknowledge'] },
          { actions: ['queue', 'acknowledge'] },
        ],
        'lock.give': [
          {
            guard: 'passesToLast',
            target: 'held',
            actions: ['tellReleased', 'passOn', 'grant', 'acknowledge'],
          },
          { guard: 'isHolder', actions: ['tellReleased', 'passOn', 'grant', 'acknowledge'] },
          { actions: ['tellWrong', 'complain', 'acknowledge'] },
        ],
      },
    },
  },
});
