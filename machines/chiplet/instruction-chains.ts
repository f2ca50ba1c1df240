import { z } from 'zod';
import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { predictedCycles } from './measured-cycles.ts';

/*
 * Latencies of instructions: chains of two lengths in one warp, in which each step takes the result of the one before. The names are those of `latencies.json`; of a chain whose steps the name
 * does not say there is none here.
 */

/** What was measured: by chain, cycles of a step. */
export const measuredLatencies = z.object({
  gpu: z.string(),
  latencies: z.record(z.string(), z.object({ latency: z.number() }).passthrough()),
});

/** Steps by chain: %a is the result and an operand; %b and %c others; %p, %q predicates; %x, %y of 64 bits; %u, %v reals of 32, %d, %e of 64. */
const steps: Readonly<Record<string, string>> = {
  int_add: 'add.s32 %a, %a, %b;',
  int_mul_lo: 'mul.lo.s32 %a, %a, %b;',
  int_mul_hi: 'mul.hi.s32 %a, %a, %b;',
  int_mul_hi_u: 'mul.hi.u32 %a, %a, %b;',
  int_mad_lo: 'mad.lo.s32 %a, %a, %b, %c;',
  int_mad_hi: 'mad.hi.s32 %a, %a, %b, %c;',
  int_min: 'min.s32 %a, %a, %b;',
  int_shl: 'shl.b32 %a, %a, %b;',
  int_shr_s: 'shr.s32 %a, %a, %b;',
  int_lop3: 'lop3.b32 %a, %a, %b, %c, 0x96;',
  int_popc: 'popc.b32 %a, %a;',
  int_clz: 'clz.b32 %a, %a;',
  int_brev: 'brev.b32 %a, %a;',
  int_bfind: 'bfind.u32 %a, %a;',
  int_bfe: 'bfe.u32 %a, %a, %b, %c;',
  int_bfi: 'bfi.b32 %a, %a, %b, %c, %b;',
  int_prmt: 'prmt.b32 %a, %a, %b, %c;',
  int_sad: 'sad.u32 %a, %a, %b, %c;',
  int_shf: 'shf.l.wrap.b32 %a, %a, %b, %c;',
  int_dp4a: 'dp4a.s32.s32 %a, %a, %b, %c;',
  int_dp2a: 'dp2a.lo.s32.s32 %a, %a, %b, %c;',
  int_vabsdiff4: 'vabsdiff4.u32.u32.u32 %a, %a, %b, %c;',
  int_vadd4: 'vadd4.u32.u32.u32 %a, %a, %b, %c;',
  int_div_s: 'div.s32 %a, %b, %a;',
  int_div_u: 'div.u32 %a, %b, %a;',
  int_rem_s: 'rem.s32 %a, %b, %a;',
  int_div7: 'div.s32 %a, %a, 7;',
  int_rem7: 'rem.s32 %a, %a, 7;',
  setp_selp: 'setp.lt.s32 %p, %a, %b; selp.b32 %a, %b, %c, %p;',
  setp_guard_add: 'setp.le.s32 %p, %a, %b; @%p add.s32 %a, %a, %c;',
  slct: 'slct.s32.s32 %a, %b, %c, %a;',
  half_one_fma: 'fma.rn.f16x2 %a, %a, %b, %c;',
  half_ex2: 'ex2.approx.f16x2 %a, %a;',
  half_tanh: 'tanh.approx.f16x2 %a, %a;',
  vote_ballot: 'setp.ne.s32 %p, %a, %b; vote.sync.ballot.b32 %a, %p, -1;',
  vote_any: 'setp.ne.s32 %p, %a, %b; vote.sync.any.pred %q, %p, -1; selp.b32 %a, %b, %c, %q;',
  match_any: 'match.any.sync.b32 %a, %a, -1;',
  match_all: 'match.all.sync.b32 %a, %a, -1;',
  redux_add: 'redux.sync.add.s32 %a, %a, -1;',
  redux_or: 'redux.sync.or.b32 %a, %a, -1;',
  redux_min: 'redux.sync.min.s32 %a, %a, -1;',
  f32_add: 'add.rn.f32 %u, %u, %v;',
  f32_mul: 'mul.rn.f32 %u, %u, %v;',
  f32_fma: 'fma.rn.f32 %u, %u, %v, %v;',
  f32_fma_sat: 'fma.rn.sat.f32 %u, %u, %v, %v;',
  f32_add_rz: 'add.rz.f32 %u, %u, %v;',
  f32_div_rn: 'div.rn.f32 %u, %v, %u;',
  f32_div_full: 'div.full.f32 %u, %v, %u;',
  f32_div_approx: 'div.approx.f32 %u, %v, %u;',
  f32_rcp_approx: 'rcp.approx.f32 %u, %u;',
  f32_rcp_rn: 'rcp.rn.f32 %u, %u;',
  f32_sqrt_approx: 'sqrt.approx.f32 %u, %u;',
  f32_sqrt_ftz: 'sqrt.approx.ftz.f32 %u, %u;',
  f32_sqrt_rn: 'sqrt.rn.f32 %u, %u;',
  f32_rsqrt: 'rsqrt.approx.f32 %u, %u;',
  f32_rsqrt_ftz: 'rsqrt.approx.ftz.f32 %u, %u;',
  f32_ex2: 'ex2.approx.f32 %u, %u;',
  f32_ex2_ftz: 'ex2.approx.ftz.f32 %u, %u;',
  f32_lg2: 'lg2.approx.f32 %u, %u;',
  f32_lg2_ftz: 'lg2.approx.ftz.f32 %u, %u;',
  f32_sin: 'sin.approx.f32 %u, %u;',
  f32_cos: 'cos.approx.f32 %u, %u;',
  f32_tanh: 'tanh.approx.f32 %u, %u;',
  f32_rni: 'cvt.rni.f32.f32 %u, %u;',
  f32_rzi_pair: 'cvt.rzi.s32.f32 %a, %u; cvt.rn.f32.s32 %u, %a;',
  f32_f64_pair: 'cvt.f64.f32 %d, %u; cvt.rn.f32.f64 %u, %d;',
  f32_setp_selp: 'setp.lt.f32 %p, %u, %v; selp.f32 %u, %v, 0f3F800000, %p;',
  f64_add: 'add.rn.f64 %d, %d, %e;',
  f64_mul: 'mul.rn.f64 %d, %d, %e;',
  f64_fma: 'fma.rn.f64 %d, %d, %e, %e;',
  f64_min: 'min.f64 %d, %d, %e;',
  f64_div: 'div.rn.f64 %d, %e, %d;',
  f64_rcp: 'rcp.rn.f64 %d, %d;',
  f64_rcp_approx: 'rcp.approx.ftz.f64 %d, %d;',
  f64_sqrt: 'sqrt.rn.f64 %d, %d;',
  f64_rsqrt: 'rsqrt.approx.f64 %d, %d;',
  f64_rni: 'cvt.rni.f64.f64 %d, %d;',
  f64_s32_pair: 'cvt.rzi.s32.f64 %a, %d; cvt.rn.f64.s32 %d, %a;',
  f64_s64_pair: 'cvt.rzi.s64.f64 %x, %d; cvt.rn.f64.s64 %d, %x;',
  f64_setp_selp: 'setp.lt.f64 %p, %d, %e; selp.f64 %d, %e, 0d3FF0000000000000, %p;',
  i64_add: 'add.s64 %x, %x, %y;',
  i64_mul: 'mul.lo.s64 %x, %x, %y;',
  i64_mul_hi: 'mul.hi.s64 %x, %x, %y;',
  i64_mad: 'mad.lo.s64 %x, %x, %y, %y;',
  i64_shl: 'shl.b64 %x, %x, %b;',
  i64_shr: 'shr.s64 %x, %x, %b;',
  i64_min: 'min.s64 %x, %x, %y;',
  i64_div: 'div.s64 %x, %y, %x;',
  i64_div_u: 'div.u64 %x, %y, %x;',
  i64_rem: 'rem.s64 %x, %y, %x;',
  i64_popc: 'popc.b64 %a, %x; cvt.u64.u32 %x, %a;',
  i64_clz: 'clz.b64 %a, %x; cvt.u64.u32 %x, %a;',
  i64_setp_selp: 'setp.lt.s64 %p, %x, %y; selp.b64 %x, %y, 1, %p;',
  ld_shared: 'ld.shared.u32 %a, [%a];',
  atom_shared_add: 'atom.shared.add.u32 %a, [%own], %a;',
  atom_shared_exch: 'atom.shared.exch.b32 %a, [%own], %a;',
  atom_shared_cas: 'atom.shared.cas.b32 %a, [%own], %a, %b;',
  atom_shared_one_word: 'and.b32 %a, %a, 0; atom.shared.add.u32 %a, [%a], %a;',
  atom_shared_add64: 'atom.shared.add.u64 %x, [%own], %x;',
  fence_cta: 'membar.cta;',
  fence_gl_alone: 'membar.gl;',
  fence_sys: 'membar.sys;',
  bar_sync: 'bar.sync 0;',
};

