import { describe, expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { type CaseBuffer, type CaseOutcome, type CaseParameter, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Kernels of usual kinds, written as compilers write them (chiplet specification 7): without timing and on a timed chiplet, against the same
 * calculation in plain numbers.
 */

const head = `//
// Generated for the tests
//
.version 8.3
.target sm_75
.address_size 64

	// .globl	k
`;

interface Given {
  readonly threads: number;
  readonly blocks?: number;
  readonly params: readonly CaseParameter[];
  readonly buffers: Readonly<Record<string, CaseBuffer>>;
}

function both(
  text: string,
  { threads, blocks = 1, params, buffers }: Given,
): readonly [CaseOutcome, ReturnType<ReturnType<typeof timedCase>['outcome']>] {
  const program = compilePtx([{ file: 'kernel.ptx', text: head + text }]);
  const kernel = program.kernels.get('k')!;
  const given = {
    name: 'k',
    entry: 'k',
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    params,
    buffers,
  } as const;
  const timed = timedCase(program, kernel, given);
  timed.run.toEnd();
  const [plain, told] = [runCase(program, kernel, given), timed.outcome()];
  expect(told.buffers).toEqual(plain.buffers);
  return [plain, told];
}

const numbers = (count: number, of: (at: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, at) => of(at));

test('running sums by shuffles within warps, and over warps through shared memory', () => {
  const text = `.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0
)
.maxntid 128, 1, 1
{
	.reg .pred 	%p<14>;
	.reg .b32 	%r<40>;
	.reg .b64 	%rd<5>;
	// demoted variable
	.shared .align 4 .b8 sums[16];
	ld.param.u64 	%rd1, [k_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r1, %tid.x;
	mul.wide.s32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd2, %rd3;
	ld.global.u32 	%r2, [%rd4];
	and.b32  	%r3, %r1, 31;
	shr.u32 	%r4, %r1, 5;
${[1, 2, 4, 8, 16].map((by) => `	shfl.sync.up.b32 	%r5|%p1, %r2, ${by}, 0, -1;\n	@%p1 add.s32 	%r2, %r2, %r5;`).join('\n')}
	setp.ne.s32 	%p2, %r3, 31;
	@%p2 bra 	$L__BB0_2;
	shl.b32 	%r6, %r4, 2;
	mov.u32 	%r7, sums;
	add.s32 	%r8, %r7, %r6;
	st.shared.u32 	[%r8], %r2;
$L__BB0_2:
	bar.sync 	0;
	setp.eq.s32 	%p3, %r4, 0;
	@%p3 bra 	$L__BB0_5;
	mov.u32 	%r9, 0;
	mov.u32 	%r10, sums;
$L__BB0_4:
	ld.shared.u32 	%r11, [%r10];
	add.s32 	%r2, %r2, %r11;
	add.s32 	%r10, %r10, 4;
	add.s32 	%r9, %r9, 1;
	setp.lt.s32 	%p4, %r9, %r4;
	@%p4 bra 	$L__BB0_4;
$L__BB0_5:
	st.global.u32 	[%rd4], %r2;
	ret;

}`;
  const data = numbers(128, (at) => (at * 37) % 101);

  const [{ buffers }] = both(text, {
    threads: 128,
    params: [{ ptr: 'p' }],
    buffers: { p: { type: 'u32', data } },
  });

  let sum = 0;
  expect(buffers).toEqual({ p: data.map((one) => (sum += one)) });
});

test('a bitonic sort in shared memory', () => {
  const text = `.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<6>;
	.reg .s32 %r<20>;
	.reg .b64 %rd<4>;
	.shared .align 4 .s32 box[64];
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	ld.global.s32 %r2, [%rd2];
	mov.u32 %r3, box;
	shl.b32 %r4, %r1, 2;
	add.s32 %r4, %r4, %r3;
	st.shared.s32 [%r4], %r2;
	mov.u32 %r5, 2;
outer:
	shr.u32 %r6, %r5, 1;
inner:
	bar.sync 0;
	xor.b32 %r7, %r1, %r6;
	setp.le.u32 %p1, %r7, %r1;
	@%p1 bra next;
	shl.b32 %r8, %r7, 2;
	add.s32 %r8, %r8, %r3;
	ld.shared.s32 %r9, [%r4];
	ld.shared.s32 %r10, [%r8];
	and.b32 %r11, %r1, %r5;
	setp.eq.s32 %p2, %r11, 0;
	setp.gt.xor.s32 %p3, %r9, %r10, !%p2;
	@%p3 st.shared.s32 [%r4], %r10;
	@%p3 st.shared.s32 [%r8], %r9;
next:
	shr.u32 %r6, %r6, 1;
	setp.ne.u32 %p4, %r6, 0;
	@%p4 bra inner;
	shl.b32 %r5, %r5, 1;
	setp.le.u32 %p5, %r5, 64;
	@%p5 bra outer;
	bar.sync 0;
	ld.shared.s32 %r2, [%r4];
	st.global.s32 [%rd2], %r2;
	ret;
}`;
  const data = numbers(64, (at) => ((at * 7919 + 13) % 211) - 100);

  const [{ buffers }] = both(text, {
    threads: 64,
    params: [{ ptr: 'p' }],
    buffers: { p: { type: 's32', data } },
  });

  expect(buffers).toEqual({ p: [...data].sort((a, b) => a - b) });
});

describe('a transposition by tiles of 32 by 32', () => {
  const text = (row: number): string => `.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
	.reg .pred %p<2>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<6>;
	.shared .align 4 .b8 tile[${4 * 32 * row}];
	ld.param.u64 %rd1, [k_param_0];
	ld.param.u64 %rd2, [k_param_1];
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 31;
	shr.u32 %r3, %r1, 5;
	mad.wide.u32 %rd3, %r1, 4, %rd1;
	ld.global.nc.u32 %r4, [%rd3];
	mad.lo.s32 %r5, %r3, ${row}, %r2;
	mul.lo.s32 %r5, %r5, 4;
	st.shared.u32 [%r5], %r4;
	bar.sync 0;
	mad.lo.s32 %r6, %r2, ${row}, %r3;
	mul.lo.s32 %r6, %r6, 4;
	ld.shared.u32 %r7, [%r6];
	mad.wide.u32 %rd4, %r1, 4, %rd2;
	st.global.wt.u32 [%rd4], %r7;
	ret;
}`;
  const data = numbers(1024, (at) => at);

  test.each([
    [32, 32 * 31],
    [33, 0],
  ])('with rows of %i words has %i more cycles of conflicts', (row, conflicts) => {
    const [{ buffers, counts }, { report }] = both(text(row), {
      threads: 1024,
      params: [{ ptr: 'a' }, { ptr: 'b' }],
      buffers: { a: { type: 'u32', data }, b: { type: 'u32', data: data.map(() => 0) } },
    });

    const { b } = buffers;
    expect(b).toEqual(data.map((at) => (at % 32) * 32 + Math.floor(at / 32)));
    expect(report!.statistics.bankConflicts).toBe(conflicts);
    expect([counts.globalLoads, counts.globalStores, counts.globalSegments, counts.sharedAccesses]).toEqual([
      32, 32, 64, 64,
    ]);
  });
});

test('a loop that each lane leaves by its own number, in singles', () => {
  const text = `.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<4>;
	.reg .f32 %f<12>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	cvt.rn.f32.u32 %f1, %r3;
	cvt.rn.f32.u32 %f2, %r1;
	fma.rn.f32 %f1, %f1, 0f3D800000, 0fC0000000;
	fma.rn.f32 %f2, %f2, 0f3E800000, 0fBF800000;
	mov.f32 %f3, 0f00000000;
	mov.f32 %f4, %f3;
	mov.u32 %r5, 0;
loop:
	mul.f32 %f5, %f3, %f3;
	mul.f32 %f6, %f4, %f4;
	add.f32 %f7, %f5, %f6;
	setp.gtu.f32 %p1, %f7, 4.0;
	setp.gt.or.s32 %p2, %r5, 49, %p1;
	@%p2 bra done;
	sub.f32 %f8, %f5, %f6;
	add.f32 %f9, %f3, %f3;
	fma.rn.f32 %f4, %f9, %f4, %f2;
	add.f32 %f3, %f8, %f1;
	add.s32 %r5, %r5, 1;
	bra.uni loop;
done:
	mad.wide.s32 %rd2, %r4, 4, %rd1;
	st.global.u32 [%rd2], %r5;
	ret;
}`;
  const [threads, blocks] = [48, 9];
  const out = numbers(threads * blocks, () => -1);

  const [{ buffers, counts }] = both(text, {
    threads,
    blocks,
    params: [{ ptr: 'p' }],
    buffers: { p: { type: 's32', data: out } },
  });

  const f = Math.fround;
  const steps = (at: number): number => {
    const [cx, cy] = [(at % threads) / 16 - 2, Math.floor(at / threads) / 4 - 1];
    let [x, y, count] = [0, 0, 0];
    for (; count <= 49; count++) {
      const [xx, yy] = [f(x * x), f(y * y)];
      if (!(f(xx + yy) <= 4)) break;
      // The product of two singles is exact in doubles; what is added has so few bits that the sum is as well, or nearly.
      y = f(f(x + x) * y + cy);
      x = f(f(xx - yy) + cx);
    }
    return count;
  };
  expect(buffers).toEqual({ p: out.map((_, at) => steps(at)) });
  expect(counts.divergentBranches).toBeGreaterThan(blocks);
});

test('an array of each thread in local memory, found by generic addresses', () => {
  const text = `.visible .entry k(.param .u64 k_param_0)
{
	.local .align 16 .b8 	__local_depot0[32];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .pred 	%p<4>;
	.reg .b32 	%r<16>;
	.reg .b64 	%rd<12>;
	mov.u64 	%SPL, __local_depot0;
	cvta.local.u64 	%SP, %SPL;
	ld.param.u64 	%rd1, [k_param_0];
	add.u64 	%rd2, %SP, 0;
	add.u64 	%rd3, %SPL, 0;
	mov.u32 	%r1, %tid.x;
	mad.wide.u32 	%rd4, %r1, 32, %rd1;
	ld.global.v4.u32 	{%r2, %r3, %r4, %r5}, [%rd4];
	ld.global.v4.u32 	{%r6, %r7, %r8, %r9}, [%rd4+16];
	st.local.v4.u32 	[%rd3], {%r2, %r3, %r4, %r5};
	st.local.v4.u32 	[%rd3+16], {%r6, %r7, %r8, %r9};
	mov.u32 	%r10, 1;
outer:
	mov.u32 	%r11, %r10;
	mul.wide.u32 	%rd5, %r11, 4;
	add.s64 	%rd6, %rd2, %rd5;
	ld.u32 	%r12, [%rd6];
inner:
	ld.u32 	%r13, [%rd6+-4];
	setp.ge.u32 	%p1, %r12, %r13;
	@%p1 bra 	place;
	st.u32 	[%rd6], %r13;
	add.s64 	%rd6, %rd6, -4;
	add.s32 	%r11, %r11, -1;
	setp.gt.s32 	%p2, %r11, 0;
	@%p2 bra 	inner;
place:
	st.u32 	[%rd6], %r12;
	add.s32 	%r10, %r10, 1;
	setp.lt.u32 	%p3, %r10, 8;
	@%p3 bra 	outer;
	ld.local.v4.u32 	{%r2, %r3, %r4, %r5}, [%rd3];
	ld.local.v4.u32 	{%r6, %r7, %r8, %r9}, [%rd3+16];
	st.global.v4.u32 	[%rd4], {%r2, %r3, %r4, %r5};
	st.global.v4.u32 	[%rd4+16], {%r6, %r7, %r8, %r9};
	ret;
}`;
  const threads = 40;
  const data = numbers(8 * threads, (at) => (at * 7919) % 97);

  const [{ buffers }] = both(text, {
    threads,
    params: [{ ptr: 'p' }],
    buffers: { p: { type: 'u32', data } },
  });

  const sorted = numbers(threads, (at) => at).flatMap((at) =>
    data.slice(8 * at, 8 * at + 8).sort((a, b) => a - b),
  );
  expect(buffers).toEqual({ p: sorted });
});
