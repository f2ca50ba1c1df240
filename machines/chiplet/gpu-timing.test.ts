import { describe, expect, test } from 'vitest';
import type { HostContext } from '../../actors/chiplet/gpu/host-context.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { decodeValues } from '../../actors/chiplet/ptx/typed-values.ts';
import { Run } from '../../kernel/run.ts';
import type { GpuCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Cycles by the table of the chiplet specification, section 7.3, reckoned by hand: the first instruction issues in cycle 0 of its kernel, `ret` ends it
 * one cycle after it has issued.
 */

const one: GpuTiming = { ...defaultTiming, cores: 1, schedulersPerCore: 1 };

function kernelOf(body: string, shared = 0) {
  const text = `.version 7.0
.target sm_75
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<3>;
  .reg .b32 %r<10>;
  .reg .f32 %f<4>;
  .reg .b64 %d<4>;
  .shared .align 8 .b8 near[${Math.max(8, shared)}];
  ${body}
  ret;
}`;
  return compilePtx([{ file: 'k.ptx', text }]);
}

function launched(body: string, threads = 32, timing = one, words = 4096, blocks = 1, shared = 0) {
  const program = kernelOf(body, shared);
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'p' }],
    buffers: { p: { type: 'u32', data: Array.from({ length: words }, (_, at) => at) } },
  };
  return { program, given, timed: () => timedCase(program, program.kernels.get('k')!, given, timing) };
}

function reportOf(...args: Parameters<typeof launched>) {
  const timed = launched(...args).timed();
  timed.run.toEnd();
  const { report, buffers } = timed.outcome();
  return { ...report!, buffers };
}

/** mov 0, ld.param 1, mad when both are there (4 and 5): the address of a thread's word in %d1, ready in cycle 10. */
const address = (stride: number): string =>
  `mov.u32 %r1, %tid.x; ld.param.u64 %d1, [p]; mad.wide.u32 %d1, %r1, ${stride}, %d1;`;

describe('a scheduler that issues two instructions of a warp in a cycle', () => {
  const two: GpuTiming = { ...one, issuesPerWarp: 2 };
  test.each<[string, string, number]>([
    // mov 0 and ld.param 0: two units; mov 1, mov 2: one unit; ret 2.
    ['on two units', 'mov.u32 %r1, 1; ld.param.u64 %d1, [p]; mov.u32 %r2, 2; mov.u32 %r3, 3;', 3],
    // The first one's result is ready in cycle 4.
    ['but waits for its registers', 'mov.u32 %r1, 1; st.shared.u32 [near], %r1;', 5],
    // bra 0, and what it leads to in cycle 1.
    ['but nothing behind a branch', 'bra L; L: mov.u32 %r1, 1;', 2],
  ])('%s', (_name, body, cycles) => {
    expect(reportOf(body, 32, two).cycles).toBe(cycles);
    expect(reportOf(body, 32, one).cycles).toBeGreaterThanOrEqual(cycles);
  });
});

