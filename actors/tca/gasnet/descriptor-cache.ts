import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import type { ChannelPart } from '../protocol.ts';
import { tcaProtocol } from '../protocol.ts';

/** How many entries there are, and who asks. */
export interface DescriptorCacheInput {
  /** 0 switches the cache off. */
  readonly entries: number;
  readonly planner: Address;
}

/** Descriptors that were built, and whether a channel may still read them. */
interface Entry {
  readonly key: string;
  readonly parts: readonly ChannelPart[];
  state: 'ready' | 'inflight';
}

/** The entries that are not free, least recently used first. */
export interface DescriptorCacheContext {
  readonly spec: DescriptorCacheInput;
  entries: Entry[];
  hits: number;
  misses: number;
}

const role = tcaProtocol.roles.DescriptorCache;
const { update, act } = role.component<DescriptorCacheContext>();

/**
 * The descriptors of transfers that may come again (TCA specification 1.17, 12.7). An entry in flight is never given up: when all are, the new one
 * is not kept.
 */
export const descriptorCache = setup({
  types: role.types<DescriptorCacheContext, DescriptorCacheInput>(),
  actions: {
    find: act<'cache.find'>((c, { key }, out) => {
      const place = c.entries.findIndex((entry) => entry.key === key);
      const { planner } = c.spec;
      if (place < 0) {
        c.misses++;
        out.post({ to: planner, type: 'cache.found', parts: null });
        return;
      }
      c.hits++;
      const [entry] = c.entries.splice(place, 1) as [Entry];
      c.entries.push({ ...entry, state: 'inflight' });
      out.post({ to: planner, type: 'cache.found', parts: entry.parts });
    }),
    keep: update<'cache.keep'>((c, { key, parts }) => {
      if (c.entries.length >= c.spec.entries) {
        const oldest = c.entries.findIndex(({ state }) => state === 'ready');
        if (oldest < 0) return;
        c.entries.splice(oldest, 1);
      }
      c.entries.push({ key, parts, state: 'inflight' });
    }),
    release: update<'cache.release'>((c, { keys }) => {
      for (const entry of c.entries) if (keys.includes(entry.key)) entry.state = 'ready';
    }),
  },
}).createMachine({
  id: 'descriptorCache',
  context: ({ input }) => ({ spec: input, entries: [], hits: 0, misses: 0 }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'cache.find': { actions: 'find' },
        'cache.keep': { actions: 'keep' },
        'cache.release': { actions: 'release' },
      },
    },
  },
});
