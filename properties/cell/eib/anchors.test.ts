import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Run } from '../../../kernel/run.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { verifyAnchors } from '../../../machines/cell/cellbe.anchors.ts';
import { assembleCellbe, type CellbePrograms, cellbeConfig } from '../../../machines/cell/cellbe.ts';
import { fourPairs, fourPairsRows, onePair } from '../../../machines/cell/cellbe-workloads.ts';

const anchors = JSON.parse(readFileSync(new URL('../golden/eib_anchors.json', import.meta.url), 'utf8'));

function resultOf(programs: CellbePrograms, config: Readonly<Record<string, unknown>> = {}) {
  const given = {
    name: 'anchors',
    config: cellbeConfig.parse({ memory: 'zero', ...config }),
    programs,
    mutants: [],
    scheduled: false,
  };
  const assembly = assembleCellbe(given);
  const run = new Run(assembly.wiring);
  run.toEnd();
  return assembly.result(run);
}

describe('the anchors', () => {
  test('all hold: preset, calibrated rows within 2 %, ideal never below calibrated, limits, latency', () => {
    const rows = verifyAnchors(anchors);

    expect(rows.filter(({ passed }) => !passed)).toEqual([]);
    expect(rows.filter(({ id }) => id.startsWith('preset-'))).toHaveLength(19);
    expect(rows.filter(({ id }) => id.startsWith('four-pairs'))).toHaveLength(14);
    expect(rows.filter(({ id }) => id.startsWith('limit-'))).toHaveLength(7);
    expect(rows.find(({ id }) => id === 'latency-put')?.found).toBe(290);
  });

  test('fail where the file and the model differ, never because of a measured figure', () => {
    const changed = structuredClone(anchors);
    changed.preset.mfcQueue = 15;
    changed.fourPairs.rows = changed.fourPairs.rows.slice(0, 1);
    changed.fourPairs.rows[0].calibratedModelGBps = 190;
    for (const row of changed.fourPairs.rows) row.measuredGBps = 1;
    changed.limits = [{ id: 'command-bus', GBps: 190 }];

    const failed = verifyAnchors(changed).filter(({ passed }) => !passed);

    expect(failed.map(({ id }) => id)).toEqual([
      'preset-mfcQueue',
      'four-pairs 1-3 5-7 0-2 4-6 calibrated',
      'limit-command-bus',
    ]);
  });
});

test('one pair comes close to the port rate from chunks of 1024 bytes and falls off below', () => {
  const rates = [128, 256, 1024, 4096, 16384].map((chunk) => resultOf(onePair(chunk)).GBps / 2);

  expect(rates[0]).toBeLessThan(0.6 * 25.6);
  for (const rate of rates.slice(2)) expect(rate).toBeGreaterThan(0.95 * 25.6);
  for (const rate of rates) expect(rate).toBeLessThanOrEqual(25.6);
});

test('the calibrated rows hardly depend on when the elements begin', () => {
  // One row of each rate; all in the long run.
  const rows = effort({ short: [0, 4, 5], long: [0, 1, 2, 3, 4, 5, 6] });
  const staggered = rows.map((row) => {
    const pairs = fourPairsRows[row]!;
    const programs = Object.entries(fourPairs(pairs)).map(([name, program], index) => {
      const late = (index * 37) % 101;
      return [name, Array.isArray(program) ? program.map((one) => ({ ...one, cycle: late })) : program];
    });
    return resultOf(Object.fromEntries(programs), { calibrated: true }).GBps;
  });

  const expected = [197, 197, 197, 197, 79, 98, 197];
  for (const [at, rate] of staggered.entries()) {
    const known = expected[rows[at]!]!;
    expect(Math.abs(rate - known) / known).toBeLessThan(0.02);
  }
});

test('a calibrated result says that it is a fit, an ideal one that it is not the measured machine', () => {
  const programs = onePair(16384, 16384);

  expect(resultOf(programs, { calibrated: true }).notes[0]).toMatch(/^Calibration, not validation/);
  expect(resultOf(programs).notes[0]).toMatch(/^Ideal arbiter/);
  expect(resultOf(programs, { calibrated: true }).seconds).toBeCloseTo(resultOf(programs).seconds / 0.96, 12);
});
