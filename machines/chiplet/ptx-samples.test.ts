import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { type CaseOutcome, type GpuCase, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * What kernels of published samples do besides arithmetic, each in the way that the compiler writes it, without timing and on a chiplet.
 */

function outcomes(body: string, given: Partial<GpuCase> & Pick<GpuCase, 'params' | 'buffers'>, more = '') {
  const text = `.version 9.0
.target sm_75
.address_size 64
${more}
.visible .entry k(.param .u64 p)
{
  .reg .pred %q<4>;
  .reg .b32 %r<20>;
  .reg .b64 %d<10>;
  ld.param.u64 %d1, [p];
  cvta.to.global.u64 %d1, %d1;
  ${body}
  ret;
}`;
  const program = compilePtx([{ file: 'k.ptx', text }], { messageOpcode: 'off' });
  const kernel = program.kernels.get('k')!;
  const one: GpuCase = { name: 'k', entry: 'k', grid: [1, 1, 1], block: [1, 1, 1], ...given };
  const timed = timedCase(program, kernel, one);
  timed.run.until(1_000_000);
  return [runCase(program, kernel, one), timed.outcome()] as readonly CaseOutcome[];
}

const words = (count: number, from = 0) => ({
  type: 'u32' as const,
  data: Array.from({ length: count }, () => from),
});

describe('kernels of published samples', () => {
  test('meet as a whole grid (grid.sync of cooperative groups)', () => {
    // Each block adds its number to a word, all meet twice, each reads what its neighbour wrote.
    const meet = (label: string): string => `bar.sync 0;
  setp.ne.u32 %q1, %r1, 0; @%q1 bra ${label}_PASSED;
  mov.u32 %r6, %envreg1; mov.u32 %r7, %envreg2; cvt.u64.u32 %d3, %r6; cvt.u64.u32 %d4, %r7; bfi.b64 %d2, %d3, %d4, 32, 32;
  setp.ne.s64 %q2, %d2, 0; @%q2 bra ${label}_VALID; trap;
${label}_VALID:
  mov.u32 %r9, 1; setp.ne.u32 %q3, %r2, 0; @%q3 bra ${label}_COUNT;
  sub.s32 %r9, -2147483647, %r3;
${label}_COUNT:
  membar.gl; atom.add.release.gpu.u32 %r11, [%d2+4], %r9;
${label}_SPIN:
  ld.acquire.gpu.u32 %r12, [%d2+4]; xor.b32 %r13, %r12, %r11; setp.gt.s32 %q3, %r13, -1; @%q3 bra ${label}_SPIN;
${label}_PASSED:
  bar.sync 0;`;
    const body = `mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;
  mul.wide.u32 %d5, %r2, 4; add.s64 %d5, %d1, %d5;
  setp.ne.u32 %q1, %r1, 5; add.u32 %r4, %r2, 100; @!%q1 st.global.u32 [%d5], %r4;
  ${meet('A')}
  add.u32 %r4, %r2, 1; rem.u32 %r4, %r4, %r3; mul.wide.u32 %d6, %r4, 4; add.s64 %d6, %d1, %d6;
  ld.global.u32 %r15, [%d6];
  ${meet('B')}
  setp.ne.u32 %q1, %r1, 3; @!%q1 st.global.u32 [%d5], %r15;`;
    const found = outcomes(body, {
      grid: [5, 1, 1],
      block: [40, 1, 1],
      params: [{ ptr: 'out' }],
      buffers: { out: words(5) },
    });

    for (const { buffers, finished } of found)
      expect([finished, buffers['out']]).toEqual([true, [101, 102, 103, 104, 100]]);
  });

  test('call themselves', () => {
    const factorial = `.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %q<2>;
  .reg .b32 %r<6>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 1;
  setp.lt.u32 %q1, %r1, 2;
  @%q1 bra DONE;
  sub.u32 %r3, %r1, 1;
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r3;
    call.uni (b), factorial, (a);
    ld.param.b32 %r4, [b];
  }
  mul.lo.u32 %r2, %r1, %r4;
DONE:
  st.param.b32 [result], %r2;
  ret;
}`;
    const body = `mov.u32 %r1, %tid.x;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), factorial, (a); ld.param.b32 %r2, [b]; }
  mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2; st.global.u32 [%d2], %r2;`;

    for (const { buffers } of outcomes(
      body,
      { block: [8, 1, 1], params: [{ ptr: 'out' }], buffers: { out: words(8) } },
      factorial,
    ))
      expect(buffers['out']).toEqual([1, 1, 2, 6, 24, 120, 720, 5040]);
  });

  test('look at the time', () => {
    const body = `mov.u64 %d2, %globaltimer; mov.u32 %r1, %clock;
  nanosleep.u32 100;
  mov.u64 %d3, %globaltimer; mov.u32 %r2, %clock;
  setp.lt.u64 %q1, %d2, %d3; selp.u32 %r3, 1, 0, %q1; st.global.u32 [%d1], %r3;
  setp.lt.u32 %q1, %r1, %r2; selp.u32 %r3, 1, 0, %q1; st.global.u32 [%d1+4], %r3;`;

    for (const { buffers } of outcomes(body, { params: [{ ptr: 'out' }], buffers: { out: words(2) } }))
      expect(buffers['out']).toEqual([1, 1]);
  });

  test('copy a surface into another one, with rows of vectors', () => {
    const body = `ld.global.u64 %d2, [%d1]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; shl.b32 %r3, %r1, 3;
  suld.b.2d.v2.b32.trap {%r4, %r5}, [from, {%r3, %r2}]; add.u32 %r4, %r4, 1;
  sust.b.2d.v2.b32.trap [to, {%r3, %r2}], {%r5, %r4};`;
    const texels = (at: readonly number[]) => ({ type: 'u32' as const, data: [...at] });
    const image = { channel: 'u32' as const, channels: 2 as const, width: 2, height: 2 };
    const found = outcomes(
      body,
      {
        block: [2, 2, 1],
        params: [{ ptr: 'a' }],
        buffers: { a: texels([1, 2, 3, 4, 5, 6, 7, 8]), b: words(8) },
        textures: { from: { ...image, buffer: 'a' }, to: { ...image, buffer: 'b' } },
      } as never,
      '.global .surfref from;\n.global .surfref to;',
    );

    for (const { buffers } of found) expect(buffers['b']).toEqual([2, 2, 4, 4, 6, 6, 8, 8]);
  });
});
