import type { GpuCase } from '../../machines/chiplet/gpu-case.ts';

/** A race-free kernel with a launch of it. */
export interface KernelExample {
  readonly text: string;
  readonly given: GpuCase;
  /** Schedules that tests try. */
  readonly seeds: number;
}

const head = '.version 7.0\n.target sm_75\n.address_size 64\n';
const numbers = (count: number, of: (at: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, at) => of(at));

const histogram = `${head}
.visible .entry histogram(.param .u64 values, .param .u64 bins, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 near[32];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, near;
  setp.gt.u32 %p, %r1, 7;
  add.s32 %r2, %r2, %r3;
  @!%p st.shared.u32 [%r2], 0;
  bar.sync 0;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %ntid.x;
  mad.lo.s32 %r4, %r4, %r5, %r1;
  ld.param.u32 %r5, [count];
  setp.ge.u32 %p, %r4, %r5;
  @%p bra done;
  ld.param.u64 %rd1, [values];
  mad.wide.u32 %rd1, %r4, 4, %rd1;
  ld.global.u32 %r6, [%rd1];
  and.b32 %r6, %r6, 7;
  shl.b32 %r6, %r6, 2;
  add.s32 %r6, %r6, %r3;
  red.shared.add.u32 [%r6], 1;
done:
  bar.sync 0;
  setp.gt.u32 %p, %r1, 7;
  @%p ret;
  ld.shared.u32 %r7, [%r2];
  ld.param.u64 %rd2, [bins];
  mad.wide.u32 %rd2, %r1, 4, %rd2;
  atom.global.add.u32 %r7, [%rd2], %r7;
  ret;
}`;

const reversal = `${head}
.extern .shared .align 4 .b8 near[];
.visible .entry reverse(.param .u64 values, .param .u32 rounds)
{
  .reg .pred %p;
  .reg .b32 %r<10>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  ld.param.u32 %r4, [rounds];
  mad.lo.s32 %r5, %r3, %r2, %r1;
  ld.param.u64 %rd1, [values];
  mad.wide.u32 %rd1, %r5, 4, %rd1;
  ld.global.u32 %r6, [%rd1];
  sub.s32 %r7, %r2, %r1;
  sub.s32 %r7, %r7, 1;
  mov.u32 %r8, near;
  shl.b32 %r7, %r7, 2;
  add.s32 %r7, %r7, %r8;
  shl.b32 %r9, %r1, 2;
  add.s32 %r9, %r9, %r8;
again:
  st.shared.u32 [%r9], %r6;
  bar.sync 0;
  ld.shared.u32 %r6, [%r7];
  mad.lo.s32 %r6, %r6, 3, 1;
  bar.sync 0;
  sub.s32 %r4, %r4, 1;
  setp.ne.s32 %p, %r4, 0;
  @%p bra again;
  st.global.u32 [%rd1], %r6;
  ret;
}`;

const counted = `${head}
.func (.param .b32 steps) collatz(.param .b32 from)
{
  .reg .pred %p, %q;
  .reg .b32 %r<5>;
  ld.param.b32 %r1, [from];
  mov.u32 %r2, 0;
next:
  setp.le.u32 %p, %r1, 1;
  @%p bra end;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %q, %r3, 1;
  @%q mad.lo.s32 %r1, %r1, 3, 1;
  @!%q shr.u32 %r1, %r1, 1;
  add.s32 %r2, %r2, 1;
  bra next;
end:
  st.param.b32 [steps], %r2;
  ret;
}
.visible .entry counted(.param .u64 out)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r1, %r2, %r3, %r1;
  {
    .param .b32 given;
    st.param.b32 [given], %r1;
    .param .b32 result;
    call.uni (result), collatz, (given);
    ld.param.b32 %r4, [result];
  }
  ld.param.u64 %rd1, [out];
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  st.global.u32 [%rd1], %r4;
  ret;
}`;

const single = { dynamicSharedBytes: 0, name: 'example' };

/** Race-free kernels of our own: atomics, barriers in a loop, a function whose threads part. */
export const examples: Readonly<Record<string, KernelExample>> = {
  histogram: {
    text: histogram,
    given: {
      ...single,
      entry: 'histogram',
      grid: [3, 1, 1],
      block: [96, 1, 1],
      params: [{ ptr: 'values' }, { ptr: 'bins' }, { u32: 250 }],
      buffers: {
        values: { type: 'u32', data: numbers(288, (at) => at * at + 3 * at) },
        bins: { type: 'u32', data: numbers(8, () => 0) },
      },
    },
    seeds: 12,
  },
  'reversal through shared memory': {
    text: reversal,
    given: {
      ...single,
      entry: 'reverse',
      grid: [4, 1, 1],
      block: [80, 1, 1],
      dynamicSharedBytes: 320,
      params: [{ ptr: 'values' }, { u32: 5 }],
      buffers: { values: { type: 'u32', data: numbers(320, (at) => at * 7) } },
    },
    seeds: 12,
  },
  'a function whose threads part': {
    text: counted,
    given: {
      ...single,
      entry: 'counted',
      grid: [2, 1, 1],
      block: [70, 1, 1],
      params: [{ ptr: 'out' }],
      buffers: { out: { type: 'u32', data: numbers(140, () => 0) } },
    },
    seeds: 6,
  },
};
