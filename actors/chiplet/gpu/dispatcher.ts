import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { blockInOrder, blocksOfCluster } from '../ptx/cluster.ts';
import { blocksOf, type Launch } from '../ptx/launch.ts';
import { type ChipletOutbox, chipletProtocol } from './protocol.ts';
import { addStatistics, type CoreStatistics, noStatistics } from './statistics.ts';
import type { GpuTiming } from './timing.ts';

/** Who hands blocks to cores, and whom it knows. */
export interface DispatcherInput {
  readonly host: Address;
  readonly cores: readonly Address[];
  readonly timing: GpuTiming;
}

/** What the dispatcher remembers. */
export interface DispatcherContext {
  readonly spec: Fixed<DispatcherInput>;
  launch: Fixed<Launch | null>;
  start: number;
  /** Launches so far, this one among them. */
  launches: number;
  /** The next block to be given away, and how many there are. */
  nextBlock: number;
  blocks: number;
  ended: number;
  /** Blocks in each core. */
  held: number[];
  /** Blocks of this kernel that a core can hold. */
  perCore: number;
  /** The core that is asked first. */
  turn: number;
  used: boolean[];
  statistics: CoreStatistics;
}

const role = chipletProtocol.roles.Dispatcher;
const { act, when } = role.component<DispatcherContext>();

/**
 * How many blocks of a launch a core has room for (chiplet specification 7.3).
 *
 * Details: registers bound how many there are, not whether there is one: a translator gives a kernel no more than a block may have, and keeps the rest in local memory.
 */
export function blocksPerCore(
  {
    kernel,
    block,
    dynamicSharedBytes,
    cluster,
  }: Pick<Launch, 'kernel' | 'block' | 'dynamicSharedBytes' | 'cluster'>,
  timing: GpuTiming,
): number {
  const warps = Math.ceil((block[0] * block[1] * block[2]) / 32);
  const registers = Math.max(1, kernel.registersPerThread) * warps * 32;
  const shared = kernel.sharedBytes + dynamicSharedBytes;
  // The blocks of a cluster run at the same time: they are given to one core together.
  const together = blocksOfCluster({ cluster });
  const blocks = Math.min(
    timing.blocksPerCore,
    Math.floor(timing.warpsPerCore / warps),
    Math.max(together, Math.floor(timing.registersPerCore / registers)),
    shared === 0 ? timing.blocksPerCore : Math.floor(timing.sharedBytesPerCore / shared),
  );
  return blocks - (blocks % together);
}

/** Gives blocks to cores in turn, as long as one has room. */
function assign(c: DispatcherContext, cycle: number, out: ChipletOutbox<'Dispatcher'>): void {
  const { cores } = c.spec.value;
  for (let refused = 0; refused < cores.length && c.nextBlock < c.blocks; ) {
    const core = c.turn;
    c.turn = (core + 1) % cores.length;
    const launch = c.launch as Fixed<Launch>;
    const together = blocksOfCluster(launch.value);
    if (c.held[core]! + together > c.perCore) {
      refused++;
      continue;
    }
    refused = 0;
    c.held[core]! += together;
    c.used[core] = true;
    for (let rank = 0; rank < together; rank++)
      out.post({
        to: cores[core]!,
        type: 'block.assign',
        launch,
        number: c.launches,
        block: blockInOrder(launch.value, c.nextBlock++),
        cycle,
      });
  }
}

/** Hands the blocks of a kernel to cores, round robin as long as they have room, the next when one ends (chiplet specification 7.3). */
export const dispatcher = setup({
  types: role.types<DispatcherContext, DispatcherInput>(),
  guards: {
    fits: when<'grid.launch'>((c, { launch }) => blocksPerCore(launch.value, c.spec.value.timing) > 0),
    last: when<'block.done'>((c) => c.ended === c.blocks - 1),
  },
  actions: {
    begin: act<'grid.launch'>((c, { launch, cycle }, out) => {
      const { cores, timing } = c.spec.value;
      c.launch = launch;
      c.start = cycle;
      c.launches++;
      c.nextBlock = 0;
      c.blocks = blocksOf(launch.value);
      c.ended = 0;
      c.held = cores.map(() => 0);
      c.used = cores.map(() => false);
      c.turn = 0;
      c.perCore = blocksPerCore(launch.value, timing);
      c.statistics = noStatistics();
      assign(c, cycle, out);
    }),
    refuse: act<'grid.launch'>((c, { launch, cycle }, out) => {
      const { kernel, block, dynamicSharedBytes } = launch.value;
      const { warpsPerCore, blocksPerCore: most, sharedBytesPerCore } = c.spec.value.timing;
      const shared = kernel.sharedBytes + dynamicSharedBytes;
      const warps = Math.ceil((block[0] * block[1] * block[2]) / 32);
      const blocks = blocksOfCluster(launch.value);
      const what = blocks === 1 ? 'a block' : `a cluster of ${blocks} blocks`;
      const why = `${what} of ${kernel.name} needs ${warps * blocks} warps and ${shared * blocks} bytes of shared memory, a core has ${warpsPerCore} warps, ${most} blocks and ${sharedBytesPerCore} bytes (in a gpgpusim.config: -gpgpu_shader_core_pipeline, -gpgpu_shader_cta and -gpgpu_shmem_size)`;
      out.report({ property: 'a kernel fits into a core', why });
      out.post({ to: c.spec.value.host, type: 'grid.fault', why, cycle });
    }),
    note: act<'block.done'>((c, { core, statistics, cycle }, out) => {
      c.ended++;
      c.held[core]!--;
      addStatistics(c.statistics, statistics);
      assign(c, cycle, out);
    }),
    finish: act<'block.done'>((c, { cycle }, out) => {
      const { kernel } = c.launch.value!;
      const { launchCycles } = c.spec.value.timing;
      const report = {
        kernel: kernel.name,
        start: c.start,
        cycles: cycle - c.start + launchCycles,
        coresUsed: c.used.filter((one) => one).length,
        statistics: c.statistics,
      };
      c.statistics = noStatistics();
      out.post({
        to: c.spec.value.host,
        type: 'grid.done',
        report,
        cycle: cycle + launchCycles,
        delay: launchCycles,
      });
    }),
    fail: act<'core.fault'>((c, { why, cycle }, out) => {
      out.post({ to: c.spec.value.host, type: 'grid.fault', why, cycle });
    }),
  },
}).createMachine({
  id: 'dispatcher',
  context: ({ input }) => ({
    spec: fixed(input),
    launch: fixed<Launch | null>(null),
    start: 0,
    launches: 0,
    nextBlock: 0,
    blocks: 0,
    ended: 0,
    held: [],
    perCore: 0,
    turn: 0,
    used: [],
    statistics: noStatistics(),
  }),
  initial: 'idle',
  states: {
    idle: {
      on: { 'grid.launch': [{ guard: 'fits', target: 'running', actions: 'begin' }, { actions: 'refuse' }] },
    },
    running: {
      ...waitingFor<DispatcherContext>('the end of all blocks', ({ spec, held }) =>
        spec.value.cores.filter((_, core) => held[core]! > 0),
      ),
      on: {
        'block.done': [{ guard: 'last', target: 'idle', actions: ['note', 'finish'] }, { actions: 'note' }],
        'core.fault': { target: 'failed', actions: 'fail' },
      },
    },
    // Other cores may still end blocks, or fail as well.
    failed: { on: { 'block.done': {}, 'core.fault': {} } },
  },
});
