import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultTiming } from '../../actors/chiplet/gpu/timing.ts';
import { gpgpusimKeys, gpgpusimTopicsWithoutEffect, readGpgpusimConfig } from './gpgpusim-config.ts';

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
    expect(gpgpusimKeys).toEqual(
      expect.arrayContaining(shipped.match(/^-\S+/gm)!.map((one) => one.slice(1))),
    );
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

  test.each<[string, (timing: typeof defaultTiming) => unknown, unknown]>([
    ['-gpgpu_n_clusters 4', ({ cores }) => cores, 4],
    ['-gpgpu_n_cores_per_cluster 3', ({ cores }) => cores, 45],
    ['-gpgpu_n_mem 2', ({ memory }) => memory.channels, 2],
    ['-gpgpu_clock_domains 900.5:700:700:924', ({ clockMegahertz }) => clockMegahertz, 900.5],
    ['-gpgpu_shader_registers 16384', ({ registersPerCore }) => registersPerCore, 16384],
    ['-gpgpu_shader_core_pipeline 1024:32', ({ warpsPerCore }) => warpsPerCore, 32],
    ['-gpgpu_shader_cta 4', ({ blocksPerCore }) => blocksPerCore, 4],
    ['-gpgpu_shmem_size 16384', ({ sharedBytesPerCore }) => sharedBytesPerCore, 16384],
    ['-gpgpu_shmem_num_banks 16', ({ sharedBanks }) => sharedBanks, 16],
    ['-gpgpu_num_sched_per_core 1', ({ schedulersPerCore }) => schedulersPerCore, 1],
    ['-gpgpu_scheduler lrr', ({ scheduler }) => scheduler, 'lrr'],
    [
      '-ptx_opcode_latency_int 1,2,3,4,5',
      ({ classes }) => [
        classes.intAdd.latency,
        classes.intMax.latency,
        classes.intMul.latency,
        classes.intMad.latency,
        classes.intDiv.latency,
      ],
      [1, 2, 3, 4, 5],
    ],
    [
      '-ptx_opcode_initiation_int 1,2,3,4,5',
      ({ classes }) => [classes.intAdd.interval, classes.intDiv.interval],
      [1, 5],
    ],
    [
      '-ptx_opcode_latency_fp 9,8,7,6,5',
      ({ classes }) => [classes.floatAdd.latency, classes.floatDiv.latency],
      [9, 5],
    ],
    [
      '-ptx_opcode_initiation_fp 9,8,7,6,5',
      ({ classes }) => [classes.floatMax.interval, classes.floatMad.interval],
      [8, 6],
    ],
    [
      '-ptx_opcode_latency_dp 9,8,7,6,5',
      ({ classes }) => [classes.doubleAdd.latency, classes.doubleMul.latency],
      [9, 7],
    ],
    [
      '-ptx_opcode_initiation_dp 9,8,7,6,5',
      ({ classes }) => [classes.doubleMad.interval, classes.doubleDiv.interval],
      [6, 5],
    ],
    ['-gpgpu_cache:dl1 16:128:8,L:L:m:N', ({ l1 }) => [l1.sets, l1.ways], [16, 8]],
    ['-rop_latency 7', ({ memory }) => memory.ropCycles, 7],
    ['-dram_latency 9', ({ memory }) => memory.dramCycles, 9],
    ['-gpgpu_l2_rop_latency 7', ({ memory }) => memory.ropCycles, 7],
    ['-gpgpu_cache:dl1 N:16:128:8,L:L:m:N:H,S:64:8,8', ({ l1 }) => [l1.sets, l1.ways], [16, 8]],
    ['-gpgpu_cache:dl1 none', ({ l1 }) => l1.ways, 0],
    ['-gmem_skip_L1D 1', ({ l1 }) => l1.ways, 0],
    ['-gpgpu_max_insn_issue_per_warp 2', ({ issuesPerWarp }) => issuesPerWarp, 2],
    ['-l1_latency 28', ({ l1 }) => l1.hitCycles, 28],
    ['-gpgpu_l1_latency 35', ({ l1 }) => l1.hitCycles, 35],
    ['-smem_latency 19', ({ classes }) => classes.shared.latency, 19],
    ['-ptx_opcode_latency_sfu 100', ({ classes }) => classes.special.latency, 100],
    ['-ptx_opcode_initiation_sfu 8', ({ classes }) => classes.special.interval, 8],
    ['-ptx_opcode_latency_int 4,13,4,5,145,32', ({ classes }) => classes.shuffle.latency, 32],
    ['-ptx_opcode_initiation_int 1,2,2,1,8,6', ({ classes }) => classes.shuffle.interval, 6],
    ['-gpgpu_kernel_launch_latency 3000', ({ launchCycles }) => launchCycles, 3000],
  ])('changes a chiplet by each key: %s', (line, of, expected) => {
    const { timing, findings } = readGpgpusimConfig(line);

    expect(findings).toEqual([]);
    expect(of(timing)).toEqual(expected);
    expect(of(defaultTiming)).not.toEqual(expected);
  });

  test.each([
    '-gpgpu_clock_domains 700',
    '-gpgpu_clock_domains 700:700:0:924',
    '-gpgpu_clock_domains a:b:c:d',
    '-gpgpu_scheduler two_level_active',
    '-gpgpu_max_insn_issue_per_warp 0',
    '-ptx_opcode_latency_int 1,2,3,4',
    '-ptx_opcode_latency_int 1,2,3,4,5,6,7',
    '-gpgpu_cache:dl1 32:128',
    '-gpgpu_cache:dl1 X:32:128:4',
    '-gpgpu_dram_timing_opt "nbk=16',
    '-gpgpu_shmem_num_banks 12',
    '-gpgpu_n_mem 0',
    '-gpgpu_shader_cta',
  ])('tells a value that does not fit: %s', (line) => {
    expect(readGpgpusimConfig(line).findings).toEqual([expect.objectContaining({ line: 1, kind: 'error' })]);
  });

  test.each<[string, unknown, string]>([
    ['-gpgpu_cache:dl1 S:4:128:64,L:L:s:N:L,A:256:8,16:0,32', [4, 64], 'a whole line, not a sector'],
    ['-gpgpu_cache:dl1 64:64:6,L:L:m:N', [32, 6], 'lines of 64 bytes are modelled as lines of 128'],
    ['-gpgpu_scheduler two_level_active:6:0:1', [32, 4], 'is not modelled, gto takes its place'],
  ])('tells a part that has no effect: %s', (line, shape, why) => {
    const { timing, findings } = readGpgpusimConfig(line);

    expect([timing.l1.sets, timing.l1.ways]).toEqual(shape);
    expect(findings).toEqual([
      { line: 1, kind: 'warning', what: expect.stringContaining(`${line.slice(0, 60)}`) },
    ]);
    expect(findings[0]!.what).toContain(why);
  });

  test('in the manner of a published file is read whole, with what has no effect by topic', () => {
    const { timing, findings } = readGpgpusimConfig(`
-gpgpu_ptx_sim_mode 0
-gpgpu_n_clusters 20  # four groups of five
-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8
-gpgpu_num_sp_units 4
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:L,A:192:4,32:0,32
# a value in quotes, over two lines
-gpgpu_dram_timing_opt "nbk=8:CCD=1:RRD=2:RCD=9:RAS=20:RP=9:RC=29:
                        CL=9:WL=2:CDLR=3:WR=8"
-gpgpu_mem_addr_mapping dramid@8;00000000.00000000
-gpgpu_shmem_sizeDefault 65536
-power_simulation_enabled 0
-gpgpu_n_mem 3
-gpgpu_nmem 3
`);

    expect(timing).toEqual({
      ...defaultTiming,
      cores: 20,
      memory: { ...defaultTiming.memory, channels: 3 },
    });
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'warning unknown key -gpgpu_nmem is ignored',
      'warning keys without effect, the functional simulator and limits of the host: -gpgpu_ptx_sim_mode',
      'warning keys without effect, pipelines, register files and tensor units: -gpgpu_pipeline_widths -gpgpu_num_sp_units',
      'warning keys without effect, the second-level cache and the ways to it: -gpgpu_cache:dl2',
      'warning keys without effect, memory chips and their queues: -gpgpu_dram_timing_opt -gpgpu_mem_addr_mapping',
      'warning keys without effect, how first-level cache and shared memory share their room: -gpgpu_shmem_sizeDefault',
      'warning keys without effect, what is counted, shown and recorded: -power_simulation_enabled',
    ]);
  });

  test('has all of its keys in the guide', () => {
    const page = readFileSync('docs/machines/chiplet.md', 'utf8');

    for (const one of [...gpgpusimKeys.map((key) => `\`-${key}\``), ...gpgpusimTopicsWithoutEffect])
      expect(page).toContain(one);
  });

  test('tells lines that are not known, or do not fit', () => {
    const { findings } = readGpgpusimConfig(
      '-power_simulation_enabled 1\n-gpgpu_n_mem none\nrop_latency 3\n-gpgpu_shader_core_pipeline 512:64',
    );

    expect(findings).toEqual([
      { line: 2, kind: 'error', what: '-gpgpu_n_mem: found "none", expected a whole number of at least 1' },
      { line: 3, kind: 'error', what: 'found "rop_latency 3", expected a line "-name value"' },
      expect.objectContaining({ line: 4, kind: 'error' }),
      {
        line: 1,
        kind: 'warning',
        what: 'keys without effect, what is counted, shown and recorded: -power_simulation_enabled',
      },
    ]);
  });
});