describe('rules of newer GPUs, none of which the shipped chiplet has', () => {
  test.each<[string, string, Partial<GpuTiming>, number, number]>([
    // setp 0, mov when the predicate is there, ret.
    ['a predicate', 'setp.eq.u32 %p1, 1, 1; @%p1 mov.u32 %r1, 1;', { predicateCycles: 13 }, 6, 15],
    // bra 0, ret. A branch over fewer instructions is none.
    ['a branch that is taken', `bra L; ${'mov.u32 %r1, 1; '.repeat(13)} L:`, { branchCycles: 3 }, 2, 5],
    ['a branch over a few', `bra L; ${'mov.u32 %r1, 1; '.repeat(11)} L:`, { branchCycles: 3 }, 2, 2],
    ['a fence', 'membar.gl;', { fenceCycles: { block: 13, device: 500, system: 900 } }, 2, 502],
    // 120 and one for each of 32 lanes; 24 of shared memory and 13 for each but one.
    [
      'an atomic of 32 lanes on one word of shared memory',
      'atom.shared.add.u32 %r1, [near], 1; mov.u32 %r2, %r1;',
      { sharedAtomicCycles: 13 },
      154,
      429,
    ],
    // A sum of 64 bits is tried until nobody came between: by each lane once.
    [
      'a sum of 64 bits of 32 lanes in shared memory',
      'atom.shared.add.u64 %d1, [near], 1; mov.u64 %d2, %d1;',
      { sharedAtomicCycles: 13, sharedLoopCycles: 94 },
      154,
      3034,
    ],
    // Nobody wants the results: the lanes join their operands first.
    [
      'atomics of one word whose results nobody reads',
      'red.shared.add.u32 [near], 1; atom.shared.add.u32 %r1, [near], 1; mov.u32 %r2, 1;',
      { sharedAtomicCycles: 13, hoistsLoads: true },
      4,
      4,
    ],
    // 120 of an atomic, and 32 lanes of 7.
    [
      'an atomic of 32 lanes on one word of global memory',
      `${address(0)} atom.global.add.u32 %r1, [%d1], 1; mov.u32 %r2, %r1;`,
      { atomicLaneCycles: 7 },
      164,
      356,
    ],
    // mov 0, mov with the add behind it in the cycle 4: neither takes a turn of its own.
    [
      'instructions that are none',
      'mov.u32 %r1, 1; mov.u32 %r2, %r1; add.u32 %r1, %r2, 1;',
      { sequences: { folded: { latency: 0, interval: 0 } } },
      10,
      2,
    ],
    // Two roots of one warp: each scheduler has a unit.
    [
      'a conversion by another unit',
      'cvt.rzi.s32.f32 %r1, 0f40000000; cvt.rzi.s32.f32 %r2, 0f40000000;',
      { sequences: { fromReal: { latency: 17, interval: 8 } }, specialOfScheduler: true },
      3,
      10,
    ],
    ['a barrier of one warp', 'bar.sync 0;', { barrierWarpCycles: 2 }, 2, 4],
    [
      'bits that are counted',
      'popc.b32 %r1, 7; mov.u32 %r2, %r1;',
      { sequences: { count: { latency: 14, interval: 4 } } },
      6,
      16,
    ],
    [
      'logic of 64 bits',
      'xor.b64 %d1, 1, 2; xor.b64 %d1, %d1, 3; mov.u64 %d2, %d1;',
      { sequences: { wideShift: { latency: 8, interval: 2 } } },
      10,
      18,
    ],
    // Loads in 10 and 249. With the rule the parameter is there a cycle before, and loads are in 9 and 248, the second one there at once: its address was as early.
    [
      'a load below one that is waited for',
      `${address(4)} ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1; ld.global.u32 %r3, [%d1+4096]; add.u32 %r3, %r3, 1;`,
      { hoistsLoads: true },
      489,
      252,
    ],
    // It does not go past a store that may be to the same word, which is two cycles before it.
    [
      'a load below a store',
      `${address(4)} ld.global.u32 %r2, [%d1]; st.global.u32 [%d1+4], %r2; ld.global.u32 %r3, [%d1+4096]; add.u32 %r3, %r3, 1;`,
      { hoistsLoads: true },
      490,
      487,
    ],
    // 32 words that are 32 bytes apart: 8 segments, 32 sectors.
    [
      'stores of many sectors',
      `${address(32)} st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r1;`,
      { sectorCycles: 1 },
      20,
      52,
    ],
  ])('%s', (_name, body, more, shipped, cycles) => {
    expect(reportOf(body, 32, one).cycles).toBe(shipped);
    expect(reportOf(body, 32, { ...one, ...more }).cycles).toBe(cycles);
  });
});

