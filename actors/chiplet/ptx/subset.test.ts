import { expect, test } from 'vitest';
import { compilePtx } from './program.ts';
import { PtxError } from './ptx-error.ts';

/*
 * The subset that must run (chiplet specification 7.1): every instruction with every type that the table names is accepted, others are refused.
 */

const compiled = (line: string): void => {
  const text = `.version 9.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 open[];
.global .align 8 .b8 far[64];
.const .align 4 .b8 fixed[100] = {0, 0, 7};
.visible .entry k(.param .u64 p, .param .align 8 .b8 block[16])
{
  .reg .pred %p<4>;
  .reg .b16 %h<4>;
  .reg .b32 %r<9>;
  .reg .f32 %f<5>;
  .reg .f64 %d<5>;
  .reg .b64 %x<5>;
  .local .align 8 .b8 own[64];
  .shared .align 8 .b8 near[64];
  ${line}
  ret;
}`;
  compilePtx([{ file: 'k.ptx', text }], { messageOpcode: 'off' });
};

/** A register for a type. */
const of = (type: string, number: number): string => {
  if (type === 'pred') return `%p${number}`;
  if (type.startsWith('f')) return type === 'f64' ? `%d${number}` : `%f${number}`;
  const bits = Number(type.slice(1));
  return `%${bits === 64 ? 'x' : bits === 32 ? 'r' : 'h'}${number}`;
};

const integers = ['s16', 'u16', 's32', 'u32', 's64', 'u64'];
const singles = ['f32'];
const reals = ['f32', 'f64'];
const bits = ['b16', 'b32', 'b64'];

/** By instruction: operands of its own type, and the types that the table names. */
const forms: readonly (readonly [base: string, operands: number, types: readonly string[]])[] = [
  ['mov', 2, ['u16', 's32', 'u32', 'b32', 'u64', 'b64', 'f32', 'f64', 'pred']],
  ['add', 3, [...integers, ...reals]],
  ['sub', 3, [...integers, ...singles]],
  ['mul.lo', 3, integers],
  ['mul.hi', 3, integers],
  ['mad.lo', 4, integers],
  ['mul24.lo', 3, ['s32', 'u32']],
  ['div', 3, integers],
  ['rem', 3, integers],
  ['min', 3, [...integers, ...singles]],
  ['max', 3, [...integers, ...singles]],
  ['abs', 2, ['s16', 's32', 's64', ...reals]],
  ['neg', 2, ['s16', 's32', 's64', ...reals]],
  ['and', 3, [...bits, 'pred']],
  ['or', 3, [...bits, 'pred']],
  ['xor', 3, [...bits, 'pred']],
  ['not', 2, [...bits, 'pred']],
  ['brev', 2, ['b32', 'b64']],
  ['mul', 3, reals],
  ['mul.ftz', 3, singles],
  ['add.sat', 3, singles],
  ['add.ftz.sat', 3, singles],
  ['div.rn', 3, reals],
  ['fma.rn', 4, reals],
  ['mad', 4, singles],
  ['sqrt.rn', 2, reals],
  ['rcp.rn', 2, reals],
  ['rcp.approx.ftz', 2, singles],
  ['ex2.approx', 2, singles],
  ['lg2.approx', 2, singles],
  ['rsqrt.approx', 2, singles],
  ['sin.approx', 2, singles],
  ['cos.approx', 2, singles],
];

test.each(forms)('%s with %i operands is there for every type of the table', (base, operands, types) => {
  for (const type of types) {
    const written = (count: number) =>
      compiled(`${base}.${type} ${Array.from({ length: count }, (_, at) => of(type, at)).join(', ')};`);
    expect(() => written(operands)).not.toThrow();
    // Of three .f32 there is a smallest and a largest one, too (PTX ISA 8.8).
    const more = type === 'f32' && ['min', 'max'].includes(base) ? operands + 2 : operands + 1;
    for (const other of [operands - 1, more]) expect(() => written(other)).toThrow(`found ${other} operands`);
  }
});

