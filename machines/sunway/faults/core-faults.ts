import type { CpeInput, CpeState } from '../../../actors/sunway/cpe/cpe-state.ts';
import type { DescriptorIssue, LdmGather, SyncArrive, ThreadStart } from '../../../actors/sunway/messages.ts';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import type { Mutant } from '../../mutant.ts';
import { altered, begunWith, planted, recipeOf } from '../../planting.ts';
import type { SunwayParts } from '../assembly.ts';

const core = component<CpeState, ThreadStart>();

/** Parts whose CPEs say something else when they begin a step; `change` sees what a message was. */
function withCoresSaying(
  parts: SunwayParts,
  change: (message: Post, c: CpeState) => readonly Post[],
): SunwayParts {
  const sound = recipeOf<CpeState>(parts.cpe, 'fetch');
  return {
    ...parts,
    cpe: planted(parts.cpe, {
      actions: {
        fetch: core.act((c, event, out) =>
          sound(
            c,
            event,
            altered(out as Outbox, (message) => change(message, c)),
          ),
        ),
      },
    }),
  };
}

/** A message of one type, as the fault sees it: its type says what it is. */
const as = <T>(message: Post): T & Post => message as T & Post;
const lastLane = 15;

/** Faults of what CPEs make of calls: expansions of barriers, collectives, lookups, identity (Sunway specification 6). */
export const coreFaults: readonly (readonly [string, Mutant<SunwayParts>])[] = [
  [
    'S-22',
    {
      sentence: 'the barrier of a column joins nobody',
      mutate: (parts) =>
        withCoresSaying(parts, (message) => {
          if (message.type !== 'sync.arrive') return [message];
          const { kind, tid } = as<SyncArrive>(message);
          return [kind === 'column' ? ({ ...message, mask: 2 ** (tid >> 3) } as Post) : message];
        }),
    },
  ],
  [
    'S-25',
    {
      sentence: 'a CPE takes its number for its place in the order of clusters',
      mutate: (parts) => ({
        ...parts,
        cpe: begunWith<CpeInput>(parts.cpe, (input) => {
          const { identity } = input.facts;
          return {
            ...input,
            facts: { ...input.facts, identity: { ...identity, spc_tid: identity.tid } },
          };
        }) as typeof parts.cpe,
      }),
    },
  ],
  [
    'S-26',
    {
      sentence: 'an exchange of all with all sends everybody the unit that the CPE keeps',
      mutate: (parts) =>
        withCoresSaying(parts, (message, { call }) => {
          if (message.type !== 'descriptor.issue' || call?.op !== 'scoll_alltoall') return [message];
          const issue = as<DescriptorIssue>(message);
          return [{ ...message, ldm: call.src_addr + issue.tid * issue.len } as Post];
        }),
    },
  ],
  [
    'S-27',
    {
      sentence: 'a reduction takes the own operand for that of the other CPE',
      mutate: (parts) =>
        withCoresSaying(parts, (message, { call }) => {
          if (message.type !== 'descriptor.issue' || call?.op !== 'scoll_redurt') return [message];
          const issue = as<DescriptorIssue>(message);
          return [issue.kind === 'rmaGet' ? ({ ...message, remoteTid: issue.tid } as Post) : message];
        }),
    },
  ],
  [
    'S-28',
    {
      sentence: 'the last lane of a lookup brings what the first one brings',
      mutate: (parts) =>
        withCoresSaying(parts, (message) => {
          if (message.type !== 'ldm.gather') return [message];
          const gather = as<LdmGather>(message);
          return [{ ...message, offsets: gather.offsets.with(lastLane, gather.offsets[0]!) } as Post];
        }),
    },
  ],
];
