import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { tcaProtocol } from '../protocol.ts';
import type { RingClass } from './layout.ts';

/** The sending side of a ring: to whom it leads, and who uses it. */
export interface PacketTxInput {
  readonly peer: number;
  readonly ring: RingClass;
  readonly slots: number;
  readonly planner: Address;
  readonly runtime: Address;
}

/** Counts of a sender (TCA specification 11); both only grow. */
export interface PacketTxContext {
  readonly spec: PacketTxInput;
  /** Packets sent. */
  head: number;
  /** Packets of which the receiver has told that their slots are free. */
  freed: number;
  /** Packets that DMA channels carried, by number, as long as they are not known to have arrived. */
  carried: { readonly sequence: number; readonly channels: readonly number[] }[];
}

const role = tcaProtocol.roles.PacketTx;
const { update, when, act } = role.component<PacketTxContext>();

/** The sending side of a ring of packets (TCA specification 11): a slot is filled only when the receiver has freed it. */
export const packetTx = setup({
  types: role.types<PacketTxContext, PacketTxInput>(),
  guards: {
    room: when((c) => c.head - c.freed < c.spec.slots),
    roomThen: when<'ring.freed'>((c, { freed }) => c.head - freed < c.spec.slots),
    allFreed: when((c) => c.freed === c.head),
  },
  actions: {
    give: act<'tx.reserve'>((c, _event, out) => {
      const behind = [...new Set(c.carried.flatMap(({ channels }) => channels))].sort((a, b) => a - b);
      out.post({ to: c.spec.planner, type: 'tx.slot', sequence: c.head, behind });
    }),
    refuse: act<'tx.reserve'>((c, _event, out) =>
      out.post({ to: c.spec.planner, type: 'tx.full', sequence: c.head }),
    ),
    sent: update<'tx.posted'>((c, { channels }) => {
      // What goes by PIO went after all that channels carried had left; it need not be waited for again.
      c.carried = channels.length > 0 ? [...c.carried, { sequence: c.head, channels }] : [];
      c.head++;
    }),
    free: act<'ring.freed'>((c, { freed }, out) => {
      const { runtime, peer, ring } = c.spec;
      c.freed = Math.max(c.freed, freed);
      c.carried = c.carried.filter(({ sequence }) => sequence >= c.freed);
      out.post({ to: runtime, type: 'tx.freed', peer, ring, freed: c.freed });
    }),
  },
}).createMachine({
  id: 'packetTx',
  context: ({ input }) => ({ spec: input, head: 0, freed: 0, carried: [] }),
  on: { 'ring.freed': { actions: 'free' } },
  initial: 'idle',
  states: {
    idle: { on: { 'tx.reserve': { target: 'filling', actions: 'give' } } },
    filling: { on: { 'tx.posted': { target: 'inflight', actions: 'sent' } } },
    inflight: {
      always: { guard: 'allFreed', target: 'idle' },
      on: {
        'tx.reserve': [
          { guard: 'room', target: 'filling', actions: 'give' },
          { target: 'blocked', actions: 'refuse' },
        ],
      },
    },
    // Left by an update message alone.
    blocked: {
      on: {
        'tx.reserve': { actions: 'refuse' },
        'ring.freed': [{ guard: 'roomThen', target: 'inflight', actions: 'free' }, { actions: 'free' }],
      },
    },
  },
});
