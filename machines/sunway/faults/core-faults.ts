import type { CpeInput, CpeState } from '../../../actors/sunway/cpe/cpe-state.ts';
import type { DescriptorIssue, LdmGather, SyncArrive } from '../../../actors/sunway/messages.ts';
import { mutantsOf } from '../../mutant.ts';
import { as, begunWith, type MessageChange, plantingIn } from '../../planting.ts';
import type { SunwayParts } from '../assembly.ts';

const { saying } = plantingIn<SunwayParts>();

/** CPEs that say something else when they begin a step; `change` sees what a message was. */
const coresSaying = (change: MessageChange<CpeState>) => saying('cpe', 'fetch', change);

const lastLane = 15;

/** Faults of what CPEs make of calls: expansions of barriers, collectives, lookups, identity (Sunway specification 6). */
export const coreFaults = mutantsOf<SunwayParts>({
  'S-22': {
    sentence: 'the barrier of a column joins nobody',
    mutate: coresSaying((message) => {
      const { kind, tid } = as<SyncArrive>(message);
      return message.type === 'sync.arrive' && kind === 'column'
        ? { ...message, mask: 2 ** (tid >> 3) }
        : message;
    }),
  },
  'S-25': {
    sentence: 'a CPE takes its number for its place in the order of clusters',
    mutate: (parts) => ({
      ...parts,
      cpe: begunWith<CpeInput>(parts.cpe, (input) => {
        const { identity } = input.facts;
        return { ...input, facts: { ...input.facts, identity: { ...identity, spc_tid: identity.tid } } };
      }) as typeof parts.cpe,
    }),
  },
  'S-26': {
    sentence: 'an exchange of all with all sends everybody the unit that the CPE keeps',
    mutate: coresSaying((message, { call }) => {
      if (message.type !== 'descriptor.issue' || call?.op !== 'scoll_alltoall') return message;
      const issue = as<DescriptorIssue>(message);
      return { ...message, ldm: call.src_addr + issue.tid * issue.len };
    }),
  },
  'S-27': {
    sentence: 'a reduction takes the own operand for that of the other CPE',
    mutate: coresSaying((message, { call }) => {
      if (message.type !== 'descriptor.issue' || call?.op !== 'scoll_redurt') return message;
      const issue = as<DescriptorIssue>(message);
      return issue.kind === 'rmaGet' ? { ...message, remoteTid: issue.tid } : message;
    }),
  },
  'S-28': {
    sentence: 'the last lane of a lookup brings what the first one brings',
    mutate: coresSaying((message) => {
      if (message.type !== 'ldm.gather') return message;
      const gather = as<LdmGather>(message);
      return { ...message, offsets: gather.offsets.with(lastLane, gather.offsets[0]!) };
    }),
  },
});
