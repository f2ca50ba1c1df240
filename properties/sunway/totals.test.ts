import { expect, test } from 'vitest';
import type { CpeProgram } from '../../actors/sunway/program.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { onArray } from './trial.ts';

/** What a run with all its observers comes to. */
const resultOf = (program: CpeProgram) =>
  simulate(
    {
      file: 'trial',
      text: '',
      name: 'trial',
      machine: sunwayMachine.name,
      config: sunwayConfig.parse({}),
      programs: { module: 'trial', program: onArray(program) },
      faults: [],
      schedule: { kind: 'fifo', seed: 0 },
    },
    sunwayMachine,
    { checkpoints: 0 },
  ).result;

test('totals count transfers and their bytes, a broadcast once, and leave barrier operations out', () => {
  const result = resultOf(function* (c, out) {
    const own = c.ldmStatic('own', 256, 64);
    if (c.tid !== 0) return;
    yield c.dma_get(own, out, 256);
    yield c.dma_barrier();
    yield c.rma_put(own, 64, 1, own, null);
    yield c.rma_bcast(own, own, 32, null);
  });

  expect(result.totals).toMatchObject({ transfers: 3, bytes: 256 + 64 + 32 });
});

test('totals tell how long CPEs waited, and for what', () => {
  const late = 1000;
  const result = resultOf(function* (c, out) {
    const own = c.ldmStatic('own', 64, 64);
    if (c.tid === 0) yield c.compute(late);
    yield c.ssync_row();
    if (c.tid > 1) return;
    yield c.smutex_lock_array();
    yield c.dma_get(own, out, 64);
    yield c.smutex_unlock_array();
  });
  const { transfers, barriers, locks, hosts } = result.totals.waits;

  expect(transfers).toBeGreaterThan(2 * 350);
  expect(transfers).toBeLessThan(2 * 450);
  // Seven CPEs of row 0 wait for the late one, and all rows for the release.
  expect(barriers).toBeGreaterThan(7 * late);
  expect(barriers).toBeLessThan(7 * late + 64 * 30);
  expect(locks).toBeGreaterThan(441);
  expect(hosts).toBe(0);
});

test('microseconds are cycles of a clock of 2.25 GHz', () => {
  const result = resultOf(function* (c) {
    yield c.compute(22_500);
  });

  expect(result.microseconds).toBe(Number((result.cycles / 2250).toFixed(3)));
  expect(result.microseconds).toBeGreaterThan(10);
});
