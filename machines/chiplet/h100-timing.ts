import { classesOf, defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';

/*
 * A chiplet like an NVIDIA H100, as far as the timing model has what it has. Sizes are those that its maker publishes. Latencies of instructions are those of
 * chains of dependent instructions, by the clock of the core (the `latency` cases of the measured launches), and so is a miss of a first launch. Beside each number: the key
 * of `gpgpusim.config` for it.
 *
 * Rules that the keys do not have: the translator moves loads up; a predicate takes 13 cycles to whom it guards (as the stalls show that the translator writes);
 * a sector of 32 bytes takes a cycle to memory; integers of 64 bits are two instructions or more; conversions, counts of bits and roots are slower units or sequences.
 * Fitted to half of the measured launches (`measured-cycles.ts`): cycles of a branch, a fence (`lock_of_lanes`), a lane of a contended atomic on shared memory
 * (`atomics_shared`), a quotient of 64 bits (`int64_arith`), and what a launch takes: the multiple of 10 with the smallest median error.
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
  classes: {
    ...defaultTiming.classes,
    // -ptx_opcode_latency_int, -ptx_opcode_initiation_int and so on; an integer division, and a real one, are sequences of instructions.
    ...classesOf('int', [4, 4, 4, 4, 62], [1, 1, 2, 2, 8]),
    ...classesOf('float', [4, 4, 4, 4, 57], [1, 1, 1, 1, 4]),
    ...classesOf('double', [8, 8, 8, 8, 80], [2, 2, 2, 2, 16]),
    // -ptx_opcode_latency_sfu, -ptx_opcode_initiation_sfu
    special: { latency: 23, interval: 2 },
    constant: { latency: 4, interval: 1 },
    // -gpgpu_smem_latency
    shared: { latency: 29, interval: 1 },
    atomic: { latency: 360, interval: 1 },
    shuffle: { latency: 24, interval: 2 },
  },
  barrierCycles: 27,
  // -gpgpu_cache:dl1 with 256 KiB, -gpgpu_l1_latency
  l1: { sets: 256, ways: 8, hitCycles: 33 },
  // -gpgpu_n_mem, -rop_latency: a miss of the first-level cache that the second-level one has; -dram_latency: one that it has not.
  memory: { channels: 80, ropCycles: 334, dramCycles: 0, segmentCycles: 2, stripeBytes: 256 },
  sequences: {
    wideAdd: { latency: 8, interval: 2 },
    wideMul: { latency: 14, interval: 4 },
    wideDiv: { latency: 400, interval: 60 },
    convert: { latency: 14, interval: 4 },
    count: { latency: 14, interval: 4 },
    root: { latency: 57, interval: 8 },
    doubleRoot: { latency: 80, interval: 16 },
  },
  predicateCycles: 13,
  branchCycles: 3,
  fenceCycles: 500,
  sharedAtomicCycles: 13,
  sectorCycles: 1,
  hoistsLoads: true,
  // -gpgpu_kernel_launch_latency
  launchCycles: 0,
  clockMegahertz: 1755,
};

/** A launch whose data and instructions are in the caches of the device already. */
export const h100Warm: GpuTiming = { ...warm, launchCycles: 420 };

/** A first launch. */
export const h100Cold: GpuTiming = {
  ...warm,
  memory: { ...warm.memory, dramCycles: 305 },
  launchCycles: 570,
};
