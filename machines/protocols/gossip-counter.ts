import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  counterProtocol,
  counterReplica,
  counterValue,
  type ReplicaContext,
  replicaKit,
} from '../../actors/protocols/gossip-counter.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  updates: z
    .array(z.int().min(0).max(1000))
    .min(2)
    .max(8)
    .default([1, 1])
    .describe('by replica: how often it counts, up or down'),
});

/** Configuration of a counter in replicas. */
export type GossipCounterConfig = z.output<typeof config>;

const { act, update } = replicaKit;
const sums = (one: readonly number[], other: readonly number[]) => one.map((count, at) => count + other[at]!);
const mutants = mutantsOf<AnyStateMachine>({
  adds: {
    sentence: 'a replica adds what it is told to what it knows',
    mutate: planting({
      actions: {
        merge: update<'State'>((one, { ups, downs }) => {
          one.ups = sums(one.ups, ups);
          one.downs = sums(one.downs, downs);
        }),
      },
    }),
  },
  overwrites: {
    sentence: 'a replica takes what it is told for all there is to know',
    mutate: planting({
      actions: {
        merge: update<'State'>((one, { ups, downs }) => {
          one.ups = [...ups];
          one.downs = [...downs];
        }),
      },
    }),
  },
  'one-entry': {
    sentence: 'all replicas count in the entry of the first one',
    mutate: planting({
      actions: {
        count: act((one, _event, out) => {
          const isDown = out.pick('up or down', 2) === 1;
          (isDown ? one.downs : one.ups)[0]!++;
          one.updates--;
          one.seen[one.replicas.indexOf(out.self)]!++;
          one.own += isDown ? -1 : 1;
        }),
      },
    }),
  },
  'one-number': {
    sentence: 'replicas count down by taking from what they have counted up',
    mutate: planting({
      actions: {
        count: act((one, _event, out) => {
          const at = one.replicas.indexOf(out.self);
          const by = out.pick('up or down', 2) === 1 ? -1 : 1;
          one.ups[at]! += by;
          one.updates--;
          one.seen[at]!++;
          one.own += by;
        }),
      },
    }),
  },
});

/** Replicas of a counter that tell each other what they know, over a network that may do anything but make things up. */
export const gossipCounter: Machine<GossipCounterConfig, readonly unknown[], readonly number[]> = {
  name: 'gossip-counter',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: counterProtocol,
  assemble: ({ config: { updates }, mutants: ids }) => {
    const part = withMutants<AnyStateMachine>(counterReplica, mutants, ids);
    const wiring = new Wiring({ duplicating: true });
    const replicas = counterProtocol.roles.Replica.reserve(wiring, updates.length);
    updates.forEach((count, at) => {
      wiring.place(replicas[at]!, part, { replicas, updates: count });
    });
    return {
      wiring,
      result: ({ state }) =>
        state
          .named<ReplicaContext>('Replica[*]')
          .map(({ state: name, context }) => (name === 'crashed' ? 0 : counterValue(context))),
    };
  },
  figures: (values) => [{ label: 'values', value: values.join(' ') }],
};