test.each([
  'setp.lo.u32 %p1, %r1, %r2;',
  'setp.ls.u64 %p1, %x1, %x2;',
  'setp.hi.u16 %p1, %h1, %h2;',
  'setp.hs.and.u32 %p1|%p2, %r1, %r2, !%p3;',
  'setp.ltu.ftz.f32 %p1, %f1, %f2;',
  'setp.ge.or.f64 %p1, %d1, %d2, %p3;',
  'setp.nan.xor.f32 %p1, %f1, %f2, %p3;',
  'selp.f64 %d1, %d2, %d3, %p1;',
  'selp.b32 %r1, 1, 0, %p1;',
  '@!%p1 mov.u32 %r1, 5;',
  '@%p1 bra $L__BB0_3; $L__BB0_3: bra.uni $L__BB0_3;',
  'mov.b64 %x1, {%r1, %r2};',
  'mov.b64 {%r1, %r2}, %x1;',
  'mov.u64 %x1, near; mov.u64 %x2, own; mov.u32 %r1, open; mov.u64 %x3, far;',
  'cvta.to.global.u64 %x1, %x2; cvta.to.shared.u64 %x1, %x2; cvta.to.local.u64 %x1, %x2;',
  'cvta.local.u64 %x1, %x2; cvta.shared.u64 %x1, %x2;',
  'ld.param.u64 %x1, [p]; ld.param.v2.u32 {%r1, %r2}, [block+8];',
  'ld.const.u8 %r1, [fixed+2]; ld.const.s8 %h1, [fixed];',
  'ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [far+16]; st.global.v2.f64 [far], {%d0, %d1};',
  'ld.volatile.shared.u16 %h1, [near+-0]; st.shared.s64 [near+8], %x1;',
  'ld.local.b64 %x1, [own+8]; st.local.u8 [own], %r1; st.u16 [%x1+-2], %h1;',
  'mul.wide.s16 %r1, %h1, %h2; mul.wide.u32 %x1, %r1, %r2; mad.wide.s32 %x1, %r1, %r2, %x2;',
  'shl.b16 %h1, %h2, %r1; shl.b64 %x1, %x2, 3; shr.s16 %h1, %h2, 1; shr.u64 %x1, %x2, %r1;',
  'popc.b32 %r1, %r2; popc.b64 %r1, %x1; clz.b32 %r1, %r2; clz.b64 %r1, %x1;',
  'bfe.u32 %r1, %r2, 3, 5; bfe.s64 %x1, %x2, %r1, %r2; bfi.b32 %r1, %r2, %r3, 0, 8; bfi.b64 %x1, %x2, %x3, 1, 2;',
  'cvt.u32.u16 %r1, %tid.x; cvt.u16.u32 %h1, %r1; cvt.s64.s32 %x1, %r1; cvt.u64.u8 %x1, %r1; cvt.s8.s32 %r1, %r2;',
  'cvt.rn.f32.u64 %f1, %x1; cvt.rz.f32.f64 %f1, %d1; cvt.rm.f32.s32 %f1, %r1; cvt.rp.f32.s64 %f1, %x1; cvt.f64.f32 %d1, %f1;',
  'cvt.rni.s32.f32 %r1, %f1; cvt.rzi.u64.f64 %x1, %d1; cvt.rmi.f32.f32 %f1, %f2; cvt.rpi.ftz.s32.f32 %r1, %f1; cvt.sat.f32.f32 %f1, %f2;',
  'bar.sync 0; barrier.sync 0; barrier.sync.aligned 1; membar.cta; membar.gl; fence.acq_rel.gpu; exit;',
  'atom.global.add.u32 %r1, [far], %r2; atom.shared.cas.b32 %r1, [near], %r2, %r3; atom.global.exch.b64 %x1, [far], %x2;',
  'atom.global.add.f32 %f1, [far], %f2; atom.shared.inc.u32 %r1, [near], 5; atom.global.min.s32 %r1, [far], %r2;',
  'red.global.add.u32 [far], %r1; red.shared.or.b32 [near], %r1; red.shared.max.u32 [near], %r1;',
  'bar.sync 1, 64; bar.arrive 2, 32; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p1, 0, 64, !%p2; barrier.cta.red.or.pred %p1, %r1, %p2;',
  'barrier.arrive.aligned 3, 96; barrier.cta.sync 4; bar.warp.sync -1; bar.sync %r1, %r2;',
  'ld.global.L1::no_allocate.L2::128B.u32 %r1, [far]; ld.relaxed.gpu.global.u32 %r1, [far]; st.release.sys.global.u32 [far], %r1; ld.shared::cta.u32 %r1, [near];',
  'mov.u64 %x1, far+8; ld.u32 %r1, [near]; st.u32 [own+4], %r1; ld.u32 %r1, [fixed]; mov.u64 %x2, %clock64; cvt.u32.u64 %r1, %clock64;',
  '{ again: bra again; } { again: bra again; }',
  'ld.global.v2.u32 {_, %r1}, [far]; st.global.v2.u32 [far], {1, -2}; st.global.f32 [far], 1.5; atom.global.add.u32 _, [far], 1; setp.lt.s32 %p1|_, %r1, 2;',
  '@%p1 trap; nanosleep.u32 100; prefetch.global.L2 [far]; prefetchu.L1 [%x1]; isspacep.shared %p1, %x1; vote.any.pred %p1, %p2; vote.ballot.b32 %r1, %p1;',
  'sad.u32 %r1, %r2, %r3, %r4; set.lt.u32.f32 %r1, %f1, %f2; slct.f32.s32 %f1, %f2, %f3, %r1; prmt.b32.f4e %r1, %r2, %r3, %r4; bfind.u32 %r1, %r2;',
  'add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6; addc.s32 %r4, %r5, %r6;',
  'shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1; shfl.sync.down.b32 %r1, %r2, %r3, 31, -1; activemask.b32 %r1;',
  'vote.sync.any.pred %p1, %p2, -1; vote.sync.ballot.b32 %r1, %p1, %r2; vote.sync.all.pred %p1, !%p2, -1;',
  'mov.f32 %f1, 0f3F800000; mov.f64 %d1, 0d3FF0000000000000; mov.u32 %r1, 0xFFFFFFFF; mov.s32 %r1, -5;',
  'mov.u32 %r1, %tid.z; mov.u16 %h1, %ntid.x; mov.u32 %r1, %nctaid.y; mov.u32 %r1, %laneid; mov.u32 %r1, %warpid; mov.u32 %r1, %smid; mov.u32 %r1, %clock;',
])('%s is accepted', (line) => {
  expect(() => compiled(line)).not.toThrow();
});

