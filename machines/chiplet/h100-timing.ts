import { classesOf, defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';

/*
 * A chiplet like an NVIDIA H100, as far as the timing model has what it has. Sizes are those that its maker publishes. Latencies of instructions are those of
 * chains of dependent instructions, by the clock of the core (the `latency` cases of the measured launches), and so is a miss of a first launch. What a launch takes
 * is fitted: the multiple of 10 with the smallest median error over half of the measured launches (`measured-cycles.ts`). Beside each number: the key of `gpgpusim.config` for it.
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
  // -gpgpu_kernel_launch_latency
  launchCycles: 0,
  clockMegahertz: 1755,
};

/** A launch whose data and instructions are in the caches of the device already. */
export const h100Warm: GpuTiming = { ...warm, launchCycles: 520 };

/** A first launch. */
export const h100Cold: GpuTiming = {
  ...warm,
  memory: { ...warm.memory, dramCycles: 305 },
  launchCycles: 350,
};
