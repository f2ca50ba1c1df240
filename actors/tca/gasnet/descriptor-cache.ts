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
const { update, act, post, when } = role.component<DescriptorCacheContext>();

/**
 * The descriptors of transfers that may come again (TCA specification 1.17, 12.7). An entry in flight is never given up: when all are, the new one
 * is not kept.
 */
export const descriptorCache = setup({
  types: role.types<DescriptorCacheContext, DescriptorCacheInput>(),
  guards: {
    isKept: when<'cache.find'>(({ entries }, { key }) => entries.some((entry) => entry.key === key)),
    isFull: when(({ spec, entries }) => entries.length >= spec.entries),
    allInFlight: when(
      ({ spec, entries }) =>
        entries.length >= spec.entries && entries.every(({ state }) => state === 'inflight'),
    ),
  },
  actions: {
    hit: act<'cache.find'>((c, { key }, out) => {
      c.hits++;
      const place = c.entries.findIndex((entry) => entry.key === key);
      const [entry] = c.entries.splice(place, 1) as [Entry];
      c.entries.push({ ...entry, state: 'inflight' });
      out.post({ to: c.spec.planner, type: 'cache.found', parts: entry.parts });
    }),
    countMiss: update((c) => {
      c.misses++;
    }),
    miss: post(({ spec: { planner: to } }) => ({ to, type: 'cache.found', parts: null })),
    giveUpOldest: update((c) => {
      const oldest = c.entries.findIndex(({ state }) => state === 'ready');
      c.entries.splice(oldest, 1);
    }),
    keep: update<'cache.keep'>((c, { key, parts }) => {
      c.entries.push({ key, parts, state: 'inflight' });
    }),
    release: update<'cache.release'>((c, { keys }) => {
      for (const entry of c.entries) if (keys.includes(entry.key)) entry.state = 'ready';
    }),
  },
}).createMachine({
  id: 'descriptorCache',
  context: ({ input }) => ({ spec: input, entries: [], hits: 0, misses: 0 }),
  initial: 'keeping',
  on: {
    'cache.find': [{ guard: 'isKept', actions: 'hit' }, { actions: ['countMiss', 'miss'] }],
    'cache.release': { target: '.keeping', actions: 'release' },
  },
  states: {
    keeping: {
      always: { guard: 'allInFlight', target: 'allInFlight' },
      on: {
        'cache.keep': [{ guard: 'isFull', actions: ['giveUpOldest', 'keep'] }, { actions: 'keep' }],
      },
    },
    // A new one is not kept.
    allInFlight: { on: { 'cache.keep': {} } },
  },
});