describe('cycles of one warp', () => {
  test.each<[string, string, number]>([
    ['nothing', '', 1],
    [
      'a chain of additions waits 4 cycles for each',
      'mov.u32 %r1, 0; add.s32 %r1, %r1, 1; add.s32 %r1, %r1, 1;',
      10,
    ],
    // mov 0, then every second cycle from 4: 4, 6, 8; ret 9.
    [
      'multiplications issue every second cycle',
      'mov.u32 %r1, 3; mul.lo.s32 %r2, %r1, 5; mul.lo.s32 %r3, %r1, 6; mul.lo.s32 %r4, %r1, 7;',
      10,
    ],
    // mov 0, div 4 and 12 since its unit takes one in 8 cycles, add 157 with the second result; ret 158.
    [
      'divisions take 145',
      'mov.u32 %r1, 3; div.u32 %r2, %r1, %r1; div.u32 %r3, %r1, %r1; add.s32 %r4, %r2, %r3;',
      159,
    ],
    // ex2 issues in cycles 4 and 8; the sum in 47.
    [
      'special functions take 39',
      'mov.f32 %f1, 0f3F800000; ex2.approx.f32 %f2, %f1; ex2.approx.f32 %f3, %f1; add.f32 %f1, %f2, %f3;',
      49,
    ],
    // setp 0, bra 4; its ways begin one cycle later when lanes part: mov 0, setp 4, bra 8, add 10, add 11, ret 12.
    [
      'lanes that part cost one cycle',
      'mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; @%p1 bra near; add.s32 %r2, %r1, 1; near: add.s32 %r3, %r1, 1;',
      13,
    ],
    // ld 10, back 10 + 18 + 120 + 100; add 248, ret 249.
    [
      'a load that misses comes after 238',
      `${address(4)} ld.global.u32 %r2, [%d1]; add.s32 %r3, %r2, 1;`,
      250,
    ],
    // The second load 248, a hit: 266.
    [
      'a load that hits comes after 18',
      `${address(4)} ld.global.u32 %r2, [%d1]; and.b32 %r3, %r2, 0; ld.global.u32 %r4, [%d1]; add.s32 %r5, %r4, %r3;`,
      269,
    ],
    // 32 lanes on one address: 10 + 120 + 32 = 162.
    [
      'atomics wait for each lane on their address',
      'ld.param.u64 %d1, [p]; atom.global.add.u32 %r2, [%d1], 1; add.s32 %r3, %r2, 1;',
      4 + 120 + 32 + 2,
    ],
    // mov 0, shl 4, ld 8, back 8 + 24, add 32.
    [
      'shared memory without conflicts takes 24',
      'mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; ld.shared.u32 %r2, [%r1]; add.s32 %r3, %r2, 1;',
      34,
    ],
    [
      'two ways of a bank take one more',
      'mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 3; ld.shared.u32 %r2, [%r1]; add.s32 %r3, %r2, 1;',
      35,
    ],
    [
      '32 ways take 31 more',
      'mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 7; ld.shared.u32 %r2, [%r1]; add.s32 %r3, %r2, 1;',
      65,
    ],
  ])('%s', (_what, body, cycles) => {
    expect(reportOf(body, 32, one, 4096, 1, 4096).cycles).toBe(cycles);
  });

  test.each<[string, number, number]>([
    ['add.s32 %r, %a, %a;', 4, 1],
    ['max.u32 %r, %a, %a;', 13, 2],
    ['mul.lo.s32 %r, %a, %a;', 4, 2],
    ['mad.lo.s32 %r, %a, %a, %a;', 5, 1],
    ['rem.u32 %r, %a, %a;', 145, 8],
    ['add.f32 %r, %a, %a;', 4, 1],
    ['min.f32 %r, %a, %a;', 13, 2],
    ['mul.f32 %r, %a, %a;', 4, 1],
    ['fma.rn.f32 %r, %a, %a, %a;', 5, 1],
    ['div.rn.f32 %r, %a, %a;', 39, 4],
    ['sin.approx.f32 %r, %a;', 39, 4],
    ['add.f64 %r, %a, %a;', 8, 8],
    ['max.f64 %r, %a, %a;', 19, 16],
    ['mul.f64 %r, %a, %a;', 8, 8],
    ['fma.rn.f64 %r, %a, %a, %a;', 8, 8],
    ['div.rn.f64 %r, %a, %a;', 330, 130],
    ['setp.lt.f64 %p1, %a, %a; selp.f64 %r, %a, %a, %p1;', 8, 1],
  ])('%s has its result after %i cycles, and its unit takes one in %i', (line, latency, interval) => {
    const [kind, plain] = /f64/.test(line)
      ? ['.f64', 'f64']
      : [/f32/.test(line) ? '.f32' : '.b32', /f32/.test(line) ? 'f32' : 'b32'];
    const declare = `.reg ${kind} %a, %b, %c, %e; mov.${plain} %a, 0;`;
    const made = (from: string, to: string): string => line.replaceAll('%a', from).replace('%r', to);
    const chain = `${declare} ${made('%a', '%b')} ${made('%b', '%c')} ${made('%c', '%e')} mov.${plain} %a, %e;`;
    const beside = `${declare} ${line.includes(';', line.indexOf(';') + 1) ? '' : `${made('%a', '%b')} ${made('%a', '%c')} ${made('%a', '%e')}`}`;

    // mov 0, the first 4, each of the others after the one before, the last mov when the third is there, ret.
    expect(reportOf(chain).cycles).toBe(4 + 3 * latency + 2);
    if (!line.startsWith('setp')) expect(reportOf(beside).cycles).toBe(4 + 2 * interval + 2);
  });

  test('an instruction whose guard holds in no lane takes its cycle, and nothing else', () => {
    expect(
      reportOf(
        'setp.ne.u32 %p1, 0, 0; @%p1 div.u32 %r1, %r2, %r3; @%p1 div.u32 %r1, %r2, %r3; @%p1 ld.global.u32 %r4, [%d1]; mov.u32 %r5, %r1;',
      ).cycles,
    ).toBe(4 + 3 + 2);
  });

  test('segments of one channel are served every 4 cycles', () => {
    // 32 segments from cycle 10 on, one a cycle; the last is served in 28 + 31 * 4 and comes 220 later.
    const timing = { ...one, memory: { ...one.memory, channels: 1 } };
    const body = `${address(256)} ld.global.u32 %r2, [%d1]; add.s32 %r3, %r2, 1;`;

    expect(reportOf(body, 32, timing).cycles).toBe(28 + 31 * 4 + 220 + 2);
    // Six channels serve segments 256 bytes apart in turn: six cycles between two of one channel, so nobody waits.
    expect(reportOf(body, 32, one).cycles).toBe(28 + 31 + 220 + 2);
  });

  test('the cache drops the line that was used longest ago', () => {
    const timing = { ...one, l1: { ...one.l1, sets: 1, ways: 2 } };
    const loads = [0, 128, 0, 256, 0, 128].map((at) => `ld.global.u32 %r2, [%d1+${at}];`).join(' ');
    const { statistics } = reportOf(`ld.param.u64 %d1, [p]; ${loads}`, 1, timing);

    // 128 goes when 256 comes, since 0 was used again.
    expect([statistics.l1Hits, statistics.l1Misses]).toEqual([2, 4]);
  });
});

