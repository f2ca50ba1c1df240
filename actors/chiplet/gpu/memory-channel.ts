import { setup } from 'xstate';
import { chipletProtocol } from './protocol.ts';
import type { GpuTiming } from './timing.ts';

/** What a channel remembers. */
export interface MemoryChannelContext {
  readonly spec: GpuTiming['memory'];
  /** First cycle in which it takes a segment. */
  free: number;
  segmentsRead: number;
  segmentsWritten: number;
  /** Cycles that segments waited for it. */
  queued: number;
}

const role = chipletProtocol.roles.Channel;
const { act, update } = role.component<MemoryChannelContext>();

/** Takes the next place in the order of the channel; gives the cycle in which the segment is served. */
function enter(c: MemoryChannelContext, cycle: number): number {
  const start = Math.max(cycle, c.free);
  c.free = start + c.spec.segmentCycles;
  c.queued += start - cycle;
  return start;
}

/** A channel to the memory of a GPU chiplet: one segment after the other, each answered after a fixed time (chiplet specification 7.3). */
export const memoryChannel = setup({
  types: role.types<MemoryChannelContext, GpuTiming['memory']>(),
  actions: {
    read: act<'memory.read'>((c, { core, request, cycle, lead }, out) => {
      const start = enter(c, cycle);
      c.segmentsRead++;
      const done = Math.max(cycle + 1, start + c.spec.ropCycles + c.spec.dramCycles - lead);
      out.post({ to: core, type: 'memory.data', request, cycle: done, delay: done - cycle });
    }),
    write: update<'memory.write'>((c, { cycle }) => {
      enter(c, cycle);
      c.segmentsWritten++;
    }),
  },
}).createMachine({
  id: 'memoryChannel',
  context: ({ input }) => ({ spec: input, free: 0, segmentsRead: 0, segmentsWritten: 0, queued: 0 }),
  initial: 'open',
  states: { open: { on: { 'memory.read': { actions: 'read' }, 'memory.write': { actions: 'write' } } } },
});
