import { describe, expect, test } from 'vitest';
import { memoryBase } from '../../actors/sunway/address/space.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { trial } from './trial.ts';

/** Runs a program on an array of fewer CPEs and gives the words that they leave, one a CPE. */
function words(program: CpeProgram, config: object, count: number): readonly number[] {
  const host: MpeProgram = function* (h) {
    yield h.init();
    const at = h.memAlloc(4 * 64, 64);
    yield h.tell('threads', Number(yield h.athread_get_max_threads()));
    yield h.athread_spawn(program, at);
    yield h.athread_join();
    yield h.tell('words', [...(yield* h.ldBlock(at, 'i32', count))].join(' '));
  };
  const { run, told } = trial(host, config);
  expect(run.outcome.verdict).toBe('ok');
  return `${told['words']}`.split(' ').map(Number);
}

describe.each([1, 5, 8, 11, 24, 63])('an array of %i CPEs', (cpesPerCg) => {
  test('passes the barriers of array, row and column with the CPEs that it has', () => {
    const meet: CpeProgram = function* (c, at) {
      const cycles: number[] = [];
      for (const barrier of [c.ssync_array, c.ssync_row, c.ssync_col, c.ssync_1spc]) {
        yield c.compute(50 * (1 + c.tid));
        yield barrier();
        cycles.push(yield* c.stime_cycle());
      }
      yield c.stFlag(at + 4 * c.tid, cycles[0]!);
    };
    const times = words(meet, { cpesPerCg }, cpesPerCg);
    const last = Math.max(...times);

    // Nobody leaves the barrier of the array before the last one has come, who works longest.
    expect(Math.min(...times)).toBeGreaterThan(9000 + 50 * cpesPerCg);
    expect(last - Math.min(...times)).toBeLessThan(60);
  });

  test('tells each CPE how many there are in its row and column', () => {
    const sizes: CpeProgram = function* (c, at) {
      yield c.stFlag(at + 4 * c.tid, 100 * c.row_size + c.col_size);
    };
    const expected = Array.from({ length: cpesPerCg }, (_, tid) => {
      const inRow = Math.min(8, cpesPerCg - 8 * Math.floor(tid / 8));
      const inColumn = Math.ceil((cpesPerCg - (tid % 8)) / 8);
      return 100 * inRow + inColumn;
    });

    expect(words(sizes, { cpesPerCg }, cpesPerCg)).toEqual(expected);
  });
});

test('a transfer to a CPE that is not there is E_TID, codes are returned and the program goes on', () => {
  const ask: CpeProgram = function* (c, at) {
    if (c.tid !== 0) return;
    const word = c.rply();
    const own = c.ldmStatic('own', 64, 64);
    const codes = [
      Number(yield c.rma_iput(own, word, 4, 9, own, word)),
      Number(yield c.dma_iget(own, memoryBase + 2, 4, word)),
      Number(yield c.ssync_peer(0)),
      Number(yield c.faa(own, 1)),
    ];
    for (const [k, code] of codes.entries()) yield c.stFlag(at + 4 * k, code);
  };

  expect(words(ask, { cpesPerCg: 8, onError: 'return' }, 4)).toEqual([15, 10, 15, 13]);
});

test('a lock on a word of memory lets one CPE in at a time', () => {
  const count: CpeProgram = function* (c, at) {
    for (let round = 0; round < 2; round++) {
      yield c.user_lock(at + 128);
      const before = yield* c.ld(at, 'i32');
      yield c.compute(100);
      yield c.st(at, 'i32', before + 1);
      yield c.user_unlock(at + 128);
      yield c.compute(37 * c.tid);
    }
  };

  expect(words(count, { cpesPerCg: 6 }, 1)).toEqual([12]);
});

test('an array is halted in any cycle of its barriers, whatever comes first in it', () => {
  const meet: CpeProgram = function* (c) {
    for (let k = 0; k < 40; k++) yield c.ssync_row();
  };
  for (let after = 0; after < 40; after++) {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_spawn(meet, 0);
      yield h.compute(60 + after);
      yield h.athread_halt();
    };
    const config = { cpesPerCg: 4, timing: { spawn: { latency: 20 } } };
    const { run } = trial(host, config, { choices: new RandomChoices(after) });
    expect(run.outcome.violations.map(({ why }) => why)).toEqual([]);
  }
});
