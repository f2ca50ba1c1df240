import { describe, expect, test } from 'vitest';
import { publishedPoints } from '../../machines/sunway/calibration/published-points.ts';
import { calibration, fitsOf, judged } from '../../scenarios/sunway/calibration.ts';

/** What takes less than a second: transfers of one CPE, puts between LDMs, a ball between two CPEs, 64 CPEs with one size each way. */
const cheap = publishedPoints.filter(({ name, measure }) =>
  measure.kind === 'dmaTime'
    ? measure.cpes === 1 || name === '64 CPE get 1024 B' || name === '64 CPE put 64 B at offset 4'
    : measure.kind === 'putStream' || (measure.kind === 'pingPong' && [1, 63].includes(measure.to)),
);

describe('measured on a node', () => {
  const rows = [...calibration(cheap)];

  test.each(rows.map((row) => [row.name, row] as const))('%s is within its tolerance', (_, row) => {
    expect(Math.abs(row.error)).toBeLessThanOrEqual(row.tolerance);
    expect(row.holds).toBe(true);
  });

  test('put streams are as near as the specification says of its formulas: 6.7 percent at most', () => {
    const fit = fitsOf(rows).find(({ family }) => family === 'RMA put streams')!;

    expect(fit.points).toBe(10);
    expect(fit.largest).toBeLessThanOrEqual(0.067);
  });
});

describe('a row', () => {
  const point = {
    name: 'a point',
    measure: { kind: 'pingPong', from: 0, to: 1, bytes: 8 },
    measured: [100, 200],
    unit: 'cycles',
    tolerance: 0.1,
  } as const;

  test('is beside the nearest of several measured values', () => {
    expect(judged(point, 185)).toMatchObject({ error: -0.075, holds: true });
    expect(judged(point, 89)).toMatchObject({ error: -0.11, holds: false });
  });

  test('that is far off shows in the fit of its family', () => {
    const named = (name: string, model: number) => judged({ ...point, name }, model);
    const rows = [named('put stream a', 100), named('put stream b', 150), named('put stream c', 101)];

    expect(fitsOf(rows)).toEqual([{ family: 'RMA put streams', points: 3, median: 0.01, largest: 0.25 }]);
  });
});
