import { setup } from 'xstate';
import { component, refused } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { memberAddress } from '../address.ts';
import type { ArbiterDecide, PacketEligible } from './messages.ts';
import type { RingScheduler, RingStart } from './ring-scheduler.ts';

/** What a data arbiter is made from. */
export interface DataArbiterInput {
  readonly scheduler: RingScheduler;
  readonly self: Address;
  /** The stores by element. */
  readonly stores: readonly Address[];
}

/** The data arbiter: its scheduler, the cycle in which it will look again, and what it lets start in this one. */
export interface DataArbiterContext {
  readonly scheduler: RingScheduler;
  readonly self: Address;
  readonly stores: readonly Address[];
  /** Cycle of the next decision, -1 for none. */
  wakeAt: number;
  starts: readonly RingStart[];
}

type DataArbiterEvent = PacketEligible | ArbiterDecide;

const { update, post, when, probe } = component<DataArbiterContext, DataArbiterEvent>();

/**
 * The data arbiter (Cell specification 19.1, 19.2): decides which packets start, and sleeps while nothing can change.
 *
 * Details: a packet that became eligible in cycle t starts in t+1 at the earliest, so a decision never depends on the order of the messages of
 * its own cycle.
 */
export const eibDataArbiter = setup({
  types: {} as { context: DataArbiterContext; events: DataArbiterEvent; input: DataArbiterInput },
  guards: {
    sleepsTooLong: when((a, { t }) => a.wakeAt < 0 || a.wakeAt > t + 1),
    stale: when((a, { t }) => a.wakeAt !== t),
    empty: when((a) => a.scheduler.eligibleCount === 0),
    stuck: when((a) => a.wakeAt < 0),
  },
  actions: {
    admit: update<'packet.eligible'>((a, { packet, t }) => {
      a.scheduler.admit(packet, t);
    }),
    wakeNext: update((a, { t }) => {
      a.wakeAt = t + 1;
    }),
    decide: update((a, { t }) => {
      a.starts = a.scheduler.decide(t);
      a.wakeAt = a.scheduler.nextChange(t) ?? -1;
    }),
    setAlarm: post((a, { t }) => ({
      to: a.self,
      type: 'arbiter.decide',
      t: a.wakeAt,
      delay: a.wakeAt - t,
    })),
    showStarts: probe((a, { t }) =>
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
    letStart: post((a, { t }) =>
      a.starts.map(({ packet, beats }) => ({
        to: memberAddress(a.stores, packet.source),
        type: 'packet.start',
        packet,
        beats,
        t,
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
      tags: ['waiting'],
      meta: waitsFor<DataArbiterContext>('a free path', (a) => a.self),
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
