import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compileKernels, compilePtx } from '../../actors/chiplet/ptx/program.ts';
import type { CoreDetail } from './gpu-chiplet.ts';
import { h100Cold, h100Warm } from './h100-timing.ts';
import { measuredFile } from './measured-case.ts';
import { type CycleRow, cycleSummary, fittedNames, predictedCycles } from './measured-cycles.ts';

const row = (name: string, predicted: number, measured: number): CycleRow => ({
  name,
  text: 'k.ptx',
  fitted: false,
  measured,
  predicted,
  error: predicted / measured - 1,
});

test('the half that a preset is fitted to are the latencies, and of the others every second by name', () => {
  const names = ['c', 'latency_z', 'a', 'd', 'b', 'latency_a', 'e', 'a'];
  expect([...fittedNames(names.map((name) => ({ name })))].sort()).toEqual([
    'a',
    'c',
    'e',
    'latency_a',
    'latency_z',
  ]);
});

test('errors are summed up by median, worst, geometric mean, spread and correlation', () => {
  const { median, worst, worstName, ratio, spread, correlation } = cycleSummary([
    row('exact', 100, 100),
    row('half', 500, 1000),
    row('twice', 20000, 10000),
  ]);
  expect([median, worst, worstName]).toEqual([0.5, 1, 'twice']);
  expect(ratio).toBeCloseTo(1, 12);
  expect(spread).toBeCloseTo(2 ** Math.sqrt(2 / 3), 12);
  const [x, y] = [[100, 500, 20000].map(Math.log), [100, 1000, 10000].map(Math.log)];
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / 3;
  const by = (a: readonly number[], b: readonly number[]): number =>
    mean(a.map((one, at) => (one - mean(a)) * (b[at]! - mean(b))));
  expect(correlation).toBeCloseTo(by(x, y) / Math.sqrt(by(x, x) * by(y, y)), 12);
});

test('a launch takes its overhead, and a first one longer for a miss', () => {
  const text = `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; ld.global.u32 %r, [%d]; add.u32 %r, %r, 1; st.global.u32 [%d], %r; ret; }`;
  const program = compilePtx([{ file: 'k.ptx', text }]);
  const one = {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [1, 1, 1],
    dynamicSharedBytes: 0,
    params: [{ ptr: 'a' }],
    buffers: { a: { type: 'u32', bytes: 4, fill: 0 } },
    compare: ['a'],
    expected: {},
  } as Parameters<typeof predictedCycles>[1];
  const warm = predictedCycles(program, one, h100Warm);
  expect(predictedCycles(program, one, { ...h100Warm, launchCycles: 0 })).toBe(warm - h100Warm.launchCycles);
  expect(predictedCycles(program, one, { ...h100Cold, launchCycles: h100Warm.launchCycles })).toBe(
    warm + h100Cold.memory.dramCycles,
  );
});

test('cores of warps take the cycles of whole cores, whatever the timing of the chiplet', () => {
  const folder = 'properties/chiplet/golden/gpu';
  const few = ['saxpy', 'int128_arith', 'divergent_loops', 'memory_barrier', 'match_lanes'];
  const all = measuredFile.parse(JSON.parse(readFileSync(`${folder}/cases.json`, 'utf8'))).cases;
  const cases = all.filter(({ name }) => few.includes(name));
  const changes: readonly Partial<GpuTiming>[] = [
    {},
    { hoistsLoads: false },
    { branchCycles: 29, fenceCycles: { block: 31, device: 71, system: 97 } },
    { predicateCycles: 0, sequences: {} },
  ];
  const differing = cases.map((one) => {
    const [text] = Object.keys(one.expected) as [string];
    const file = `${folder}/${text}`;
    const program = compileKernels([{ file, text: readFileSync(file, 'utf8') }], {
      messageOpcode: 'off',
      entries: [one.entry],
    });
    const cycles = (change: Partial<GpuTiming>, detail: CoreDetail): number =>
      predictedCycles(program, one, { ...h100Warm, ...change }, detail);
    const found = changes.map((change) => cycles(change, 'core'));
    expect(
      changes.map((change) => cycles(change, 'warp')),
      one.name,
    ).toEqual(found);
    return found;
  });

  // Each rule makes a difference somewhere.
  for (const rule of [1, 2, 3]) expect(differing.some((found) => found[rule] !== found[0])).toBe(true);
});

test('lanes that leave a loop by many ways, or return early, part as little as on a GPU', () => {
  const folder = new URL('../../properties/chiplet/golden/gpu-ways/', import.meta.url);
  const { cases } = measuredFile.parse(JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8')));
  const text = 'ptx/ways.c90.ptx';
  const program = compileKernels([{ file: text, text: readFileSync(new URL(text, folder), 'utf8') }]);

  for (const name of ['gotos', 'early']) {
    const one = cases.find((other) => other.name === name)!;
    const ratio = predictedCycles(program, one, h100Warm) / one.expected[text]!.cycles!.warm;
    expect([name, ratio > 0.8 && ratio < 1.25]).toEqual([name, true]);
  }
});