describe('warps of one scheduler', () => {
  const clocks = (scheduler: 'gto' | 'lrr') => {
    const body = `mov.u32 %r2, 1; mov.u32 %r3, 2; mov.u32 %r4, %clock; ${address(4)} mov.u32 %r5, %clock; st.global.u32 [%d1], %r4; st.global.u32 [%d1+256], %r5;`;
    const { buffers, start } = reportOf(body, 64, { ...one, scheduler });
    const { p = [] } = buffers;
    return [p[0]! - start, p[32]! - start, p[64]! - start];
  };

  test('go on as long as they can, then the oldest (gto)', () => {
    // Warp 0 issues in cycles 0 to 4. When it can go on in 8, warp 1 is not done with 5 to 9; mad 10, clock 11.
    expect(clocks('gto')).toEqual([2, 7, 11]);
  });

  test('take turns (lrr)', () => {
    expect(clocks('lrr').slice(0, 2)).toEqual([4, 5]);
  });
});

describe('a launch in the middle', () => {
  const body = `${address(4)} mov.u32 %r5, near; mad.lo.s32 %r5, %r1, 4, %r5; mov.u32 %r4, %ctaid.x;
again: ld.global.u32 %r2, [%d1]; mad.lo.s32 %r2, %r2, 7, %r1; st.shared.u32 [%r5], %r2; bar.sync 0; ld.shared.u32 %r3, [near];
xor.b32 %r2, %r2, %r3; st.global.u32 [%d1], %r2; ex2.approx.f32 %f1, 0f3F800000; add.s32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9; @%p1 bra again;`;
  const timing: GpuTiming = {
    ...defaultTiming,
    cores: 2,
    blocksPerCore: 2,
    warpsPerCore: 8,
    l1: { ...defaultTiming.l1, sets: 1, ways: 2 },
  };
  const { timed } = launched(body, 128, timing, 4096, 9, 512);
  const whole = timed();
  whole.run.toEnd();
  const expected = whole.outcome();
  const { p: values } = expected.buffers;

  test.each([30, 200, 333, 500, 700, 900, 1200, 1500])(
    'goes on from tick %i as if it had never stopped',
    (tick) => {
      const first = timed();
      first.run.until(tick);
      const snapshot = first.run.snapshot();
      first.run.toEnd();
      expect(first.outcome().report).toEqual(expected.report);
      const second = timed();
      const again = Run.restore(second.wiring, snapshot);

      expect(again.toEnd()).toEqual(whole.run.outcome);
      const { reports, memory } = again.part(second.chiplet.host).context as unknown as HostContext;
      expect(reports).toEqual([expected.report]);
      const [place] = memory!.allocations;
      expect(decodeValues(memory!, place!.address, 'u32', 4096)).toEqual(values);
    },
  );
});

