import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import { chipletProtocol } from './protocol.ts';
import type { GpuTiming } from './timing.ts';

/** What a channel remembers. */
export interface MemoryChannelContext {
  readonly spec: GpuTiming['memory'];
  /** First cycle in which it takes a segment. */
  free: number;
}

const role = chipletProtocol.roles.Channel;
const { act, update, post, when } = role.component<MemoryChannelContext>();

/** Takes the next place in the order of the channel; gives the cycle in which the segment is served. */
function enter(c: MemoryChannelContext, cycle: number): number {
  const start = Math.max(cycle, c.free);
  c.free = start + c.spec.segmentCycles;
  return start;
}

/** A channel to the memory of a GPU chiplet: one segment after the other, each answered after a fixed time (chiplet specification 7.3). */
export const memoryChannel = setup({
  types: role.types<MemoryChannelContext, GpuTiming['memory']>(),
  guards: { hasMore: when<'channel.served'>(({ free }, { cycle }) => free > cycle) },
  actions: {
    read: act<'memory.read'>((c, { core, request, cycle, lead }, out) => {
      const start = enter(c, cycle);
      const done = Math.max(cycle + 1, start + c.spec.ropCycles + c.spec.dramCycles - lead);
      out.post({ to: core, type: 'memory.data', request, cycle: done, delay: done - cycle });
    }),
    write: update<'memory.write'>((c, { cycle }) => {
      enter(c, cycle);
    }),
    serve: post(({ free }, { cycle }, { self: to }) => ({
      to,
      type: 'channel.served',
      cycle: free,
      delay: free - cycle,
    })),
  },
}).createMachine({
  id: 'memoryChannel',
  context: ({ input }) => ({ spec: input, free: 0 }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'memory.read': { target: 'serving', actions: ['read', 'serve'] },
        'memory.write': { target: 'serving', actions: ['write', 'serve'] },
        'channel.served': refused,
      },
    },
    serving: {
      on: {
        // Behind those that came before.
        'memory.read': { actions: 'read' },
        'memory.write': { actions: 'write' },
        'channel.served': [{ guard: 'hasMore', actions: 'serve' }, { target: 'idle' }],
      },
    },
  },
});
