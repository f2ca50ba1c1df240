import { describe, expect, test } from 'vitest';
import type { ReferenceLog } from './reference-log.ts';
import { randomWorkload, referenceLog, TestRandom } from './reference-log.ts';
import { CellStatistics, percentile, type RunFigures } from './statistics.ts';

function figures({ header, events }: ReferenceLog): RunFigures {
  const statistics = new CellStatistics(header);
  for (const event of events) statistics.event(event);
  return statistics.finish();
}

describe('statistics', () => {
  test('the worked trace ex1 has its figures (Cell specification 23.2)', () => {
    const run = figures(
      referenceLog({
        name: 'ex1',
        N: 4,
        K: 1,
        memSize: 256,
        programs: [
          [
            [0, 'p', 10, 2, 20, 4],
            [1, 's', 0],
            [5, 's', 0],
          ],
          [[0, 'g', 30, 3, 40, 2]],
          [[1, 'p', 50, 3, 60, 3]],
          [[2, 'g', 70, 0, 80, 1]],
        ],
      }),
    );

    expect(run).toMatchObject({
      cycles: 6,
      requests: 4,
      unfinished: 0,
      bytes: 10,
      commands: 10,
      commandsPerCyclePeak: 2,
    });
    expect(run.bytesPerCycle).toBeCloseTo(10 / 6);
    expect(run).toMatchObject({ runningPeak: 2, runningMean: 10 / 6, detours: 2, detourShare: 0.5 });
    expect(run.wait).toEqual({ total: 3, max: 2, mean: 0.75, percentile95: 2, percentile99: 2 });
    // Direction 0: 3 nodes for 4 cycles and 4 nodes for 1; direction 1: 3 nodes for 2 cycles and 4 nodes for 3.
    expect(run.rings).toEqual([
      { dir: 0, ring: 0, nodeCycles: 16, occupation: 16 / 24 },
      { dir: 1, ring: 0, nodeCycles: 18, occupation: 18 / 24 },
    ]);
    expect(run.spus[2]).toEqual({
      spu: 2,
      requests: 1,
      unfinished: 0,
      bytesInitiated: 3,
      bytesSent: 3,
      bytesReceived: 4,
      totalWait: 1,
      maxWait: 1,
    });
  });

  test('the total wait equals the requests that wait, counted cycle by cycle (P-10)', () => {
    for (let seed = 0; seed < 60; seed++) {
      const log = referenceLog({ ...randomWorkload(new TestRandom(seed)), cycles: 400 });
      const starts = new Map(
        log.events.flatMap((e) => (e.ev === 'GRANT' ? [[`${e.spu}:${e.id}`, e.start]] : [])),
      );
      const requests = log.events.flatMap((e) => (e.ev === 'REQ' && e.size > 0 ? [e] : []));

      let waiting = 0;
      for (let t = 0; t < 400; t++)
        waiting += requests.filter((e) => e.t + 1 <= t && t < (starts.get(`${e.spu}:${e.id}`) ?? 0)).length;

      expect(figures(log).wait.total, `seed ${seed}`).toBe(waiting);
    }
  });

  test('requests that never start are unfinished and do not count as waiting', () => {
    const run = figures(
      referenceLog({
        name: 'cut',
        N: 2,
        K: 1,
        memSize: 32,
        cycles: 3,
        programs: [
          [
            [0, 'p', 0, 1, 0, 9],
            [2, 'p', 0, 1, 0, 1],
          ],
          [],
        ],
      }),
    );

    expect(run).toMatchObject({ cycles: 3, requests: 2, unfinished: 2, bytes: 2, detours: 0 });
    expect(run.wait.total).toBe(0);
    expect(run.runningMean).toBeCloseTo(2 / 3);
    // Two cycles of the two nodes: what lies beyond the end of the run is not used.
    expect(run.rings[0]?.nodeCycles).toBe(4);
  });

  test('percentiles are nearest ranks', () => {
    const waits = Array.from({ length: 100 }, (_, wait) => wait + 1);

    expect([
      percentile(waits, 0.95),
      percentile(waits, 0.99),
      percentile([7], 0.95),
      percentile([], 0.95),
    ]).toEqual([95, 99, 7, 0]);
  });
});
