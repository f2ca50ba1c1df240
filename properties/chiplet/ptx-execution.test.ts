import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { compilePtx, type PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { type CaseOutcome, type GpuCase, runCase } from '../../machines/chiplet/gpu-case.ts';
import { timedCase } from '../../machines/chiplet/gpu-case-timed.ts';
import { gpuMutants } from '../../machines/chiplet/gpu-mutants.ts';
import { withMutants } from '../../machines/mutant.ts';
import { examples } from './ptx-examples.ts';
import { anyFlow, flowText } from './ptx-programs.arbitrary.ts';

/*
 * G1 to G6 of the chiplet specification, section 14.
 */

/** The buffer `out` of an outcome. */
const outOf = ({ buffers: { out = [] } }: CaseOutcome): readonly number[] => out;

const compiled = (text: string): PtxProgram => compilePtx([{ file: 'flow.ptx', text }]);

const flowCase = (threads: number, first: number, out: readonly number[], blocks = 1): GpuCase => ({
  name: 'flow',
  entry: 'flow',
  grid: [blocks, 1, 1],
  block: [threads, 1, 1],
  params: [{ ptr: 'out' }, { u32: first }],
  buffers: { out: { type: 'u32', data: out } },
});

/** What each thread comes to alone: no other lane is there that it could wait for or be mistaken for. */
function alone(program: PtxProgram, threads: number): readonly number[] {
  let out: readonly number[] = Array.from({ length: threads }, () => 7);
  for (let thread = 0; thread < threads; thread++)
    out = outOf(runCase(program, program.kernels.get('flow')!, flowCase(1, thread, out)));
  return out;
}

const together = (program: PtxProgram, threads: number) =>
  runCase(
    program,
    program.kernels.get('flow')!,
    flowCase(
      threads,
      0,
      Array.from({ length: threads }, () => 7),
    ),
  );

/** True when threads that part come to what each comes to alone, for many flows. */
function partingHarmsNobody(mutants: readonly string[] = []): boolean {
  const threads = 40;
  const { failed } = fc.check(
    fc.property(anyFlow, (blocks) => {
      const program = compiled(flowText(blocks, 24));
      const wrong = withMutants(program, gpuMutants, mutants);
      expect(outOf(together(wrong, threads))).toEqual(alone(program, threads));
    }),
    { numRuns: effort({ short: 12, long: 60 }), seed: 21 },
  );
  return !failed;
}

describe('threads that part', () => {
  test('come to what each of them comes to alone (G2)', () => {
    expect(partingHarmsNobody()).toBe(true);
  });

  test('leave the stack bounded by the lanes, and end (G3)', () => {
    fc.assert(
      fc.property(anyFlow, (blocks) => {
        const { counts, finished } = together(compiled(flowText(blocks, 40)), 32);
        expect(finished).toBe(true);
        expect(counts.stackDepthMost).toBeLessThanOrEqual(2 * 32);
      }),
      { numRuns: effort({ short: 12, long: 60 }), seed: 8 },
    );
  });

  /** Which lanes a diamond finds together where its two ways meet, and what it issues. */
  const diamond = (mutants: readonly string[]) => {
    const text = `.version 7.0
.target sm_75
.visible .entry diamond(.param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %t, %a;
  .reg .b64 %o;
  mov.u32 %t, %tid.x;
  setp.lt.u32 %p, %t, 11;
  @%p bra near;
  add.s32 %t, %t, 0;
  bra.uni meet;
near:
  add.s32 %t, %t, 0;
meet:
  activemask.b32 %a;
  ld.param.u64 %o, [out];
  mad.wide.u32 %o, %t, 4, %o;
  st.global.u32 [%o], %a;
  ret;
}`;
    const program = withMutants(compiled(text), gpuMutants, mutants);
    const outcome = runCase(program, program.kernels.get('diamond')!, {
      ...flowCase(
        32,
        0,
        Array.from({ length: 32 }, () => 0),
      ),
      entry: 'diamond',
      params: [{ ptr: 'out' }],
    });
    return {
      together: outOf(outcome).every((one) => one === 0xffffffff),
      issued: outcome.counts.warpInstructions,
    };
  };

  test('meet where both ways lead, and go on from there together', () => {
    expect(diamond([])).toEqual({ together: true, issued: 11 });
  });

  test('that meet too late are caught (P-01)', () => {
    expect(diamond(['P-01'])).toEqual({ together: false, issued: 12 });
  });

  test.each(['P-02', 'P-03'])('%s is caught', (mutant) => {
    expect(partingHarmsNobody([mutant])).toBe(false);
  });
});

const small: GpuTiming = { ...defaultTiming, cores: 3, warpsPerCore: 12 };
const anyOrder: GpuTiming = { ...small, scheduler: 'any' };

function timed(program: PtxProgram, given: GpuCase, timing: GpuTiming, seed?: number) {
  const options = seed === undefined ? {} : { choices: new RandomChoices(seed) };
  const one = timedCase(program, program.kernels.get(given.entry)!, given, timing, options);
  one.run.toEnd();
  return one.outcome();
}

describe.each(Object.entries(examples))('%s', (_name, { text, given, seeds }) => {
  const program = compiled(text);
  const expected = runCase(program, program.kernels.get(given.entry)!, given);

  test('gives the same under every order of warps (G1, G4, G5)', () => {
    for (let seed = 0; seed < seeds; seed++) {
      const found = timed(program, given, anyOrder, seed);
      expect(found.outcome.verdict).toBe('ok');
      expect(found.buffers).toEqual(expected.buffers);
      expect(found.counts.barriersCompleted).toBe(expected.counts.barriersCompleted);
      expect(found.counts.threadInstructions).toBe(expected.counts.threadInstructions);
    }
    const random = new RandomChoices(5);
    const picked = runCase(program, program.kernels.get(given.entry)!, given, {
      pick: (count) => random.pick('warp', count),
    });
    expect(picked.buffers).toEqual(expected.buffers);
  });

  test.each(['gto', 'lrr'] as const)(
    'is timed the same each time, never faster than its schedulers (%s, G6)',
    (scheduler) => {
      const first = timed(program, given, { ...small, scheduler });
      const second = timed(program, given, { ...small, scheduler });
      const { cycles, coresUsed, statistics } = first.report!;

      expect(first.buffers).toEqual(expected.buffers);
      expect(second.report).toEqual(first.report);
      expect(cycles).toBeGreaterThanOrEqual(
        statistics.counts.warpInstructions / (small.schedulersPerCore * coresUsed),
      );
      expect(statistics.counts).toEqual({ ...expected.counts });
    },
  );
});

test('more latency never makes a program of one warp shorter', () => {
  const changes = fc.record({
    rop: fc.nat(60),
    dram: fc.nat(60),
    hit: fc.nat(30),
    add: fc.nat(9),
    mul: fc.nat(9),
    shared: fc.nat(20),
    penalty: fc.nat(4),
  });
  const slower = (more: {
    rop: number;
    dram: number;
    hit: number;
    add: number;
    mul: number;
    shared: number;
    penalty: number;
  }): GpuTiming => {
    const { classes, memory, l1 } = defaultTiming;
    const later = (name: 'intAdd' | 'intMul' | 'shared', by: number) => ({
      ...classes[name],
      latency: classes[name].latency + by,
    });
    return {
      ...defaultTiming,
      cores: 1,
      divergencePenalty: defaultTiming.divergencePenalty + more.penalty,
      l1: { ...l1, sets: 2, ways: 2, hitCycles: l1.hitCycles + more.hit },
      memory: {
        ...memory,
        channels: 2,
        ropCycles: memory.ropCycles + more.rop,
        dramCycles: memory.dramCycles + more.dram,
      },
      classes: {
        ...classes,
        intAdd: later('intAdd', more.add),
        intMul: later('intMul', more.mul),
        shared: later('shared', more.shared),
      },
    };
  };
  const none = { rop: 0, dram: 0, hit: 0, add: 0, mul: 0, shared: 0, penalty: 0 };
  for (const { text, given } of Object.values(examples)) {
    const program = compiled(text);
    const one: GpuCase = { ...given, grid: [1, 1, 1], block: [32, 1, 1] };
    const least = timed(program, one, slower(none)).report!.cycles;
    fc.assert(
      fc.property(changes, changes, (a, b) => {
        const more = Object.fromEntries(
          Object.entries(a).map(([key, value]) => [key, value + b[key as keyof typeof b]]),
        ) as typeof a;
        const [middle, most] = [a, more].map((change) => timed(program, one, slower(change)).report!.cycles);
        expect(middle).toBeGreaterThanOrEqual(least);
        expect(most).toBeGreaterThanOrEqual(middle!);
      }),
      { numRuns: effort({ short: 4, long: 12 }), seed: 13 },
    );
  }
});

test('barriers without waiting and lost atomics give other results (P-04, P-05)', () => {
  const differs = (name: keyof typeof examples, mutant: string): boolean => {
    const { text, given } = examples[name]!;
    const program = compiled(text);
    const kernel = program.kernels.get(given.entry)!;
    const expected = runCase(program, kernel, given).buffers;
    const found = [1, 2, 3, 4].map((seed) => {
      const wrong = withMutants(program, gpuMutants, [mutant]);
      return runCase(wrong, wrong.kernels.get(given.entry)!, given, {
        pick: (count) => new RandomChoices(seed).pick('warp', count),
      }).buffers;
    });
    return found.some((one) => JSON.stringify(one) !== JSON.stringify(expected));
  };

  expect(differs('histogram', 'P-05')).toBe(true);
  expect(differs('reversal through shared memory', 'P-04')).toBe(true);
});