/** One row: cycles of a step as measured and as predicted; predicted / measured - 1. */
export interface InstructionRow {
  readonly name: string;
  readonly step: string;
  readonly measured: number;
  readonly predicted: number;
  readonly error: number;
}

/** The text of a chain of so many steps. What a step begins with comes from memory: nobody knows it before. */
const chainText = (step: string, length: number): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry chain(.param .u64 p)
{
  .reg .pred %p, %q;
  .reg .b32 %a, %b, %c, %own;
  .reg .f32 %u, %v;
  .reg .b64 %x, %y, %at;
  .reg .f64 %d, %e;
  .shared .align 16 .b8 near[512];
  ld.param.u64 %at, [p];
  ld.global.u32 %a, [%at];
  ld.global.u32 %b, [%at+4];
  ld.global.u32 %c, [%at+8];
  ld.global.f32 %u, [%at+12];
  ld.global.f32 %v, [%at+16];
  ld.global.u64 %x, [%at+24];
  ld.global.u64 %y, [%at+32];
  ld.global.f64 %d, [%at+40];
  ld.global.f64 %e, [%at+48];
  mov.u32 %own, %tid.x;
  shl.b32 %own, %own, 3;
  ${Array.from({ length }, () => step).join('\n  ')}
  st.global.u32 [%at+64], %a;
  st.global.f32 [%at+68], %u;
  st.global.u64 [%at+72], %x;
  st.global.f64 [%at+80], %d;
  ret;
}`;

/** Cycles that a chain of so many steps takes. */
function chainCycles(step: string, length: number, timing: GpuTiming): number {
  const program = compilePtx([{ file: 'chain.ptx', text: chainText(step, length) }], {
    messageOpcode: 'off',
  });
  return predictedCycles(
    program,
    {
      name: 'chain',
      entry: 'chain',
      grid: [1, 1, 1],
      block: [32, 1, 1],
      dynamicSharedBytes: 0,
      params: [{ ptr: 'at' }],
      buffers: { at: { type: 'u8', bytes: 128, fill: 0 } },
      compare: [],
      expected: {},
    },
    timing,
  );
}

/** Steps of the chains: more than the time that their first operands take. */
const [short, long] = [64, 96];

/** Rows of all chains that were measured, and whose steps are known. */
export function instructionRows(
  { latencies }: z.infer<typeof measuredLatencies>,
  timing: GpuTiming,
): readonly InstructionRow[] {
  const core = { ...timing, cores: 1 };
  return Object.entries(latencies).flatMap(([name, { latency: measured }]) => {
    const step = steps[name];
    if (step === undefined) return [];
    const predicted = (chainCycles(step, long, core) - chainCycles(step, short, core)) / (long - short);
    return [{ name, step, measured, predicted, error: predicted / measured - 1 }];
  });
}
