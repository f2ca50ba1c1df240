import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meetingAfter } from '../../../actors/chiplet/system/meeting-plan.ts';
import { type Choices, RandomChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { PctChoices } from '../../../kernel/schedules/pct.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { type SystemGiven, systemMachine } from '../../../machines/chiplet/system.ts';
import { type SystemConfig, systemConfig, systemPrograms } from '../../../machines/chiplet/system-config.ts';
import { givenFrom, trial } from './trial.ts';

const modes = ['decoupled', 'coupled', 'iterative'] as const;

/** Chiplets in a row that compute and send the next one a value, so many times; each on a clock of its own. */
function rowOf(
  list: readonly { readonly rate: number; readonly work: readonly number[] }[],
  syncFile: object,
  mode: SystemConfig['mode'] = 'coupled',
): SystemGiven {
  const sending = (index: number): boolean => index + 1 < list.length;
  const rounds = Math.max(...list.map(({ work }) => work.length));
  const stepsOf = (index: number) =>
    Array.from({ length: rounds }, (_, round) => [
      { op: 'compute', instructions: list[index]!.work[round] ?? 1 },
      ...(sending(index) ? [{ op: 'send', to: [0, index + 1], values: [10 * index + round] }] : []),
      ...(index > 0 ? [{ op: 'receive', from: [0, index - 1], count: 1, as: `value${round}` }] : []),
    ]).flat();
  return {
    name: 'a row',
    config: systemConfig.parse({
      mode,
      network: { A: Math.max(2, list.length) },
      trustKernelSource: false,
      flitRule: 1,
      syncFile: { enabled: true, ...syncFile },
      chiplets: list.map(({ rate: clockRate }, y) => ({ x: 0, y, kind: 'cpu', program: `p${y}`, clockRate })),
    }),
    programs: systemPrograms.parse({
      hosts: Object.fromEntries(list.map((_, index) => [`p${index}`, { steps: stepsOf(index) }])),
    }),
    mutants: [],
    scheduled: false,
  };
}

describe('chiplets that meet', () => {
  test('a fast one stands until a slow one has counted as far, and loses that time', () => {
    const given = rowOf(
      [
        { rate: 2, work: [100] },
        { rate: 1, work: [100] },
        { rate: 1, work: [10] },
      ],
      { S: 30, I: [40, 1000] },
      'decoupled',
    );
    const { raised, result } = trial({
      ...given,
      programs: systemPrograms.parse({
        hosts: Object.fromEntries(
          [100, 100, 10].map((instructions, index) => [
            `p${index}`,
            { steps: [{ op: 'compute', instructions }] },
          ]),
        ),
      }),
    });

    expect(raised).toEqual([]);
    // In cycle 30 of its own 15 cycles of the network are over; it goes on after 30, and stands once more from 50 to 70.
    expect(result.chiplets.map(({ cycles, systemCycles }) => [cycles, systemCycles])).toEqual([
      [100, 85],
      [100, 100],
      [10, 10],
    ]);
    expect(result.meetings).toEqual({ over: 2, file: '1070\n1000\n0, 2\n0, 0\n0, 1\n' });
  });

  test('equal clocks lose nothing: with meetings everything comes when it comes without', async () => {
    for (const [mode, file] of [
      ['coupled', 'system-matmul.yaml'],
      ['decoupled', 'system-all-to-all.yaml'],
      ['iterative', 'system-schedules.yaml'],
    ] as const) {
      const plain = trial(await givenFrom(file, { mode, warpScheduler: 'gto' }));
      const syncFile = { enabled: true, S: 17, I: [5, 33, 20] };
      const met = trial(await givenFrom(file, { mode, warpScheduler: 'gto', syncFile }));

      expect(met.raised).toEqual([]);
      expect(met.outputs).toEqual(plain.outputs);
      expect(met.result.chiplets).toEqual(plain.result.chiplets);
      expect(met.result.cycles).toBe(plain.result.cycles);
      expect(met.result.network).toEqual(plain.result.network);
      expect(met.result.meetings!.over).toBeGreaterThan(3);
    }
  }, 60_000);

  test('chiplets that wait for ever do not meet for ever', async () => {
    const syncFile = { enabled: true, S: 5, I: 3 };
    const { raised, result } = trial(await givenFrom('system-deadlock.yaml', { syncFile }));

    expect(raised).toContain('deadlock');
    expect(result.blocked).toHaveLength(1);
  });

  test('a snapshot between two meetings goes on as if it had never stopped', async () => {
    const given = await givenFrom('system-schedules.yaml', { syncFile: { enabled: true, S: 20, I: 15 } });
    const run = new Run(systemMachine.assemble(given).wiring);
    run.until(100);
    const snapshot = run.snapshot();
    run.toEnd();
    const restored = Run.restore(systemMachine.assemble(given).wiring, snapshot);
    restored.toEnd();

    expect(restored.fingerprint).toBe(run.fingerprint);
  });

  test('interpreted by XState they do the same as from tables', async () => {
    const given = await givenFrom('system-schedules.yaml', { syncFile: { enabled: true, S: 20, I: 15 } });

    expect(trial(given, { engine: 'xstate' }).run.fingerprints).toEqual(trial(given).run.fingerprints);
  });
});

test('B1 to B4 hold for chiplets on any clocks under any schedule', () => {
  const chiplet = fc.record({
    rate: fc.constantFrom(1, 0.5, 2, 1.5),
    work: fc.array(fc.nat(150), { minLength: 1, maxLength: 3 }),
  });
  const drawn = fc.record({
    list: fc.array(chiplet, { minLength: 1, maxLength: 4 }),
    S: fc.integer({ min: 1, max: 120 }),
    I: fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom(...modes),
    seed: fc.nat(999),
  });
  const law = fc.property(drawn, ({ list, S, I, mode, seed }) => {
    const given = rowOf(list, { S, I }, mode);
    const first = trial(given);
    expect(first.raised).toEqual([]);
    for (const choices of [new RandomChoices(seed), new PctChoices(seed)] as readonly Choices[]) {
      const other = trial(given, { choices });
      expect(other.raised).toEqual([]);
      expect(other.result.meetings).toMatchObject({ over: first.result.meetings!.over });
      expect(other.result.chiplets).toEqual(first.result.chiplets);
    }
  });

  fc.assert(law, { numRuns: effort({ short: 8, long: 40 }), seed: 23 });
}, 60_000);

test('the meeting after a number of cycles is the first one of the schedule that is later', () => {
  const law = fc.property(
    fc.integer({ min: 1, max: 50 }),
    fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
    fc.nat(300),
    (first, intervals, cycles) => {
      let meeting = first;
      for (let generation = 0; meeting <= cycles; generation++)
        meeting += intervals[Math.min(generation, intervals.length - 1)]!;

      expect(meetingAfter({ first, intervals }, cycles)).toBe(meeting);
    },
  );

  fc.assert(law, { numRuns: effort({ short: 60, long: 300 }), seed: 7 });
});
