import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { memberAddress } from '../address.ts';
import { eibProtocol } from './protocol.ts';
import type { RingScheduler, RingStart } from './ring-scheduler.ts';

/** What a data arbiter is made from. */
export interface DataArbiterInput {
  readonly scheduler: RingScheduler;
  /** The stores by element. */
  readonly stores: readonly Address[];
}

/** The data arbiter: its scheduler, the cycle in which it will look again, and what it lets start in this one. */
export interface DataArbiterContext {
  readonly scheduler: RingScheduler;
  readonly stores: readonly Address[];
  /** Cycle of the next decision, -1 for none. */
  wakeAt: number;
  starts: readonly RingStart[];
}

const role = eibProtocol.roles.DataArbiter;
const { update, post, when, probe } = role.component<DataArbiterContext>();

/**
 * The data arbiter (Cell specification 19.1, 19.2): decides which packets start, and sleeps while nothing can change.
 *
 * Details: a packet that became eligible in cycle t starts in t+1 at the earliest, so a decision never depends on the order of the messages of
 * its own cycle.
 */
export const eibDataArbiter = setup({
  types: role.types<DataArbiterContext, DataArbiterInput>(),
  guards: {
    sleepsTooLong: when((a, _event, { now }) => a.wakeAt < 0 || a.wakeAt > now + 1),
    stale: when((a, _event, { now }) => a.wakeAt !== now),
    empty: when((a) => a.scheduler.eligibleCount === 0),
    stuck: when((a) => a.wakeAt < 0),
  },
  actions: {
    admit: update<'packet.eligible'>((a, { packet }, { now }) => {
      a.scheduler.admit(packet, now);
    }),
    wakeNext: update((a, _event, { now }) => {
      a.wakeAt = now + 1;
    }),
    decide: update((a, _event, { now }) => {
      a.starts = a.scheduler.decide(now);
      a.wakeAt = a.scheduler.nextChange(now) ?? -1;
    }),
    setAlarm: post((a, _event, { now, self }) => ({
      to: self,
      type: 'arbiter.decide',
      delay: a.wakeAt - now,
    })),
    showStarts: probe((a, _event, { now: t }) =>
      a.starts.map(({ packet, dir, ring, beats, hold }) => ({
        type: 'START',
        t,
        packet,
        dir,
        ring,
        beats,
        hold,
      })),
    ),
    letStart: post((a) =>
      a.starts.map(({ packet, beats }) => ({
        to: memberAddress(a.stores, packet.source),
        type: 'packet.start',
        packet,
        beats,
      })),
    ),
  },
}).createMachine({
  id: 'eibDataArbiter',
  context: ({ input }) => ({ ...input, wakeAt: -1, starts: [] }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'packet.eligible': { target: 'holding', actions: ['admit', 'wakeNext', 'setAlarm'] },
        // An alarm that an earlier one made superfluous.
        'arbiter.decide': refused,
      },
    },
    holding: {
      ...waitingFor<DataArbiterContext>('a free path'),
      on: {
        'packet.eligible': [
          { guard: 'sleepsTooLong', actions: ['admit', 'wakeNext', 'setAlarm'] },
          { actions: 'admit' },
        ],
        'arbiter.decide': [{ guard: 'stale' }, { target: 'deciding', actions: 'decide' }],
      },
    },
    deciding: {
      entry: ['showStarts', 'letStart'],
      always: [
        { guard: 'empty', target: 'idle' },
        { guard: 'stuck', target: 'holding' },
        { target: 'holding', actions: 'setAlarm' },
      ],
    },
  },
});
