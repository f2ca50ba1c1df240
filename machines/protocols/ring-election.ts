import type { AnyStateMachine } from 'xstate';
import { z } from 'zod';
import {
  type RingNodeContext,
  ringElectionProtocol,
  ringNode,
  ringNodeKit,
} from '../../actors/protocols/ring-election.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../machine.ts';
import { mutantSentences, mutantsOf, withMutants } from '../mutant.ts';
import { planting } from '../planting.ts';
import { noPrograms } from './no-programs.ts';

const config = z.strictObject({
  ids: z
    .array(z.int().min(0).max(1000))
    .min(1)
    .max(12)
    .refine((ids) => new Set(ids).size === ids.length, 'identities must be different')
    .default([2, 0, 3, 1])
    .describe('identities of the nodes, in the order of the ring'),
});

/** Configuration of the election. */
export type RingElectionConfig = z.output<typeof config>;

const { when } = ringNodeKit;
const guarded = (sentence: string, guards: object) => ({ sentence, mutate: planting({ guards }) });
const mutants = mutantsOf<AnyStateMachine>({
  'passes-all': guarded('a node passes on smaller identities, too', {
    isLarger: when<'Election'>((node, { id }) => id !== node.id),
    isSmaller: when<'Election'>(() => false),
  }),
  'leads-early': guarded('a node takes a larger identity that comes back for its own', {
    isLarger: when<'Election'>((node, { id }) => id > node.id + 1),
    isOwn: when<'Election' | 'Elected'>((node, { id }) => id === node.id || id === node.id + 1),
  }),
  'stops-larger': guarded('a node that takes part does not pass on larger identities', {
    isLarger: when<'Election'>(() => false),
  }),
});

/** Nodes of a ring that elect the one of the largest identity. */
export const ringElection: Machine<RingElectionConfig, readonly unknown[], readonly number[]> = {
  name: 'ring-election',
  config,
  programs: noPrograms,
  mutants: mutantSentences(mutants),
  asynchronous: true,
  protocol: ringElectionProtocol,
  assemble: ({ config: { ids }, mutants: planted }) => {
    const part = withMutants<AnyStateMachine>(ringNode, mutants, planted);
    const wiring = new Wiring({});
    const nodes = ringElectionProtocol.roles.Node.reserve(wiring, ids.length);
    for (const [at, id] of ids.entries())
      wiring.place(nodes[at]!, part, { next: nodes[(at + 1) % ids.length], id });
    return {
      wiring,
      result: (run) => run.state.named<RingNodeContext>('Node[*]').map(({ context }) => context.leader ?? -1),
    };
  },
  figures: (leaders) => [{ label: 'leader, as each node knows it', value: leaders.join(', ') }],
};
