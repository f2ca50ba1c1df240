import { expect, test } from 'vitest';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { onArray, trial } from './trial.ts';

const units = 64;
const cpes = 8;

/** In place and into another buffer, for scratch of every size, and once more in place: how many words differ from what is expected. */
const exchange: CpeProgram = function* (c, out) {
  const [inPlace, from, to, scratch] = ['inPlace', 'from', 'to', 'scratch'].map((name) =>
    c.ldmStatic(name, 4 * units, 64),
  ) as [number, number, number, number];
  const said = c.ldmStatic('said', 16, 8);
  let [different, wrong] = [0, 0];
  for (let scratchUnits = 1; scratchUnits <= units; scratchUnits++) {
    const own = Int32Array.from({ length: units }, (_, unit) => 10_000 * scratchUnits + 100 * c.tid + unit);
    yield c.stBlock(inPlace, own);
    yield c.stBlock(from, own);
    yield c.stBlock(to, own);
    yield c.ssync_array();
    yield c.scoll_alltoall(from, to, 4);
    yield c.scoll_alltoall_inplace(inPlace, 4, scratch, scratchUnits);
    const [moved, expected] = [yield* c.ldBlock(inPlace, 'i32', units), yield* c.ldBlock(to, 'i32', units)];
    different += moved.filter((value, unit) => value !== expected[unit]).length;
    wrong += moved.filter(
      (value, unit) => unit < cpes && value !== 10_000 * scratchUnits + 100 * unit + c.tid,
    ).length;
    yield c.scoll_alltoall_inplace(inPlace, 4, scratch, scratchUnits);
    const back = yield* c.ldBlock(inPlace, 'i32', units);
    wrong += back.filter((value, unit) => value !== own[unit]).length;
  }
  yield c.stBlock(said, Float64Array.of(different, wrong));
  yield c.dma_put(out + 16 * c.tid, said, 16);
};

test('an exchange of all with all is the same in place, with scratch for every number of units, and twice nothing', () => {
  const config = { cpesPerCg: cpes, fidelity: 'functional', memoryMiB: 1, race: { policy: 'off' } };

  const { run, told } = trial(onArray(exchange, 2), config);

  expect(run.outcome.verdict).toBe('ok');
  expect(Array.from({ length: cpes }, (_, tid) => told[`${tid}`])).toEqual(
    Array.from({ length: cpes }, () => '0 0'),
  );
});
