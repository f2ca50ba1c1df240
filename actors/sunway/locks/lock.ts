import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type LockKept, lockParts, lockStates } from '../../common/lock.ts';
import type { LockGrant, LockReleased } from '../messages.ts';
import type { SunwayMessage } from '../protocol.ts';
import { badUnlock, grantDelay, type MutexUnitInput } from './lock-rules.ts';

/** What a lock hears, and what it says. */
export type LockEvent = SunwayMessage<'lock.ask' | 'lock.give'>;
export type LockSays = SunwayMessage<'lock.noted' | 'lock.free'>;

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

/** One lock: its key is empty while nobody holds it. */
export interface LockContext extends LockKept<Party> {
  readonly spec: Fixed<LockInput>;
  key: string;
}

const kit = component<LockContext, LockEvent, LockSays | LockGrant | LockReleased>();
const { post, report, update, when } = kit;
const { guards, actions } = lockParts(
  kit,
  ({ core, requester }): Party => ({ core, requester }),
  undefined,
  (one, other) => one.core === other.core,
);

const unit = ({ spec }: LockContext): Address => spec.value.self;

/** One lock that somebody holds (specification 6.3, 8.10): granted in the order of requests. */
export const lock = setup({
  types: {} as { context: LockContext; events: LockEvent; input: LockInput },
  guards: { ...guards, isDeclined: when<'lock.ask'>((_c, event) => event.try) },
  actions: {
    ...actions,
    keepKey: update<'lock.ask'>((c, { key }) => {
      c.key = key;
    }),
    forgetKey: update((c) => {
      c.key = '';
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
  context: ({ input }) => ({ spec: fixed(input), key: '', holder: null, queue: [] }),
  initial: 'free',
  states: lockStates(
    'lock.ask',
    'lock.give',
    {
      take: ['keepKey', 'hold', 'grant', 'acknowledge'],
      queue: ['queue', 'acknowledge'],
      decline: ['decline', 'acknowledge'],
      giveBack: ['tellReleased'],
      open: ['tellFree', 'letGo', 'forgetKey'],
      pass: ['passOn', 'grant', 'acknowledge'],
      refuse: ['tellWrong', 'complain', 'acknowledge'],
    },
    // Those in the queue wait, and their states say so. No `waiting` here: an array that is halted leaves locks behind, and is not stuck.
    { meta: waitsFor<LockContext>('its holder to give it back', (c) => c.holder!.requester) },
  ),
});
