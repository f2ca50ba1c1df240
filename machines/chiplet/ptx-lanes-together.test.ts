import { describe, expect, test } from 'vitest';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import type { CompileOptions } from '../../actors/chiplet/ptx/compile-options.ts';
import { DeviceMemory, heapBytesMost } from '../../actors/chiplet/ptx/device-memory.ts';
import { BarrierDeadlock, FunctionalGrid, StepLimit } from '../../actors/chiplet/ptx/functional-grid.ts';
import { type LaunchValue, launchOf } from '../../actors/chiplet/ptx/launch.ts';
import { compileKernels, compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { KernelTrap } from '../../actors/chiplet/ptx/warp.ts';

/*
 * Instructions that lanes carry out together, copies and barriers in shared memory, functions of the system (PTX ISA; CUDA programming guide).
 */

interface Given {
  readonly body: string;
  readonly head?: string;
  readonly threads?: number;
  readonly blocks?: number;
  readonly words?: readonly number[];
  readonly parameters?: string;
  readonly values?: readonly LaunchValue[];
  readonly options?: CompileOptions;
  readonly stepsMost?: number;
}

/** Runs a body whose threads find the word of theirs in %a, its address in %x, their number in %t; what is left of the words, and the memory. */
function run({
  body,
  head = '',
  threads = 32,
  blocks = 1,
  words = [],
  parameters = '',
  values = [],
  ...more
}: Given) {
  const text = `.version 8.6
.target sm_90
.address_size 64
${head}
.visible .entry k(.param .u64 p${parameters})
{
  .reg .pred %p<4>;
  .reg .b16 %h<4>;
  .reg .b32 %a, %t, %b, %r<12>;
  .reg .f32 %f<8>;
  .reg .b64 %x, %d<12>;
  ld.param.u64 %x, [p];
  mov.u32 %t, %ctaid.x;
  mov.u32 %b, %ntid.x;
  mov.u32 %a, %tid.x;
  mad.lo.u32 %t, %t, %b, %a;
  mad.wide.u32 %x, %t, 4, %x;
  ld.global.u32 %a, [%x];
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }], { messageOpcode: 'off', ...more.options });
  const memory = new DeviceMemory(program.image);
  const count = threads * blocks;
  const at = memory.allocate(4 * count)!;
  memory.words.set(words.slice(0, count), (at - deviceBase) / 4);
  const launch = launchOf(program.kernels.get('k')!, [blocks, 1, 1], [threads, 1, 1], [at, ...values]);
  const limit = more.stepsMost === undefined ? {} : { stepsMost: more.stepsMost };
  const grid = new FunctionalGrid(launch, memory, { send: () => {}, receive: () => undefined }, limit);
  grid.run();
  const from = (at - deviceBase) / 4;
  return { words: [...memory.words.slice(from, from + count)], memory, counts: grid.counts };
}

const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const store = (register: string): string => `st.global.u32 [%x], ${register};`;

describe('lanes together', () => {
  const words = lanes.map((lane) => [7, -7, 0, 7][lane % 4]! * (lane < 16 ? 1 : 3));

  test('match.any finds the lanes with the same value', () => {
    const found = run({ words, body: `match.any.sync.b32 %a, %a, 0xffffffff; ${store('%a')}` });

    const wanted = words.map((one) =>
      words.reduce((mask, other, lane) => mask | (other === one ? 1 << lane : 0), 0),
    );
    expect(found.words).toEqual(wanted);
  });

  test('match.any looks at both halves of 64 bits', () => {
    const body = `mov.u32 %r1, %laneid; and.b32 %r1, %r1, 1; mov.b64 %d1, {%a, %r1}; match.any.sync.b64 %r2, %d1, 0xffffffff; ${store('%r2')}`;

    const same = run({ words: lanes.map(() => 5), body }).words;
    expect(same).toEqual(lanes.map((lane) => (lane % 2 === 0 ? 0x55555555 : 0xaaaaaaaa | 0)));
  });

  test('match.all gives the lanes, or none and false', () => {
    const body = `match.all.sync.b32 %r1|%p1, %a, 0xffffffff; selp.u32 %r2, 1, 2, %p1; xor.b32 %r1, %r1, %r2; ${store('%r1')}`;

    expect(run({ words: lanes.map(() => 9), body }).words).toEqual(lanes.map(() => -1 ^ 1));
    expect(run({ words, body }).words).toEqual(lanes.map(() => 2));
  });

  test.each([
    ['add.s32', words.reduce((sum, one) => sum + one, 0)],
    ['min.s32', -21],
    ['max.s32', 21],
    ['max.u32', -7],
    ['min.u32', 0],
    ['and.b32', words.reduce((all, one) => all & one, -1)],
    ['or.b32', words.reduce((all, one) => all | one, 0)],
    ['xor.b32', words.reduce((all, one) => all ^ one, 0)],
  ])('redux.sync.%s gives all lanes one value', (form, wanted) => {
    expect(run({ words, body: `redux.sync.${form} %a, %a, 0xffffffff; ${store('%a')}` }).words).toEqual(
      lanes.map(() => wanted),
    );
  });

  test('only the lanes that carry it out take part', () => {
    const body = `mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 5; @%p1 redux.sync.add.s32 %a, %r1, 0x1f; ${store('%a')}`;

    expect(run({ words, body }).words).toEqual(words.map((one, lane) => (lane < 5 ? 10 : one)));
  });

  test('elect.sync names the lowest lane, which alone has true', () => {
    const body = `elect.sync %r1|%p1, 0xfffffff0; selp.u32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2; ${store('%r1')}`;

    expect(run({ body }).words).toEqual(lanes.map((lane) => (lane === 4 ? 104 : 4)));
  });
});

describe('rows of bytes and masks', () => {
  const words = lanes.map((lane) => Math.imul(lane + 1, 0x9e3779b1));
  const byte = (word: number, at: number, signed: boolean): number =>
    signed ? (word << (24 - 8 * at)) >> 24 : (word >>> (8 * at)) & 255;

  test.each([
    ['u32.u32', false, false],
    ['s32.s32', true, true],
    ['u32.s32', false, true],
  ])('dp4a.%s adds four products', (types, first, second) => {
    const found = run({ words, body: `dp4a.${types} %a, %a, 0x8102fe7f, 11; ${store('%a')}` }).words;

    const other = 0x8102fe7f;
    expect(found).toEqual(
      words.map((word) =>
        [0, 1, 2, 3].reduce((sum, at) => sum + byte(word, at, first) * byte(other, at, second), 11),
      ),
    );
  });

  test.each([
    ['lo', 0],
    ['hi', 2],
  ])('dp2a.%s takes two bytes of the second operand', (half, from) => {
    const found = run({ words, body: `dp2a.${half}.s32.s32 %a, %a, 0x8102fe7f, -5; ${store('%a')}` }).words;

    expect(found).toEqual(
      words.map(
        (word) =>
          ((word << 16) >> 16) * byte(0x8102fe7f, from, true) +
          (word >> 16) * byte(0x8102fe7f, from + 1, true) -
          5,
      ),
    );
  });

  test.each([
    ['bmsk.clamp.b32 %a, 4, 8', 0xff0],
    ['bmsk.clamp.b32 %a, 28, 8', 0xf0000000 | 0],
    ['bmsk.clamp.b32 %a, 40, 8', 0],
    ['bmsk.clamp.b32 %a, 0, 99', -1],
    ['bmsk.wrap.b32 %a, 36, 33', 0x10],
    ['szext.clamp.s32 %a, 0xff, 8', -1],
    ['szext.clamp.u32 %a, 0x1ff, 8', 0xff],
    ['szext.wrap.s32 %a, 0xff, 33', -1],
    ['szext.wrap.s32 %a, 0xff, 32', 0],
    ['szext.clamp.s32 %a, 0x80000001, 99', -0x7fffffff],
  ])('%s', (line, wanted) => {
    expect(run({ body: `${line}; ${store('%a')}` }).words[0]).toBe(wanted);
  });
});

test.each([
  // The carry of a difference is 1 where nothing was borrowed: the quotient of 128 bits that nvcc writes adds it.
  ['sub.cc.u32 %a, 5, 3; addc.u32 %a, 0, 0', 1],
  ['sub.cc.u32 %a, 3, 5; addc.u32 %a, 0, 0', 0],
  ['add.cc.u32 %a, 3, 5; subc.u32 %a, 7, 2', 4],
  ['sub.cc.u32 %a, 3, 5; subc.u32 %a, 7, 2', 4],
  ['sub.cc.u32 %a, 5, 3; subc.u32 %a, 7, 2', 5],
])('%s', (line, wanted) => {
  expect(run({ body: `${line}; ${store('%a')}` }).words[0]).toBe(wanted);
});

test('lanes that name other members are another group', () => {
  const even = 0x55555555;
  const found = run({
    body: `and.b32 %r1, %t, 1; shl.b32 %r2, ${even}, %r1; redux.sync.add.s32 %a, %t, %r2; ${store('%a')}`,
  }).words;

  expect(found.slice(0, 4)).toEqual([240, 256, 240, 256]);
});

test('sums with carry join 64-bit halves, and products of 64 bits theirs', () => {
  const rows = [0n, 1n, 0xffffffffffffffffn, 0x8000000000000000n, 0x123456789abcdef1n, 0xfedcba9876543210n];
  for (const a of rows)
    for (const b of rows) {
      const wide = (a << 64n) | b;
      const other = (b << 64n) | a;
      const checks: readonly [string, bigint][] = [
        ['add.cc.u64 %d3, %d1, %d2; addc.u64 %d4, %d2, %d1;', wide + other],
        ['sub.cc.u64 %d3, %d2, %d1; subc.u64 %d4, %d1, %d2;', wide - other],
        ['mad.lo.cc.u64 %d3, %d1, %d2, %d1; madc.hi.u64 %d4, %d1, %d2, %d2;', a * b + ((b << 64n) | a)],
      ];
      for (const [line, wanted] of checks) {
        // Words of the result by lane, the lowest first.
        const body = `mov.b64 %d1, ${a}; mov.b64 %d2, ${b}; ${line}
  mov.b64 {%r1, %r2}, %d3; mov.b64 {%r3, %r4}, %d4;
  setp.eq.u32 %p1, %t, 0; @%p1 st.global.u32 [%x], %r1; setp.eq.u32 %p1, %t, 1; @%p1 st.global.u32 [%x], %r2;
  setp.eq.u32 %p1, %t, 2; @%p1 st.global.u32 [%x], %r3; setp.eq.u32 %p1, %t, 3; @%p1 st.global.u32 [%x], %r4;`;
        const found = run({ body }).words.slice(0, 4);
        const joined = found.reduce((sum, word, at) => sum | (BigInt(word >>> 0) << BigInt(32 * at)), 0n);
        expect({ line, a, b, found: joined }).toEqual({ line, a, b, found: BigInt.asUintN(128, wanted) });
      }
    }
});

describe('shared memory', () => {
  test('a copy in the background brings its bytes, and zeros behind its source', () => {
    const body = `.shared .align 16 .b8 near[512];
  mov.u32 %r1, near; mov.u32 %r2, %laneid; mad.lo.u32 %r1, %r2, 4, %r1; and.b32 %r3, %r2, 3;
  cp.async.ca.shared.global [%r1], [%x], 4, %r3; cp.async.commit_group; cp.async.wait_group 0;
  bar.sync 0; ld.shared.u32 %a, [%r1]; ${store('%a')}`;

    const found = run({ words: lanes.map(() => 0x04030201), body }).words;
    expect(found).toEqual(lanes.map((lane) => [0, 1, 0x201, 0x30201][lane % 4]));
  });

  test('warps wait for each other at a barrier in memory, phase by phase', () => {
    const body = `.shared .align 8 .b64 gate; .shared .b32 sums[2];
  setp.eq.u32 %p1, %t, 0; mov.u32 %r1, gate; mov.u32 %r2, sums;
  @%p1 mbarrier.init.shared.b64 [%r1], 64; @%p1 st.shared.v2.u32 [%r2], {0, 0}; bar.sync 0;
  red.shared.add.u32 [%r2], %t;
  mbarrier.arrive.shared.b64 %d1, [%r1];
wait: mbarrier.try_wait.shared.b64 %p2, [%r1], %d1; @!%p2 bra wait;
  ld.shared.u32 %r3, [%r2]; red.shared.add.u32 [%r2+4], %r3;
  mbarrier.arrive.shared::cta.b64 _, [%r1];
again: mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 1; @!%p2 bra again;
  ld.shared.u32 %r4, [%r2+4]; ${store('%r4')}`;

    expect(run({ threads: 64, body }).words).toEqual(Array.from({ length: 64 }, () => 64 * 2016));
  });

  test('blocks may wait for what a later one writes', () => {
    const head = '.global .u32 flag;';
    const body = `mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra last;
wait: ld.volatile.global.u32 %r2, [flag]; setp.eq.u32 %p2, %r2, 0; @%p2 bra wait; ${store('%r2')} ret;
last: st.global.u32 [flag], 5;`;

    expect(run({ head, blocks: 2, threads: 1, body }).words).toEqual([5, 0]);
  });
});

describe('a kernel that never ends', () => {
  test('is a deadlock when its warps come round to the same state', () => {
    const body = `.shared .b32 lock; mov.u32 %r1, lock; st.shared.u32 [%r1], 1;
wait: atom.shared.cas.b32 %r2, [%r1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra wait;`;

    expect(() => run({ body })).toThrow(BarrierDeadlock);
    expect(() => run({ body })).toThrow(
      /^E-DEADLOCK kernel k: warps go round in the same state for ever: block 0, warp 0/,
    );
  });

  test('is stopped at the limit when its state changes for ever', () => {
    expect(() => run({ body: 'on: add.u32 %r1, %r1, 1; bra on;', stepsMost: 50_000 })).toThrow(StepLimit);
  });
});

describe('functions of the system', () => {
  const bytes = (text: string): string => [...new TextEncoder().encode(text), 0].join(', ');

  test('vprintf writes what its format says', () => {
    const format = 'n %d|%5u|%-4x|%08.3f|%s|%c|%lld|%e|%g|%%\\n'.replace('\\n', '\n');
    const head = `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] = {${bytes(format)}};
.global .align 1 .b8 word[] = {${bytes('text')}};`;
    const body = `.local .align 8 .b8 given[80]; .param .b64 f; .param .b64 v; .param .b32 r;
  mov.u64 %d1, given; cvta.local.u64 %d1, %d1; mov.u64 %d2, word; cvta.global.u64 %d2, %d2;
  st.u32 [%d1], -3; st.u32 [%d1+4], 42; st.u32 [%d1+8], 255; st.f64 [%d1+16], 0d4009BE76C8B43958; st.u64 [%d1+24], %d2;
  st.u32 [%d1+32], 65; st.u64 [%d1+40], -5000000000; st.f64 [%d1+48], 0d4093480000000000; st.f64 [%d1+56], 0d3F50624DD2F1A9FC;
  mov.u64 %d3, format; cvta.global.u64 %d3, %d3; st.param.b64 [f], %d3; st.param.b64 [v], %d1;
  call.uni (r), vprintf, (f, v); ld.param.b32 %r1, [r]; ${store('%r1')}`;

    const { memory, words } = run({ head, body, threads: 1 });
    expect(memory.printed).toEqual(['n -3|   42|ff  |0003.218|text|A|-5000000000|1.234000e+03|0.001|%\n']);
    expect(words).toEqual([9]);
  });

  test('vprintf narrows, marks and fills as its flags say', () => {
    const format = '%hd|%hhu|%#o|%*d|%.*f|%08f|%.0d|%#x';
    const head = `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[] = {${bytes(format)}};`;
    const body = `.local .align 8 .b8 given[80]; .param .b64 f; .param .b64 v; .param .b32 r;
  mov.u64 %d1, given; cvta.local.u64 %d1, %d1;
  st.u32 [%d1], 123456; st.u32 [%d1+4], 300; st.u32 [%d1+8], 8; st.u32 [%d1+12], -4; st.u32 [%d1+16], 7;
  st.u32 [%d1+20], 1; st.f64 [%d1+24], 0d3FE4000000000000; st.f64 [%d1+32], 0d7FF0000000000000; st.u32 [%d1+40], 0; st.u32 [%d1+44], 10;
  mov.u64 %d3, format; cvta.global.u64 %d3, %d3; st.param.b64 [f], %d3; st.param.b64 [v], %d1;
  call.uni (r), vprintf, (f, v);`;

    expect(run({ head, body, threads: 1 }).memory.printed).toEqual(['-7616|44|010|7   |0.6|     inf||0xa']);
  });

  test('malloc gives room of its own to each lane, and none beyond the heap', () => {
    const head = '.extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p0);';
    const call = (bytes: number): string =>
      `.param .b64 n; .param .b64 r; st.param.b64 [n], ${bytes}; call.uni (r), malloc, (n); ld.param.b64 %d1, [r];`;

    const body = `${call(8)} st.u32 [%d1], %t; ld.u32 %r1, [%d1]; .param .b64 q; st.param.b64 [q], %d1; call.uni free, (q); ${store('%r1')}`;
    const { words, memory } = run({ head, body });
    expect(words).toEqual(lanes);
    expect(memory.allocations.length).toBe(1);

    const none = run({
      head,
      threads: 1,
      body: `${call(heapBytesMost + 1)} cvt.u32.u64 %r1, %d1; ${store('%r1')}`,
    });
    expect(none.words).toEqual([0]);
  });

  test('an assertion that does not hold stops the kernel and is told', () => {
    const head = `.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.global .align 1 .b8 what[] = {${bytes('v > 0')}};
.global .align 1 .b8 file[] = {${bytes('k.cu')}};`;
    const body = `.param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 c;
  mov.u64 %d1, what; cvta.global.u64 %d1, %d1; mov.u64 %d2, file; cvta.global.u64 %d2, %d2; st.param.b64 [m], %d1; st.param.b64 [f], %d2;
  st.param.b32 [l], 12; st.param.b64 [n], %d2; st.param.b64 [c], 1; setp.eq.u32 %p1, %t, 3; @%p1 call __assertfail, (m, f, l, n, c);`;

    expect(() => run({ head, body })).toThrow(KernelTrap);
    expect(() => run({ head, body })).toThrow(
      /^E-ASSERT k\.cu:12: k\.cu: Assertion `v > 0` failed: kernel k, block 0, thread 3,/,
    );
  });
});

describe('compiling', () => {
  const products = `mov.b32 %f1, %a; mul.f32 %f2, %f1, %f1; mul.f32 %f3, %f1, 0f3F8CCCCD; add.f32 %f4, %f2, %f3; mov.b32 %r1, %f4; ${store('%r1')}`;
  const one = Math.fround(1.1);
  const real = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0]!;

  test('a product and its sum are fused where that is asked for, the first product of two', () => {
    const words = lanes.map((lane) => real(one + lane / 8));
    const values = words.map((word) => new Float32Array(Int32Array.of(word).buffer)[0]!);

    const plain = run({ words, body: products }).words;
    expect(plain).toEqual(values.map((x) => real(Math.fround(Math.fround(x * x) + Math.fround(x * one)))));
    const fused = run({ words, body: products, options: { contraction: 'fuse' } });
    // The square is exact as a double, and so near to the sum that one rounding decides.
    expect(fused.words).toEqual(values.map((x) => real(Math.fround(x * x + Math.fround(x * one)))));
    expect(fused.words).not.toEqual(plain);
  });

  test('a product with a rounding modifier, or one that is needed elsewhere, is not fused', () => {
    const words = lanes.map((lane) => real(one + lane / 8));
    const options = { contraction: 'fuse' } as const;
    const rounded = products.replaceAll('mul.f32', 'mul.rn.f32');
    expect(run({ words, body: rounded, options }).words).toEqual(run({ words, body: products }).words);
  });

  test('a kernel that cannot be compiled leaves the others of its text alone', () => {
    const text = `.version 8.6
.target sm_90
.visible .entry good() { ret; }
.visible .entry bad() { nonsense.u32 1; ret; }`;

    const { kernels, refused } = compileKernels([{ file: 'k.ptx', text }]);
    expect([...kernels.keys()]).toEqual(['good']);
    expect(refused.get('bad')?.message).toMatch(/^k\.ptx:4:\d+ E-PTX found the instruction "nonsense"/);
    expect(() => compilePtx([{ file: 'k.ptx', text }])).toThrow(/nonsense/);
  });

  test('a structure is a parameter by its bytes', () => {
    const parameters = ', .param .align 8 .b8 s[16]';
    const body = `ld.param.u32 %r1, [s]; ld.param.f64 %d1, [s+8]; cvt.rzi.s32.f64 %r2, %d1; add.s32 %r1, %r1, %r2; ${store('%r1')}`;
    const bytes = [
      ...new Uint8Array(Int32Array.of(40, 0).buffer),
      ...new Uint8Array(Float64Array.of(2.5).buffer),
    ];
    const given = { parameters, body: body.replace('ld.param.f64 %d1', 'ld.param.b64 %d1'), threads: 1 };

    expect(run({ ...given, values: [{ bytes }] }).words).toEqual([42]);
    expect(() => run({ ...given, values: [{ bytes: bytes.slice(1) }] })).toThrow(
      /E-LAUNCH k: found 15 bytes for s, expected 16/,
    );
    expect(() => run({ ...given, values: [1] })).toThrow(
      /E-LAUNCH k: found 1 for s, expected a structure of 16 bytes/,
    );
  });
});
