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
    ...classesOf('int', [4, 4, 4, 4, 137], [2, 2, 2, 2, 92]),
    ...classesOf('float', [4, 5, 4, 4, 44], [1, 2, 1, 1, 44]),
    ...classesOf('double', [8, 8, 8, 8, 111], [2, 2, 2, 2, 111]),
    special: { latency: 17, interval: 8 },
    constant: { latency: 4, interval: 1 },
    shared: { latency: 23, interval: 1 },
    atomic: { latency: 360, interval: 1 },
    shuffle: { latency: 24, interval: 2 },
  },
  barrierCycles: 12,
  barrierWarpCycles: 2,
  l1: { sets: 256, ways: 8, hitCycles: 33 },
  memory: { channels: 80, ropCycles: 334, dramCycles: 0, segmentCycles: 2, stripeBytes: 256 },
  sequences: {
    folded: { latency: 0, interval: 0 },
    wideAdd: { latency: 6, interval: 4 },
    wideShift: { latency: 8, interval: 4 },
    wideMax: { latency: 18, interval: 10 },
    wideMul: { latency: 17, interval: 9 },
    wideMulHi: { latency: 33, interval: 27 },
    wideDiv: { latency: 320, interval: 310 },
    mulWide: { latency: 5, interval: 4 },
    mulHi: { latency: 9, interval: 6 },
    div: { latency: 137, interval: 92 },
    divConstant: { latency: 57, interval: 20 },
    divAgain: { latency: 62, interval: 26 },
    field: { latency: 8, interval: 8 },
    video: { latency: 14, interval: 6 },
    count: { latency: 17, interval: 8 },
    countZeros: { latency: 23, interval: 12 },
    wideCount: { latency: 35, interval: 22 },
    toReal: { latency: 6, interval: 4 },
    fromReal: { latency: 17, interval: 8 },
    doubleConvert: { latency: 18, interval: 8 },
    halfConvert: { latency: 6, interval: 2 },
    root: { latency: 42, interval: 43 },
    reciprocal: { latency: 63, interval: 63 },
    doubleRoot: { latency: 79, interval: 79 },
    doubleReciprocal: { latency: 60, interval: 60 },
    roundedDiv: { latency: 250, interval: 250 },
    approximateDiv: { latency: 41, interval: 10 },
    approximate: { latency: 17, interval: 8 },
    sine: { latency: 23, interval: 8 },
    approximateSubnormal: { latency: 39, interval: 8 },
    doubleMax: { latency: 33, interval: 16 },
    halfAdd: { latency: 4, interval: 1 },
    vote: { latency: 17, interval: 4 },
    match: { latency: 28, interval: 8 },
    redux: { latency: 44, interval: 14 },
    matrix: { latency: 24, interval: 24 },
  },
  predicateCycles: 13,
  branchCycles: 8,
  divergencePenalty: 20,
  fenceCycles: { block: 13, device: 670, system: 1480 },
  sharedAtomicCycles: 8,
  sharedLoopCycles: 94,
  atomicLaneCycles: 7,
  constantAddressCycles: 4,
  specialOfScheduler: true,
  sectorCycles: 1,
  hoistsLoads: true,
  // -gpgpu_kernel_launch_latency
  launchCycles: 0,
  clockMegahertz: 1755,
};

/** A launch whose data and instructions are in the caches of the device already. */
export const h100Warm: GpuTiming = { ...warm, launchCycles: 540 };

/** A first launch. */
export const h100Cold: GpuTiming = {
  ...warm,
  memory: { ...warm.memory, dramCycles: 305 },
  launchCycles: 650,
};
