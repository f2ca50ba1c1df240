import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  type SnapshotContext,
  snapshotKit,
  snapshotProcess,
  snapshotProtocol,
} from '../../actors/protocols/snapshot.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  balances: z
    .array(z.int().min(0).max(1000))
    .min(2)
    .max(8)
    .default([1, 1, 0])
    .describe('what each process has at first; the first one begins the snapshot'),
  transfers: z.int().min(0).max(1000).default(1).describe('transfers that each of them makes'),
});

/** Configuration of a snapshot. */
export type SnapshotConfig = z.output<typeof config>;

/** What was recorded, by process; null where nothing was. */
export interface SnapshotResult {
  readonly balances: readonly (number | null)[];
  readonly channels: readonly number[];
}

const { post, update, when } = snapshotKit;
const mutants = mutantsOf<AnyStateMachine>({
  'forgets-channels': {
    sentence: 'a process records nothing of what is on its way to it',
    mutate: planting({ guards: { isOpen: when(() => false) } }),
  },
  'records-after-marker': {
    sentence: 'a process records what comes on a channel behind the marker, too',
    mutate: planting({ guards: { isOpen: when(() => true) } }),
  },
  'records-again': {
    sentence: 'a process records its own state again with every marker',
    mutate: planting({
      actions: {
        close: update<'Marker'>((one, _event, { from }) => {
          one.recorded = { balance: one.balance, transfers: one.transfers };
          one.open = one.open.filter((peer) => peer !== from);
        }),
      },
    }),
  },
  'keeps-a-marker': {
    sentence: 'a process sends no marker to the last of the others',
    mutate: planting({
      actions: {
        sendMarkers: post(({ peers }) => peers.slice(0, -1).map((to) => ({ to, type: 'Marker' }))),
      },
    }),
  },
});

/** Processes that send each other money, and record a global state while they do. */
export const snapshot: Machine<SnapshotConfig, readonly unknown[], SnapshotResult> = {
  name: 'snapshot',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: snapshotProtocol,
  assemble: ({ config: { balances, transfers }, mutants: ids }) => {
    const part = withMutants<AnyStateMachine>(snapshotProcess, mutants, ids);
    const wiring = new Wiring({ order: 'perChannel' });
    const all = snapshotProtocol.roles.Process.reserve(wiring, balances.length);
    all.forEach((address, at) => {
      const peers = all.filter((one) => one !== address);
      wiring.place(address, part, { peers, balance: balances[at], transfers, begins: at === 0 });
    });
    return {
      wiring,
      result: ({ state }) => {
        const contexts = state.named<SnapshotContext>('Process[*]').map(({ context }) => context);
        return {
          balances: contexts.map(({ recorded }) => recorded?.balance ?? null),
          channels: contexts.flatMap(({ channels }) => channels),
        };
      },
    };
  },
  figures: ({ balances, channels }) => [
    { label: 'recorded of processes', value: balances.map((one) => one ?? 'nothing').join(' ') },
    { label: 'recorded of channels', value: channels.join(' ') },
  ],
};
