import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { cyclesOf, h100Classes, h100Sequences } from './h100-latencies.ts';

/*
 * A chiplet like an NVIDIA H100, as far as the timing model has what it has. Sizes are those that its maker publishes; cycles of instructions are measured ones (`h100-latencies.ts`),
 * and so are those of a hit, a miss, a fence, a barrier, an atomic that many lanes make, a predicate and sectors. Beside each number: the key of `gpgpusim.config` for it.
 *
 * Fitted to half of the measured launches (`measured-cycles.ts`): cycles of a branch and of lanes that part (whole ones of 5, 8, 12, 16; tens), and what a launch takes: the
 * multiple of 10 with the smallest median error.
 */

const warm: GpuTiming = {
  ...defaultTiming,
  // -gpgpu_n_clusters, -gpgpu_num_sched_per_core, -gpgpu_shader_core_pipeline, -gpgpu_shader_cta, -gpgpu_shader_registers, -gpgpu_shmem_size
  cores: 132,
  schedulersPerCore: 4,
  warpsPerCore: 64,
  blocksPerCore: 32,
  registersPerCore: 65536,
  sharedBytesPerCore: 232448,
  // -ptx_opcode_latency_int, -ptx_opcode_initiation_int and so on; -gpgpu_smem_latency
  classes: { ...defaultTiming.classes, ...cyclesOf(h100Classes) },
  sequences: cyclesOf(h100Sequences),
  // bar_sync of one warp, and the launch latency_barrier of eight.
  barrierCycles: 12,
  barrierWarpCycles: 2,
  // -gpgpu_cache:dl1 with 256 KiB, -gpgpu_l1_latency
  l1: { sets: 256, ways: 8, hitCycles: 33 },
  // -gpgpu_n_mem, -rop_latency: a miss of the first-level cache that the second-level one has; -dram_latency: one that it has not.
  memory: { channels: 80, ropCycles: 334, dramCycles: 0, segmentCycles: 2, stripeBytes: 256 },
  // setp_guard_add less a sum.
  predicateCycles: 13,
  branchCycles: 8,
  divergencePenalty: 20,
  // fence_cta, fence_gl_alone, fence_sys
  fenceCycles: { block: 13, device: 670, system: 1482 },
  // atom_shared_one_word, atom_shared_f32, atom_global_one_word: of 32 lanes, less one lane.
  sharedAtomicCycles: 8,
  sharedLoopCycles: 94,
  atomicLaneCycles: 7,
  // Each address is a request of its own (CUDA programming guide, constant memory), which takes what a load does.
  constantAddressCycles: 4,
  specialOfScheduler: true,
  sectorCycles: 1,
  hoistsLoads: true,
  clockMegahertz: 1755,
};

/** A launch whose data and instructions are in the caches of the device already. -gpgpu_kernel_launch_latency */
export const h100Warm: GpuTiming = { ...warm, launchCycles: 540 };

/** A first launch. */
export const h100Cold: GpuTiming = {
  ...warm,
  memory: { ...warm.memory, dramCycles: 305 },
  launchCycles: 650,
};