describe('a core in the middle of instructions that keep its units busy', () => {
  // Divisions keep the arithmetic unit for 8 cycles, logarithms the special one for 4, words of one bank the memory unit for 32.
  const body = `mov.u32 %r1, %tid.x; mov.u32 %r5, near; mad.lo.s32 %r5, %r1, 128, %r5; add.s32 %r2, %r1, 9; div.s32 %r3, %r2, 3;
st.shared.u32 [%r5], %r3; lg2.approx.f32 %f1, 0f41000000; rem.s32 %r4, %r2, 5; ld.shared.u32 %r6, [%r5]; mul.lo.s32 %r7, %r4, %r2;
ex2.approx.f32 %f2, 0f40000000; div.s32 %r8, %r6, %r2; st.shared.u32 [%r5], %r7; add.s32 %r9, %r8, %r4;`;

  test.each(['gto', 'lrr'] as const)(
    'goes on from every second tick as if it had never stopped (%s)',
    (scheduler) => {
      const timing: GpuTiming = { ...one, scheduler, schedulersPerCore: 2 };
      const { timed } = launched(body, 160, timing, 64, 1, 128 * 160);
      const whole = timed();
      const { ticks } = whole.run.toEnd();
      const { report } = whole.outcome();
      const first = timed();
      for (let tick = 1; tick < ticks; tick += 2) {
        first.run.until(tick);
        const second = timed();
        const again = Run.restore(second.wiring, first.run.snapshot());
        again.toEnd();

        expect((again.part(second.chiplet.host).context as unknown as HostContext).reports).toEqual([report]);
      }
    },
  );
});
