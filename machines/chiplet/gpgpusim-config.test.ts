import { describe, expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { gpgpusimKeys, readGpgpusimConfig } from './gpgpusim-config.ts';

describe('a gpgpusim.config', () => {
  test('as shipped is what a chiplet is without one', () => {
    const shipped = `
# high level
-gpgpu_n_clusters 15
-gpgpu_n_cores_per_cluster 1
-gpgpu_n_mem 6
-gpgpu_clock_domains 700.0:700.0:700.0:924.0
-gpgpu_shader_registers 32768
-gpgpu_shader_core_pipeline 1536:32
-gpgpu_shader_cta 8
-gpgpu_shmem_size 49152
-gpgpu_shmem_num_banks 32
-gpgpu_num_sched_per_core 2
-gpgpu_scheduler gto
-gpgpu_max_insn_issue_per_warp 1
-ptx_opcode_latency_int 4,13,4,5,145
-ptx_opcode_initiation_int 1,2,2,1,8
-ptx_opcode_latency_fp 4,13,4,5,39
-ptx_opcode_initiation_fp 1,2,1,1,4
-ptx_opcode_latency_dp 8,19,8,8,330
-ptx_opcode_initiation_dp 8,16,8,8,130
-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:32:8,8
-rop_latency 120
-dram_latency 100
`;
    expect(readGpgpusimConfig(shipped)).toEqual({ timing: defaultTiming, findings: [] });
    expect(shipped.match(/^-\S+/gm)?.map((one) => one.slice(1))).toEqual(gpgpusimKeys);
    expect(readGpgpusimConfig('').timing).toEqual(defaultTiming);
  });

  test('changes what it names', () => {
    const { timing, findings } = readGpgpusimConfig(
      '-gpgpu_n_clusters 4 # four\n-gpgpu_n_cores_per_cluster 2\n-gpgpu_shader_core_pipeline 1024:32\n-gpgpu_scheduler lrr\n-ptx_opcode_latency_dp 9,19,10,11,300\n-gpgpu_cache:dl1 64:128:6,x\n-dram_latency 50',
    );

    expect(findings).toEqual([]);
    expect(timing).toEqual({
      ...defaultTiming,
      cores: 8,
      warpsPerCore: 32,
      scheduler: 'lrr',
      classes: {
        ...defaultTiming.classes,
        doubleAdd: { latency: 9, interval: 8 },
        doubleMul: { latency: 10, interval: 8 },
        doubleMad: { latency: 11, interval: 8 },
        doubleDiv: { latency: 300, interval: 130 },
      },
      l1: { ...defaultTiming.l1, sets: 64, ways: 6 },
      memory: { ...defaultTiming.memory, dramCycles: 50 },
    });
  });

  test('tells lines that are not known, or do not fit', () => {
    const { findings } = readGpgpusimConfig(
      '-power_simulation_enabled 1\n-gpgpu_n_mem none\nrop_latency 3\n-gpgpu_shader_core_pipeline 512:64',
    );

    expect(findings).toEqual([
      { line: 1, kind: 'warning', what: 'unknown key -power_simulation_enabled is ignored' },
      { line: 2, kind: 'error', what: '-gpgpu_n_mem: found "none", expected a whole number of at least 1' },
      { line: 3, kind: 'error', what: 'found "rop_latency 3", expected a line "-name value"' },
      expect.objectContaining({ line: 4, kind: 'error' }),
    ]);
  });
});