test.each([
  ['add.b32 %r1, %r2, %r3;', 'found "b32" in add.b32'],
  ['and.u32 %r1, %r2, %r3;', 'found "u32" in and.u32'],
  ['mul.u32 %r1, %r2, %r3;', 'found mul.u32'],
  ['mul.wide.u64 %x1, %x2, %x3;', 'found mul.wide.u64'],
  ['add.ftz.s32 %r1, %r2, %r3;', 'found add.ftz.s32'],
  ['add.sat.f64 %d1, %d2, %d3;', 'found add.sat.f64'],
  ['ex2.approx.f64 %d1, %d2;', 'found "f64" in ex2.approx.f64'],
  ['setp.lo.f32 %p1, %f1, %f2;', 'found setp.lo.f32'],
  ['cvt.s32.f32 %r1, %f1;', 'found cvt.s32.f32'],
  ['atom.global.min.f32 %f1, [far], %f2;', 'found atom.global.min.f32'],
  ['atom.shared.cas.b32 %r1, [near], %r2;', 'found atom.shared.cas.b32'],
  ['ld.global.pred %p1, [far];', 'found "pred" in ld.global.pred'],
  ['st.param.u32 [p], %r1;', 'expected memory that can be written'],
  ['bar.arrive 0;', 'found 1 operands, expected 2'],
  ['bar.sync 16;', 'found the barrier 16, expected one from 0 to 15'],
  ['bar.sync 0, 40;', 'found a barrier for 40 threads, expected a multiple of 32'],
  ['bar.red.popc.pred %p1, 0, %p2;', 'expected red.popc.u32'],
  ['bar.sync.popc 0;', 'expected bar.sync, bar.arrive or bar.red'],
  ['add.rn.rz.f32 %f1, %f2, %f3;', 'expected add with no other words than: rn or rz or rm or rp, ftz, sat'],
  ['add.ftz.ftz.f32 %f1, %f2, %f3;', 'found "ftz" and "ftz" in add.ftz.ftz.f32'],
  ['add.sat.u32 %r1, %r2, %r3;', 'found add.sat.u32'],
  ['ex2.rn.f32 %f1, %f2;', 'found ex2.rn.f32'],
  ['div.full.rn.f32 %f1, %f2, %f3;', 'found div.full.rn.f32'],
  ['min.NaN.f64 %d1, %d2, %d3;', 'expected min with no other words than: none'],
  ['mul.lo.hi.s32 %r1, %r2, %r3;', 'found "lo" and "hi"'],
  ['mad.lo.sat.s32 %r1, %r2, %r3, %r4;', 'found mad.lo.sat.s32'],
  ['cvt.f32.f64 %f1, %d1;', 'expected cvt with rn, rz, rm, rp'],
  ['cvt.rn.f64.f32 %d1, %f1;', 'expected cvt without a rounding'],
  ['cvt.f32.s32 %f1, %r1;', 'expected cvt with rn, rz, rm, rp'],
  ['cvt.rn.s32.f32 %r1, %f1;', 'expected cvt with rni, rzi, rmi, rpi'],
  ['cvt.rni.rzi.s32.f32 %r1, %f1;', 'found "rni" and "rzi"'],
  ['cvt.ftz.s32.s16 %r1, %h1;', 'expected cvt.ftz with .f32'],
  ['setp.lt.b32 %p1, %r1, %r2;', 'expected setp for .b32 with one of eq, ne'],
  ['setp.lo.s32 %p1, %r1, %r2;', 'found setp.lo.s32'],
  ['setp.lt.gt.s32 %p1, %r1, %r2;', 'found "lt" and "gt"'],
  ['setp.lt.ftz.s32 %p1, %r1, %r2;', 'expected setp with ftz for .f32'],
  ['setp.lt.and.s32 %p1, %r1, %r2;', 'expected and, or, xor with a predicate to join'],
  ['add.s32 %f1, %f2, %f3;', 'found %f2 of .f32, expected a register of .s32 or of plain bits'],
  ['add.s32 %r1, %r2, 1.5;', 'found a real number, expected a value of .s32'],
  ['add.u64 %x1, %x2, 1.5;', 'found a real number, expected a value of .u64'],
  ['mov.b32 %r1, {%h1};', 'found 1 parts'],
  ['mov.u32 %r1, %r2+4;', 'found "%r2" with a number added, expected that of a variable'],
  ['cvta.u64 %x1, %x2;', 'expected cvta with one of global'],
  ['cvta.global.shared.u64 %x1, %x2;', 'found "global" and "shared"'],
  ['ld.shared.u32 %r1, [far];', 'found a variable of .global, expected one of .shared'],
  ['ld.global.nc.shared.u32 %r1, [far];', 'found "global" and "shared"'],
  ['ld.shared.nc.u32 %r1, [near];', 'expected nc for global memory only'],
  ['ld.global.wb.u32 %r1, [far];', 'found "wb" in ld.global.wb.u32'],
  ['st.global.ca.u32 [far], %r1;', 'found "ca" in st.global.ca.u32'],
  ['ld.v4.f64 {%d1, %d2, %d3, %d4}, [%x1];', 'expected at most 16 bytes'],
  ['st.u32 [fixed], %r1;', 'found an address of .const, expected memory that can be written'],
  ['atom.global.u32 %r1, [far], %r2;', 'expected one of add, min'],
  ['atom.global.inc.s32 %r1, [far], %r2;', 'expected atom.inc with one of u32'],
  ['atom.global.add.min.u32 %r1, [far], %r2;', 'found "add" and "min"'],
  ['atom.local.add.u32 %r1, [own], %r2;', 'found "local" in atom.local.add.u32'],
  ['atom.add.u32 %r1, [own], %r2;', 'expected global or shared memory'],
  ['vote.sync.any.pred %p1, %p2;', 'expected vote.sync with a mask of lanes'],
  ['vote.any.pred %p1, %p2, -1;', 'expected vote.sync with a mask of lanes'],
  ['vote.sync.any.b32 %r1, %p2, -1;', 'expected vote.any.pred'],
  ['shfl.sync.up.b32 %r1, %r2, 1, 0;', 'shfl.sync with a mask of lanes'],
  ['shfl.up.down.b32 %r1, %r2, 1, 0;', 'found "up" and "down"'],
  ['shf.l.b32 %r1, %r2, %r3, 4;', 'expected shf with l or r, and with clamp or wrap'],
  ['lop3.b32 %r1, %r2, %r3, %r4, 256;', 'expected a number from 0 to 255'],
  ['.reg .b32 %y; .reg .f32 %y;', 'found "%y" declared twice'],
  ['again: again: bra again;', 'found "again" declared twice'],
  ['tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [far, {%f1, %f2}];', 'expected a .texref'],
])('%s is refused with its place', (line, what) => {
  let error: unknown;
  try {
    compiled(line);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(PtxError);
  const { message, at } = error as PtxError;
  expect(message).toContain(what);
  expect(at.line).toBe(17);
});
