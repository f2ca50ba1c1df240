import { describe, expect, test } from 'vitest';
import type { Dimensions } from '../../actors/chiplet/ptx/launch.ts';
import { compileKernels, compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { MemoryFault } from '../../actors/chiplet/ptx/warp.ts';
import { type GpuCase, runCase } from './gpu-case.ts';

/*
 * Copies of many bytes, barriers that count bytes, stores that tell them, atomics of 16 bits and of vectors, parameters by generic addresses (PTX ISA 9.0).
 */

const text = (body: string): string => `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 given[16])
{
  .reg .pred %p<4>;
  .reg .b16 %h<4>;
  .reg .b32 %t, %b, %r<16>;
  .reg .f32 %f<4>;
  .reg .b64 %o, %own, %d<8>;
  .shared .align 16 .b8 box[256];
  .shared .align 8 .b8 bar[8];
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %r0, %ntid.x;
  mad.lo.u32 %r0, %b, %r0, %t; mad.wide.u32 %own, %r0, 4, %o;
  setp.eq.u32 %p1, %t, 0;
  mov.u32 %r1, box; mov.u32 %r2, bar; mad.lo.u32 %r3, %t, 4, %r1;
  ${body}
  ret;
}`;

interface Given {
  readonly words?: readonly number[];
  readonly grid?: Dimensions;
  readonly cluster?: Dimensions;
}

function run(body: string, { words = [], grid = [1, 1, 1], cluster }: Given = {}): readonly number[] {
  const program = compilePtx([{ file: 'k.ptx', text: text(body) }]);
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid,
    block: [32, 1, 1],
    params: [{ ptr: 'out' }, { bytes: Array.from({ length: 16 }, (_, at) => at + 1) }],
    buffers: { out: { type: 's32', data: Array.from({ length: 32 * grid[0] }, (_, at) => words[at] ?? 0) } },
    ...(cluster && { cluster }),
  };
  return runCase(program, program.kernels.get('k')!, given).buffers['out']!;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const squares = range(64).map((at) => at * at);
const begin = (arrivals: number): string =>
  `@%p1 mbarrier.init.shared::cta.b64 [%r2], ${arrivals}; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;`;
const wait = 'wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra wait;';

describe('copies of many bytes', () => {
  test('from device to shared memory end with the bytes that a barrier expects', () => {
    const body = `${begin(32)} add.s64 %d1, %o, 64; setp.eq.u32 %p3, %t, 5;
@%p3 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r2], 64; @%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 64, [%r2];
@!%p3 mbarrier.arrive.shared::cta.b64 _, [%r2]; ${wait} mov.u32 %r5, -1; setp.lt.u32 %p2, %t, 16; @%p2 ld.shared.u32 %r5, [%r3]; bar.sync 0; st.global.u32 [%own], %r5;`;
    expect(run(body, { words: squares })).toEqual(range(32).map((at) => (at < 16 ? (at + 16) ** 2 : -1)));
  });

  test('a barrier waits for bytes that have not come, also when all have arrived', () => {
    const body = `@%p1 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; mov.u32 %r5, 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 %d1, [%r2], 48; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; @%p1 selp.u32 %r5, 1, 0, %p2;
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], 32; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; @%p1 selp.u32 %r6, 10, 0, %p2; @%p1 add.u32 %r5, %r5, %r6;
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], 16; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d1; @%p1 selp.u32 %r6, 100, 0, %p2; @%p1 add.u32 %r5, %r5, %r6;
@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 5000; @%p1 mbarrier.arrive.shared.b64 %d2, [%r2]; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d2; @%p1 selp.u32 %r6, 1000, 0, %p2; @%p1 add.u32 %r5, %r5, %r6;
@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r2], 5000; @%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d2; @%p1 selp.u32 %r6, 10000, 0, %p2; @%p1 add.u32 %r5, %r5, %r6; st.global.u32 [%own], %r5;`;
    expect(run(body)[0]).toBe(10100);
  });

  test('from shared to device memory, plain and as sums', () => {
    const body = `st.shared.u32 [%r3], %t; fence.proxy.async.shared::cta; bar.sync 0; add.s64 %d1, %o, 32;
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%o], [%r1], 32; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 32; @%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group.read 0;`;
    expect(run(body, { words: squares })).toEqual(
      range(32).map((at) => (at < 8 ? at : at < 16 ? at * at + at - 8 : at * at)),
    );
  });

  test.each([
    ['min.s32', (a: number, b: number) => Math.min(a, b)],
    ['max.u32', (a: number, b: number) => (a >>> 0 > b >>> 0 ? a : b)],
    ['xor.b32', (a: number, b: number) => a ^ b],
    ['inc.u32', (a: number, b: number) => (a >>> 0 >= b >>> 0 ? 0 : a + 1)],
    ['dec.u32', (a: number, b: number) => (a === 0 || a >>> 0 > b >>> 0 ? b : a - 1)],
  ] as const)('cp.reduce with %s', (form, of) => {
    const words = range(32).map((at) => [at, -at, 7, 0][at % 4]! * 3);
    const body = `sub.s32 %r5, %t, 8; st.shared.u32 [%r3], %r5; bar.sync 0; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.${form} [%o], [%r1], 128;`;
    expect(run(body, { words })).toEqual(words.map((one, at) => of(one, at - 8) | 0));
  });

  test('cp.reduce of reals of 16 bits rounds each sum once', () => {
    // 2048 + 1 is not an f16: to the even neighbour. 1 + 2 is one.
    const body = `mov.u32 %r5, 0x40003c00; st.shared.u32 [%r3], %r5; bar.sync 0; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%o], [%r1], 128;`;
    expect(run(body, { words: range(32).map(() => 0x3c006800) })[3]).toBe(0x42006800);
  });

  test('to every block of a cluster', () => {
    const body = `${begin(1)} add.s64 %d1, %o, 128; @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 64; setp.eq.u32 %p3, %b, 1; and.pred %p3, %p3, %p1; mov.u16 %h1, 15; barrier.cluster.arrive; barrier.cluster.wait;
@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%d1], 64, [%r2], %h1; ${wait} setp.lt.u32 %p2, %t, 16; mov.u32 %r5, 7; @%p2 ld.shared.u32 %r5, [%r3]; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%own], %r5;`;
    const found = run(body, { words: range(128).map((at) => at + 1), grid: [4, 1, 1], cluster: [4, 1, 1] });
    expect(found).toEqual(range(128).map((at) => (at % 32 < 16 ? (at % 32) + 33 : 7)));
  });

  test.each([
    [
      'a size that is no multiple of 16',
      'add.s64 %d1, %o, 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 24;',
      /24 bytes to copy/,
    ],
    [
      'an address that is no multiple of 16',
      'add.s64 %d1, %o, 8; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 16;',
      /expected a multiple of its 16 bytes/,
    ],
    [
      'bytes outside of shared memory',
      '@%p1 cp.async.bulk.global.shared::cta.bulk_group [%o], [%r1+256], 16;',
      /within shared memory/,
    ],
    [
      'bytes outside of device memory',
      '@%p1 cp.async.bulk.global.shared::cta.bulk_group [%o+112], [%r1], 32;',
      /within an allocation/,
    ],
    ['a barrier for nobody', '@%p1 mbarrier.init.shared.b64 [%r2], 0;', /a barrier for 0 arrivals/],
    [
      'more bytes than a barrier counts',
      '@%p1 mbarrier.init.shared.b64 [%r2], 1; @%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2], 1048576;',
      /more bytes than a barrier can count/,
    ],
  ] as const)('%s are an error of the lane', (_, body, message) => {
    expect(() => run(body)).toThrow(MemoryFault);
    expect(() => run(body)).toThrow(message);
  });
});

describe('what tells a barrier of another block', () => {
  const peer = `mov.u32 %r4, %cluster_ctarank; xor.b32 %r4, %r4, 1; mapa.shared::cluster.u32 %r6, %r3, %r4; mapa.shared::cluster.u32 %r7, %r2, %r4;`;
  const pair = { grid: [2, 1, 1], cluster: [2, 1, 1] } as const;
  const end = `${wait} ld.shared.u32 %r5, [%r3]; barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%own], %r5;`;

  test('st.async', () => {
    const body = `${begin(1)} ${peer} @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128; barrier.cluster.arrive; barrier.cluster.wait; mad.lo.u32 %r8, %b, 100, %t;
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], %r8, [%r7]; ${end}`;
    expect(run(body, pair)).toEqual(range(64).map((at) => 100 * (1 - (at >> 5)) + (at & 31)));
  });

  test('red.async', () => {
    const body = `st.shared.u32 [%r3], %t; ${begin(1)} ${peer} @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r8, 1000;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r6], %r8, [%r7]; ${end}`;
    expect(run(body, pair)).toEqual(range(64).map((at) => 1000 + (at & 31)));
  });

  test('mbarrier.arrive', () => {
    const body = `${begin(32)} ${peer} mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7]; ${wait} st.global.u32 [%own], %r4; barrier.cluster.arrive; barrier.cluster.wait;`;
    expect(run(body, pair)).toEqual(range(64).map((at) => 1 - (at >> 5)));
  });
});

describe('atomics', () => {
  test('of reals of 16 bits', () => {
    // f16: 1 + 2 = 3; bf16: 1 + 2 = 3; pairs: each by itself. Old values come back.
    const body = `mov.u16 %h1, 0x4000; @%p1 atom.global.add.noftz.f16 %h2, [%o], %h1; @%p1 atom.global.add.noftz.bf16 %h3, [%o+4], %h1;
mov.u32 %r5, 0x40003c00; @%p1 red.global.add.noftz.f16x2 [%o+8], %r5; @%p1 red.global.add.noftz.bf16x2 [%o+12], %r5; cvt.u32.u16 %r6, %h2; @%p1 st.global.u32 [%o+16], %r6;`;
    const words = [0x3c00, 0x3f80, 0x3c004000, 0x3f804000];
    expect(run(body, { words }).slice(0, 5)).toEqual([0x4200, 0x4040, 0x42004200, 0x40404000, 0x3c00]);
  });

  test('cas of 16 bits leaves its neighbour', () => {
    const body = `mov.u16 %h1, 7; mov.u16 %h2, 9; @%p1 atom.cas.b16 %h3, [%o+2], %h1, %h2; @%p1 atom.cas.b16 %h3, [%o+4], %h1, %h2;`;
    expect(run(body, { words: [0x00075555, 0x00010008] }).slice(0, 2)).toEqual([0x00095555, 0x00010008]);
  });

  test('of vectors, element by element', () => {
    const body = `mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; @%p1 red.relaxed.gpu.global.add.v2.f32 [%o], {%f1, %f2}; @%p1 atom.global.add.v2.f32 {%f3, _}, [%o], {%f1, %f1}; @%p1 st.global.f32 [%o+8], %f3;`;
    expect(run(body).slice(0, 3)).toEqual([0x40000000, 0x40400000, 0x3f800000]);
  });
});

test('parameters are read by generic addresses, and not written', () => {
  const address = 'mov.b64 %d1, given; cvta.param.u64 %d2, %d1;';
  const read = `${address} ld.u32 %r5, [%d2+4]; isspacep.param %p2, %d2; isspacep.global %p3, %d2; selp.u32 %r6, 1, 0, %p2; @%p3 add.u32 %r6, %r6, 8; add.u32 %r5, %r5, %r6; @%p1 st.global.u32 [%own], %r5;`;
  expect(run(read)[0]).toBe(0x08070605 + 1);
  expect(() => run(`${address} st.u32 [%d2+4], %t;`)).toThrow(MemoryFault);
  expect(() => run(`${address} ld.u32 %r5, [%d2+16];`)).toThrow(/within parameter memory/);
});

test('a barrier counts those that drop out, and is asked for who is missing', () => {
  // Of three arrivals one drops out: the next phase is for two.
  const body = `@%p1 mbarrier.init.shared.b64 [%r2], 3; @%p1 mbarrier.arrive.shared.b64 %d1, [%r2]; @%p1 mbarrier.arrive_drop.shared.b64 %d2, [%r2]; @%p1 mbarrier.pending_count.b64 %r4, %d1; @%p1 mbarrier.pending_count.b64 %r5, %d2;
@%p1 mbarrier.arrive.shared.b64 _, [%r2]; @%p1 mbarrier.arrive.noComplete.shared.b64 %d3, [%r2]; @%p1 mbarrier.pending_count.b64 %r6, %d3; @%p1 cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
@%p1 mbarrier.test_wait.shared.b64 %p2, [%r2], %d3; @%p1 selp.u32 %r7, 1, 0, %p2; @%p1 mbarrier.inval.shared.b64 [%r2]; mad.lo.u32 %r4, %r4, 10, %r5; mad.lo.u32 %r4, %r4, 10, %r6; mad.lo.u32 %r4, %r4, 10, %r7; st.global.u32 [%own], %r4;`;
  expect(run(body)[0]).toBe(3221);
});

test('st.bulk clears shared memory', () => {
  const body = `st.shared.u32 [%r3], %t; bar.sync 0; mov.u64 %d1, 64; @%p1 st.bulk.weak.shared::cta [%r1+32], %d1, 0; bar.sync 0; ld.shared.u32 %r5, [%r3]; st.global.u32 [%own], %r5;`;
  expect(run(body)).toEqual(range(32).map((at) => (at >= 8 && at < 24 ? 0 : at)));
  expect(() => run('mov.u64 %d1, 12; st.bulk.weak.shared::cta [%r1], %d1, 0;')).toThrow(/12 bytes to clear/);
});

test('advice to the hardware changes nothing', () => {
  const body = `discard.global.L2 [%own], 128; applypriority.global.L2::evict_normal [%own], 128; cp.async.bulk.prefetch.L2.global [%o], 64; pmevent 3; brkpt; setmaxnreg.inc.sync.aligned.u32 64; ldu.global.u32 %r5, [%own]; add.u32 %r5, %r5, 1; st.global.u32 [%own], %r5;`;
  expect(run(body, { words: squares })).toEqual(range(32).map((at) => at * at + 1));
});

test('tanh.approx is within 2^-11 of the tangent, relatively', () => {
  const body = `cvt.rn.f32.s32 %f1, %t; fma.rn.f32 %f1, %f1, 0f3E4CCCCD, 0fC0400000; tanh.approx.f32 %f2, %f1; st.global.f32 [%own], %f2;`;
  const found = new Float32Array(new Int32Array(run(body)).buffer);
  for (const at of range(32)) {
    const exact = Math.tanh(Math.fround(at * Math.fround(0.2) - 3));
    expect(Math.abs(found[at]! - exact)).toBeLessThanOrEqual(2 ** -11 * Math.abs(exact) + 1e-7);
  }
});

test('hints of caches change nothing', () => {
  const body = `createpolicy.fractional.L2::evict_last.b64 %d1, 1.0; ld.global.L1::no_allocate.L2::cache_hint.u32 %r5, [%own], %d1; griddepcontrol.wait; st.global.L2::cache_hint.u32 [%own+4], %r5, %d1; griddepcontrol.launch_dependents;`;
  const shifted = body.replace('st.global', 'bar.sync 0; setp.lt.u32 %p2, %t, 31; @%p2 st.global');
  expect(run(shifted, { words: squares })).toEqual(range(32).map((at) => Math.max(0, at - 1) ** 2));
});

test.each([
  'cp.async.bulk.shared::cluster.global.bulk_group [%r1], [%o], 16;',
  'cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%o], [%r1], 16, [%r2];',
  'cp.async.bulk.global.global.bulk_group [%o], [%o], 16;',
  'cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%o], 16;',
  'cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.s32 [%o], [%r1], 16;',
  'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%o], [%r1], 16;',
  'st.async.shared::cluster.u32 [%r1], %t, [%r2];',
  'st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %t;',
  'red.async.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%r1], %f1, [%r2];',
  'atom.global.add.f16 %h1, [%o], %h2;',
  'atom.global.add.noftz.u32 %r5, [%o], %t;',
  'red.shared.add.v2.f32 [%r1], {%f1, %f2};',
  'red.global.add.v8.f32 [%o], {%f1, %f2};',
  'atom.exch.b16 %h1, [%o], %h2;',
  'st.u32 [%o], %t, %d1;',
  'ld.global.L2::cache_hint.u32 %t, [%o];',
  'mbarrier.arrive.expect_tx.shared.b64 _, [%r2];',
  'barrier.cluster.arrive.acquire;',
  'barrier.cluster.wait.release;',
  'bar.cluster.arrive;',
  'barrier.cluster.arrive 0;',
  'mapa.shared::cta.u32 %r5, %r1, 0;',
])('%s is refused with its line', (line) => {
  const { refused } = compileKernels([{ file: 'k.ptx', text: text(line) }]);
  expect([...refused.values()].map(({ at }) => at.line)).toEqual([18]);
});
