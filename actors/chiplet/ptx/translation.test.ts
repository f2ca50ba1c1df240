import { describe, expect, test } from 'vitest';
import { compilePtx } from './program.ts';

/*
 * What the translator makes of instructions: which are none of their own, and of which kinds the others are.
 */

const codeOf = (body: string) =>
  compilePtx([
    {
      file: 'k.ptx',
      text: `.version 8.0
.target sm_90
.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .pred %p<9>;
  .reg .b32 %r<20>;
  .reg .f32 %f<9>;
  .reg .b64 %d<9>;
  .shared .align 8 .b8 near[64];
  ${body}
  ret;
}`,
    },
  ]).kernels.get('k')!.code;

const sequences = (body: string): readonly (string | null)[] =>
  codeOf(body)
    .slice(0, -1)
    .map(({ schedule }) => schedule.sequence);

const none = 'folded';

test.each<[string, string, readonly (string | null)[]]>([
  [
    'moves, parameters, casts',
    'mov.u32 %r1, %ntid.x; ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1; cvt.u64.u32 %d3, %r1;',
    [none, none, none, none],
  ],
  ['the number of a thread is read', 'mov.u32 %r1, %tid.x;', [null]],
  [
    'a sum of three',
    'add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; st.shared.u32 [near], %r4;',
    [none, null, null],
  ],
  [
    'not one of four',
    'add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; add.s32 %r6, %r4, %r7; st.shared.u32 [near], %r6;',
    [none, null, null, null],
  ],
  [
    'a sum that two read',
    'add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; add.s32 %r6, %r1, %r7; st.shared.v2.u32 [near], {%r4, %r6};',
    [null, null, null, null],
  ],
  [
    'a sum of before a register is written again',
    'add.s32 %r1, %r1, %r3; add.s32 %r1, %r1, %r3; st.shared.u32 [near], %r1;',
    [none, null, null],
  ],
  [
    'a product and a sum',
    'mul.lo.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; st.shared.u32 [near], %r4;',
    [none, null, null],
  ],
  [
    'a shift by a constant and a sum',
    'shl.b32 %r1, %r2, 3; add.s32 %r4, %r1, %r5; shl.b32 %r6, %r2, %r3; add.s32 %r7, %r6, %r5; st.shared.v2.u32 [near], {%r4, %r7};',
    [none, null, null, null, null],
  ],
  [
    'logic of three operands',
    'not.b32 %r1, %r2; and.b32 %r4, %r1, %r5; or.b32 %r6, %r4, %r7; st.shared.u32 [near], %r6;',
    [none, none, null, null],
  ],
  [
    'a real product and a sum',
    'mul.f32 %f1, %f2, %f3; add.f32 %f4, %f1, %f5; mul.rn.f32 %f6, %f2, %f3; add.f32 %f7, %f6, %f5; st.shared.v2.f32 [near], {%f4, %f7};',
    [none, null, null, null, null],
  ],
  [
    'comparisons that are combined',
    'setp.lt.s32 %p1, %r1, 1; setp.gt.s32 %p2, %r2, 5; or.pred %p3, %p1, %p2; selp.b32 %r3, 1, 2, %p3;',
    [null, null, none, null],
  ],
  [
    'an address',
    'ld.param.u64 %d1, [p]; mul.wide.s32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; add.s64 %d4, %d2, 8; st.u64 [%d3], %d4;',
    [none, none, 'mulWide', 'mulWide', null],
  ],
  [
    'not one that is read behind a branch as well, also where that is not always taken',
    'mul.wide.s32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; @%p1 bra L; bar.sync 0; add.s64 %d4, %d5, %d2; st.u64 [%d3], %d4; L: ret;',
    ['mulWide', 'wideAdd', null, null, 'wideAdd', null, null],
  ],
  [
    'a branch over a few instructions, and both ways of one',
    '@%p1 bra L; add.s32 %r1, %r2, 1; bra.uni M; L: sub.s32 %r1, %r2, 1; M: st.shared.u32 [near], %r1;',
    [none, null, none, null, null],
  ],
  [
    'not over a quotient',
    '@%p1 bra L; div.u32 %r1, %r2, %r3; L: st.shared.u32 [near], %r1;',
    [null, 'div', null],
  ],
  [
    'quotients by what was divided by before, and by a constant',
    'div.u32 %r1, %r2, %r3; rem.u32 %r4, %r2, %r3; div.u32 %r5, %r2, 7;',
    ['div', 'divAgain', 'divConstant'],
  ],
])('%s', (_name, body, expected) => {
  expect(sequences(body)).toEqual(expected);
});

test('a loop of a constant step is one whose turns the translator joins, and its predicate no guard to wait for', () => {
  const loop = (step: string, more = '') =>
    codeOf(`L: ${more} add.s32 %r1, %r1, ${step}; setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;`);
  const joined = (code: ReturnType<typeof codeOf>): readonly boolean[] =>
    code.map(({ schedule }) => schedule.unrolled >= 0);
  expect(joined(loop('1'))).toEqual([true, false, true, false]);
  expect(loop('1')[1]!.schedule.predicate).toBe(false);
  expect(joined(loop('%r3'))).toEqual([false, false, false, false]);
  expect(loop('%r3')[1]!.schedule.predicate).toBe(true);
  expect(joined(loop('1', 'bar.sync 0;'))).not.toContain(true);
});

test('what is uniform in a block is known where an atomic is', () => {
  const together = (address: string) =>
    codeOf(
      `ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; cvt.u64.u32 %d2, %r1; add.s64 %d3, %d1, %d2; add.s64 %d4, %d1, 64; red.global.add.u32 [${address}], %r1;`,
    ).at(-2)!.schedule.together;
  expect(['%d1', '%d4', '%d3'].map(together)).toEqual([true, true, false]);
});

describe('a loop whose turns are counted by constants', () => {
  const loop = (turns: number, before = '', start = 'mov.u32 %r1, 0;'): string =>
    `${start} ld.param.u32 %r3, [n]; L: ${before} setp.lt.u32 %p1, %r1, 9; @%p1 bra M; xor.b32 %r3, %r3, 5; bra N; M: mul.lo.u32 %r2, %r1, 3; and.b32 %r4, %r2, 15; add.u32 %r3, %r3, %r4; N: popc.b32 %r3, %r3; add.u32 %r1, %r1, 1; setp.ne.u32 %p2, %r1, ${turns}; @%p2 bra L; st.shared.u32 [near], %r3;`;
  const left = (body: string): number =>
    sequences(body)
      .slice(2)
      .filter((one) => one !== none).length;

  test('is written out: what follows from the count alone is nothing', () => {
    // What stays: xor, add, popc, and the store behind the loop.
    expect(left(loop(64))).toBe(4);
  });

  test('stays a loop where it would come to too much, begins with an unknown number, or is said to stay one', () => {
    expect(left(loop(5000))).toBeGreaterThan(8);
    expect(left(loop(64, '', 'ld.param.u32 %r1, [n];'))).toBeGreaterThan(8);
    expect(left(loop(64, '.pragma "nounroll";'))).toBeGreaterThan(8);
  });

  test('comes to 4096 instructions at most', () => {
    // Three instructions a turn, and the store behind the loop.
    expect(left(loop(1365))).toBe(4);
    expect(left(loop(1366))).toBeGreaterThan(8);
  });
});
