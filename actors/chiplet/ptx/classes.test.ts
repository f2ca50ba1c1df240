import { expect, test } from 'vitest';
import { compilePtx } from './program.ts';

/*
 * The class of each instruction, by which it is timed and takes energy (chiplet specification 7.3): the rows of its table.
 */

const classesOf = (lines: string): readonly string[] => {
  const { kernels } = compilePtx([
    {
      file: 'k.ptx',
      text: `.version 7.0
.target sm_75
.const .align 8 .b8 fixed[64];
.global .align 8 .b8 far[64];
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<4>;
  .reg .b16 %h<5>;
  .reg .b32 %r<6>;
  .reg .f32 %f<5>;
  .reg .f64 %d<5>;
  .reg .b64 %x<5>;
  .shared .align 8 .b8 near[64];
  .local .align 8 .b8 own[64];
  ${lines}
  exit;
}`,
    },
  ]);
  return kernels
    .get('k')!
    .code.slice(0, -1)
    .map((one) => one.class);
};

const register: Readonly<Record<string, string>> = { 16: '%h', 32: '%r', 64: '%x' };
const of = (type: string): string =>
  type === 'f32' ? '%f' : type === 'f64' ? '%d' : register[type.slice(1)]!;

/** One line for each type: `base.type` with registers of it. */
const lines = (base: string, operands: number, types: readonly string[]): string =>
  types
    .map(
      (type) =>
        `${base}.${type} ${Array.from({ length: operands }, (_, at) => `${of(type)}${at + 1}`).join(', ')};`,
    )
    .join(' ');

const whole = ['s16', 'u16', 's32', 'u32', 's64', 'u64'];

test.each([
  ['intAdd', lines('add', 3, whole) + lines('sub', 3, whole) + lines('neg', 2, ['s16', 's32', 's64'])],
  [
    'intAdd',
    lines('abs', 2, ['s32', 's64']) +
      lines('and', 3, ['b16', 'b32', 'b64']) +
      lines('not', 2, ['b32', 'b64']),
  ],
  [
    'intAdd',
    `${lines('mov', 2, ['u16', 'b32', 'f32', 'u64', 'f64'])} mov.pred %p1, %p2; and.pred %p1, %p2, %p3;`,
  ],
  [
    'intAdd',
    'shl.b32 %r1, %r2, %r3; shr.s64 %x1, %x2, %r1; popc.b32 %r1, %r2; clz.b64 %r1, %x1; brev.b32 %r1, %r2; bfe.u32 %r1, %r2, 1, 2;',
  ],
  [
    'intAdd',
    'setp.lt.s32 %p1, %r1, %r2; setp.lt.u64 %p1, %x1, %x2; setp.lt.f32 %p1, %f1, %f2; setp.lt.f64 %p1, %d1, %d2;',
  ],
  ['intAdd', 'selp.b32 %r1, %r2, %r3, %p1; selp.f32 %f1, %f2, %f3, %p1; selp.f64 %d1, %d2, %d3, %p1;'],
  [
    'intAdd',
    'cvt.rn.f32.f64 %f1, %d1; cvt.f64.f32 %d1, %f1; cvt.rzi.s32.f32 %r1, %f1; cvt.rn.f64.s64 %d1, %x1; cvt.u64.u32 %x1, %r1;',
  ],
  [
    'intAdd',
    'cvta.to.global.u64 %x1, %x2; mov.u64 %x1, near; add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r1, %r2, %r3;',
  ],
  ['intMax', lines('min', 3, whole) + lines('max', 3, whole)],
  [
    'intMul',
    lines('mul.lo', 3, whole) +
      lines('mul.hi', 3, whole) +
      'mul.wide.u16 %r1, %h1, %h2; mul.wide.s32 %x1, %r1, %r2; mul24.lo.u32 %r1, %r2, %r3;',
  ],
  [
    'intMad',
    lines('mad.lo', 4, whole) +
      lines('mad.hi', 4, whole) +
      'mad.wide.s32 %x1, %r1, %r2, %x2; mad24.lo.s32 %r1, %r2, %r3, %r4;',
  ],
  ['intDiv', lines('div', 3, whole) + lines('rem', 3, whole)],
  [
    'floatAdd',
    lines('add', 3, ['f32']) + lines('sub', 3, ['f32']) + lines('neg', 2, ['f32']) + lines('abs', 2, ['f32']),
  ],
  ['floatMax', lines('min', 3, ['f32']) + lines('max', 3, ['f32'])],
  ['floatMul', lines('mul', 3, ['f32'])],
  ['floatMad', lines('fma.rn', 4, ['f32']) + lines('mad', 4, ['f32'])],
  ['floatDiv', lines('div.rn', 3, ['f32']) + lines('div.full', 3, ['f32'])],
  [
    'doubleAdd',
    lines('add', 3, ['f64']) + lines('sub', 3, ['f64']) + lines('neg', 2, ['f64']) + lines('abs', 2, ['f64']),
  ],
  ['doubleMax', lines('min', 3, ['f64']) + lines('max', 3, ['f64'])],
  ['doubleMul', lines('mul', 3, ['f64'])],
  ['doubleMad', lines('fma.rn', 4, ['f64'])],
  ['doubleDiv', lines('div.rn', 3, ['f64'])],
  [
    'special',
    ['ex2.approx', 'lg2.approx', 'sin.approx', 'cos.approx', 'rsqrt.approx', 'rcp.rn', 'sqrt.rn']
      .map((one) => lines(one, 2, ['f32']))
      .join('') + lines('sqrt.rn', 2, ['f64']),
  ],
  ['control', 'bra again; again: bar.sync 0; membar.gl; fence.acq_rel.gpu; @%p1 ret; bar.arrive 0, 32;'],
  ['constant', 'ld.const.u32 %r1, [fixed]; ld.param.u64 %x1, [p]; ld.u32 %r1, [fixed];'],
  ['shared', 'ld.shared.u32 %r1, [near]; st.shared.v2.u32 [near], {%r1, %r2}; ld.u32 %r1, [near];'],
  [
    'global',
    'ld.global.u32 %r1, [far]; st.global.f64 [far], %d1; ld.local.u32 %r1, [own]; st.local.u32 [own], %r1; ld.u32 %r1, [%x1];',
  ],
  [
    'atomic',
    'atom.global.add.u32 %r1, [far], 1; red.shared.min.s32 [near], %r1; atom.exch.b32 %r1, [%x1], %r2;',
  ],
  ['message', 'addc.u32 %r1, %r2, %r3; addc.s32 %r1, %r2, %r3;'],
])('%s are %s', (expected, text) => {
  expect(new Set(classesOf(text))).toEqual(new Set([expected]));
});
