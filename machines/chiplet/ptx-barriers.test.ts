import { describe, expect, test } from 'vitest';
import { BarrierDeadlock } from '../../actors/chiplet/ptx/functional-grid.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { type GpuCase, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * Barriers for all of a block and for a number of threads (chiplet specification 7.2): with warps in turn, in any order, and on a timed chiplet.
 */

function kernelOf(body: string, threads: number) {
  const program = compilePtx([
    {
      file: 'barriers.ptx',
      text: `.version 7.0
.target sm_75
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<5>;
  .reg .b32 %t, %w, %r<12>;
  .reg .b64 %o;
  .shared .align 4 .b8 box[4096];
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  shr.u32 %w, %t, 5;
  mad.wide.u32 %o, %t, 4, %o;
  shl.b32 %r9, %t, 2;
  ${body}
  ret;
}`,
    },
  ]);
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'out' }],
    buffers: { out: { type: 's32', data: Array.from({ length: threads }, () => -7) } },
  };
  return { program, kernel: program.kernels.get('k')!, given };
}

/** The results of a body: the same in turn, in any order, and with timing. */
function everyWay(
  body: string,
  threads: number,
): { readonly out: readonly number[]; readonly barriers: number } {
  const { program, kernel, given } = kernelOf(body, threads);
  const plain = runCase(program, kernel, given);
  const timed = timedCase(program, kernel, given);
  timed.run.toEnd();
  const others = [1, 2, 3].map((seed) => {
    const choices = new RandomChoices(seed);
    return runCase(program, kernel, given, { pick: (count) => choices.pick('warp', count) });
  });
  for (const one of [timed.outcome(), ...others]) {
    expect(one.buffers).toEqual(plain.buffers);
    expect(one.counts.barriersCompleted).toBe(plain.counts.barriersCompleted);
  }
  const { out = [] } = plain.buffers;
  return { out, barriers: plain.counts.barriersCompleted };
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe('a barrier for a number of threads', () => {
  test('lets those go on who only say that they have come', () => {
    // Warp 0 fills the box, tells barrier 1, and never waits; warp 1 reads what the lane of warp 0 beside it wrote.
    const body = `setp.ne.u32 %p1, %w, 0; @%p1 bra reader;
mul.lo.u32 %r1, %t, 3; st.shared.u32 [%r9], %r1; bar.arrive 1, 64; mov.u32 %r2, -1; bra done;
reader: bar.sync 1, 64; ld.shared.u32 %r2, [%r9+-128]; done: st.global.u32 [%o], %r2;`;

    const { out, barriers } = everyWay(body, 64);

    expect(out).toEqual(range(64).map((t) => (t < 32 ? -1 : 3 * (t - 32))));
    expect(barriers).toBe(1);
  });

  test('is none of the matter of other warps', () => {
    // Warps 0 and 1 meet six times at barrier 1, 2 and 3 three times at barrier 2, each hands its word to its neighbour.
    const body = `shr.u32 %r1, %w, 1; add.u32 %r2, %r1, 1; mov.u32 %r3, 6; shr.u32 %r3, %r3, %r1; mov.u32 %r4, %t; xor.b32 %r5, %r9, 128;
again: st.shared.u32 [%r9], %r4; bar.sync %r2, 64; ld.shared.u32 %r4, [%r5]; add.u32 %r4, %r4, 100; bar.sync %r2, 64;
sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra again; st.global.u32 [%o], %r4;`;

    const { out, barriers } = everyWay(body, 128);

    expect(out).toEqual(range(128).map((t) => (t < 64 ? t + 600 : (t ^ 32) + 300)));
    expect(barriers).toBe(2 * 6 + 2 * 3);
  });

  test('counts a warp as 32, however many threads it has', () => {
    const body = 'bar.sync 3, 64; st.global.u32 [%o], %t;';

    expect(everyWay(body, 33)).toEqual({ out: range(33), barriers: 1 });
  });

  test('that too few come to is a deadlock', () => {
    const { program, kernel, given } = kernelOf('bar.sync 1, 96; st.global.u32 [%o], %t;', 64);

    expect(() => runCase(program, kernel, given)).toThrow(BarrierDeadlock);
    const timed = timedCase(program, kernel, given);
    expect(timed.run.toEnd().verdict).toBe('deadlock');
  });
});

describe('a barrier for all of a block', () => {
  test('does not wait for warps that have ended', () => {
    const body =
      'setp.eq.u32 %p1, %w, 1; @%p1 exit; st.shared.u32 [%r9], %t; bar.sync 0; xor.b32 %r1, %r9, 256; ld.shared.u32 %r2, [%r1]; st.global.u32 [%o], %r2;';

    const { out, barriers } = everyWay(body, 128);

    expect(out.slice(0, 32)).toEqual(range(32).map((t) => t + 64));
    expect(out.slice(32, 64)).toEqual(range(32).map(() => -7));
    expect(barriers).toBe(1);
  });

  test.each([
    ['popc.u32 %r1', 'lt', 40, 40],
    ['popc.u32 %r1', 'lt', 0, 0],
    ['and.pred %p2', 'lt', 70, 1],
    ['and.pred %p2', 'lt', 69, 0],
    ['or.pred %p2', 'eq', 69, 1],
    ['or.pred %p2', 'eq', 70, 0],
  ])('asks all threads: bar.red.%s, %s %i gives %i', (what, order, limit, expected) => {
    const result = what.endsWith('%p2') ? 'selp.u32 %r1, 1, 0, %p2;' : '';
    const body = `setp.${order}.u32 %p1, %t, ${limit}; bar.red.${what}, 0, %p1; ${result} st.global.u32 [%o], %r1;`;

    expect(everyWay(body, 70)).toEqual({ out: range(70).map(() => expected), barriers: 1 });
  });

  test('asks the opposite of a predicate with !, and each time anew', () => {
    const body =
      'setp.lt.u32 %p1, %t, 40; bar.red.popc.u32 %r1, 0, !%p1; bar.red.popc.u32 %r2, 0, 96, %p1; mad.lo.u32 %r1, %r1, 100, %r2; st.global.u32 [%o], %r1;';

    expect(everyWay(body, 70).out).toEqual(range(70).map(() => 30 * 100 + 40));
  });
});
