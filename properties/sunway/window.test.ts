import { expect, test } from 'vitest';
import { remoteAddress } from '../../actors/sunway/address/space.ts';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { onArray, trial } from './trial.ts';

test('a value goes from CPE to CPE through the window, behind a flag each time', () => {
  const pass: CpeProgram = function* (c, out) {
    const flag = c.ldmStatic('flag', 8, 8);
    const value = c.ldmStatic('value', 8, 8);
    yield c.stFlag(flag, 0);
    yield c.ssync_array();
    if (c.tid > 0) while ((yield* c.ldFlag(flag)) === 0) yield c.compute(25);
    const own = c.tid === 0 ? 1 : 1 + (yield* c.ld(value, 'f64'));
    if (c.tid < 63) {
      yield c.st(remoteAddress(c.tid + 1, value), 'f64', own);
      yield c.stFlag(remoteAddress(c.tid + 1, flag), 1);
    }
    const told = yield* c.pldm_malloc(64);
    yield c.st(told, 'f64', own);
    yield c.dma_put(out + 8 * c.tid, told, 8);
  };
  const { run, told } = trial(onArray(pass));

  expect(run.outcome.verdict).toBe('ok');
  expect([0, 1, 63].map((tid) => Number(told[`${tid}`]))).toEqual([1, 2, 64]);
});

test('CPEs count in a word of memory by fetch-and-add', () => {
  const add: CpeProgram = function* (c, out) {
    yield c.faa(out, 1);
    yield c.ssync_array();
    const own = c.ldmStatic('own', 8, 8);
    const count = yield* c.ld(out, 'i32');
    yield c.st(own, 'f64', count);
    yield c.ssync_array();
    yield c.dma_put(out + 8 * c.tid, own, 8);
  };

  expect(Number(trial(onArray(add)).told['17'])).toBe(64);
});
