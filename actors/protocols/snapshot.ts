import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { field } from '../../kernel/protocol/field.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** What processes send each other: money, and markers that divide what was sent before a record from what comes after. */
export const snapshotProtocol = protocol({
  Process: {
    receives: { Transfer: { amount: field.int() }, Marker: {} },
    timers: ['transfer', 'snapshot'],
  },
});
const role = snapshotProtocol.roles.Process;

/** Fixed when the process is placed. */
export interface SnapshotSpec {
  /** All others: there is a channel from and to each. */
  readonly peers: readonly Address[];
  readonly balance: number;
  /** Transfers that it makes in all. */
  readonly transfers: number;
  /** Whether it begins the snapshot. */
  readonly begins: boolean;
}

/** What a process remembers. */
export interface SnapshotContext {
  readonly peers: readonly Address[];
  readonly begins: boolean;
  balance: number;
  /** Transfers still to be made. */
  transfers: number;
  /** What it recorded of itself; undefined before. */
  recorded: { readonly balance: number; readonly transfers: number } | null;
  /** By peer: the money recorded on the channel from it. */
  channels: number[];
  /** Peers from which a marker is still to come, ascending. */
  open: Address[];
}

/** The kit of these processes, also for planted faults. */
export const snapshotKit = role.component<SnapshotContext>();
const { act, post, update, when } = snapshotKit;

/**
 * A process that sends money to others, and records its state and that of the channels to it (Chandy and Lamport, "Distributed snapshots: determining global states of distributed
 * systems", 1985).
 */
export const snapshotProcess = setup({
  types: role.types<SnapshotContext, SnapshotSpec>(),
  guards: {
    isOpen: when<'Transfer'>(({ open }, _event, { from }) => open.includes(from)),
    isComplete: when(({ open }) => open.length === 0),
  },
  actions: {
    begin: act(({ begins }, _event, out) => {
      out.setTimer('transfer');
      if (begins) out.setTimer('snapshot');
    }),
    pay: act((process, _event, out) => {
      if (process.transfers === 0) return;
      out.setTimer('transfer');
      if (process.balance === 0) return;
      process.balance--;
      process.transfers--;
      const to = process.peers[out.pick('who is paid', process.peers.length)]!;
      out.post({ to, type: 'Transfer', amount: 1 });
    }),
    receive: update<'Transfer'>((process, { amount }) => {
      process.balance += amount;
    }),
    record: update((process) => {
      const { balance, transfers, peers } = process;
      process.recorded = { balance, transfers };
      process.open = [...peers];
    }),
    sendMarkers: post(({ peers }) => peers.map((to) => ({ to, type: 'Marker' }))),
    note: update<'Transfer'>((process, { amount }, { from }) => {
      process.channels[process.peers.indexOf(from)]! += amount;
    }),
    close: update<'Marker'>((process, _event, { from }) => {
      process.open = process.open.filter((one) => one !== from);
    }),
  },
}).createMachine({
  id: 'snapshotProcess',
  context: ({ input: { peers, begins, balance, transfers } }) => ({
    peers,
    begins,
    balance,
    transfers,
    recorded: null,
    channels: peers.map(() => 0),
    open: [],
  }),
  initial: 'computing',
  entry: 'begin',
  on: {
    transfer: { actions: 'pay' },
    Transfer: { actions: 'receive' },
    Marker: refused,
    snapshot: refused,
  },
  states: {
    computing: {
      on: {
        snapshot: { target: 'recording', actions: ['record', 'sendMarkers'] },
        Marker: { target: 'recording', actions: ['record', 'sendMarkers', 'close'] },
      },
    },
    recording: {
      always: { guard: 'isComplete', target: 'recorded' },
      on: {
        Transfer: [{ guard: 'isOpen', actions: ['receive', 'note'] }, { actions: 'receive' }],
        Marker: { actions: 'close' },
      },
    },
    recorded: {},
  },
});
