import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { farmer, numbersOf } from './task-farm.ts';
import { findingsOfKilledFarm } from './task-pool-killed.ts';
import { trial } from './trial.ts';

const one = { cpesPerCg: 1, fidelity: 'functional' } as const;
const file = 'farm.mid';
const even = { file, tasks: 10, blockSize: 2, cycles: () => 1000 };

const end = fc.record({
  by: fc.constantFrom(34 as const, 35 as const, 35 as const, 'kill' as const),
  at: fc.nat(4000),
  host: fc.nat(5),
});
const farm = fc.record({
  hosts: fc.integer({ min: 1, max: 4 }),
  tasks: fc.integer({ min: 1, max: 24 }),
  blockSize: fc.integer({ min: 1, max: 6 }),
  cycles: fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 5 }),
  ends: fc.array(end, { minLength: 1, maxLength: 3 }),
});

describe('a task farm', () => {
  test('that is stopped at random points and resumed executes every task, loses no block and keeps its mid file valid', () => {
    fc.assert(
      fc.property(farm, (given) => {
        expect(findingsOfKilledFarm(given)).toEqual([]);
      }),
      { numRuns: effort({ short: 400, long: 1000 }), seed: 5 },
    );
  }, 60_000);

  test('hands every task to one host exactly once when nobody stops it', () => {
    const { result } = trial(farmer({ ...even, tasks: 23, blockSize: 4 }), { ...one, cgs: 6 });

    const executed = result.told.flatMap((told) => numbersOf(told['executed']));

    expect(executed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 23 }, (_, task) => task));
    expect(result.files[file]).toBe('010101010101');
  });

  test('that gets signal 34 lets its tasks end, records them and hands out nothing more', () => {
    const { result, run } = trial(farmer(even), {
      ...one,
      cgs: 2,
      job: { bsignal: [{ signal: 34, at: 1500 }] },
    });

    expect(run.outcome.verdict).toBe('ok');
    expect(result.told.map(({ handed }) => handed)).toEqual(['0 1 -1', '2 3 -1']);
    expect(result.files[file]).toBe('0101000000');
  });

  test('that gets signal 35 ends at once: what is in progress is not recorded and is done again', () => {
    const first = trial(farmer(even), { ...one, cgs: 2, job: { bsignal: [{ signal: 35, at: 1500 }] } });
    const second = trial(farmer(even), { ...one, cgs: 2, files: first.result.files });

    expect(first.run.outcome.verdict).toBe('ok');
    expect(first.run.now).toBeLessThan(3000);
    expect(first.result.told.map(({ executed }) => executed)).toEqual(['0', '2']);
    expect(first.result.files[file]).toBe('0000000000');
    expect(second.result.files[file]).toBe('0101010101');
  });

  test.each([
    [false, '0 1 4 5 6 7 8 9 -1', '0100010101'],
    [true, '0 1 4 5 6 7 8 9 2 3 -1', '0101010101'],
  ])(
    'gives the block of a killed host away in the same run where that is chosen: %s',
    (reassignLost, handed, mid) => {
      const { result, run } = trial(farmer(even), {
        ...one,
        cgs: 2,
        task: { reassignLost },
        job: { kill: [{ cgn: 1, at: 500 }] },
      });

      expect(run.outcome.verdict).toBe('ok');
      expect(result.told[0]!['handed']).toBe(handed);
      expect(result.files[file]).toBe(mid);
    },
  );

  test('that quits is complete in its mid file, on every host, and in the next run', () => {
    const quits = farmer({ ...even, quitsAt: 2 });
    const first = trial(quits, { ...one, cgs: 3 });
    const second = trial(quits, { ...one, cgs: 3, files: first.result.files });
    const open = trial(quits, { ...one, cgs: 3, task: { quitMarksDone: false } });

    expect(first.result.told.map(({ handed }) => numbersOf(handed).at(-1))).toEqual([-1, -1, -1]);
    expect(first.result.files[file]).toBe('0101010101');
    expect(second.result.told.map(({ handed }) => handed)).toEqual(['-1', '-1', '-1']);
    // Host 0 has both tasks of its block behind it when it asks again.
    expect(open.result.files[file]).toBe('0100000000');
  });
});

describe('a fetch', () => {
  test.each([
    ['an empty name', '', 4, 2, ''],
    ['no tasks', 'p', 0, 2, ''],
    ['empty blocks', 'p', 4, 0, ''],
    ['a mid file of another length', 'p', 4, 2, '000000'],
    ['a mid file with a byte 7', 'p', 4, 2, '0007'],
  ])('with %s returns -2 and changes nothing', (_what, name, tasks, blockSize, digits) => {
    const files = digits === '' ? {} : { p: digits };
    const { told, result, run } = trial(
      function* (h) {
        yield h.init();
        yield h.tell('code', yield h.task_fetch(name, tasks, blockSize));
      },
      { ...one, files },
    );

    expect(run.outcome.verdict).toBe('ok');
    expect(told['code']).toBe(-2);
    expect(result.files).toEqual(files);
  });

  test('of a task of the own block takes two cycles, one that asks the counter the time of an atomic access', () => {
    const { told } = trial(
      function* (h) {
        yield h.init();
        const times: number[] = [];
        for (let k = 0; k < 3; k++) {
          const before = yield h.time_cycle();
          yield h.task_fetch('p', 4, 2);
          times.push((yield h.time_cycle()) - before);
        }
        yield h.tell('times', times.join(' '));
      },
      { cpesPerCg: 1, timing: { clk: { cpe: 2250, mpe: 2250 } } },
    );

    // Beside the cycle in which the clock is read.
    expect(told['times']).toBe('431 3 431');
  });

  test('comes before a quit, which is refused without a pool', () => {
    const quit = (onError: string) =>
      trial(
        function* (h) {
          yield h.init();
          yield h.tell('code', yield h.task_quit());
        },
        { ...one, onError },
      );

    expect(quit('return').told['code']).toBe(4);
    expect(quit('trap').run.outcome.violations[0]?.why).toMatch(/E_STATE from task_quit/);
  });
});
