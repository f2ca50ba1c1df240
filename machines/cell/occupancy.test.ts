import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CellResult, logOfResult } from './log-of-result.ts';
import { occupancyChart, occupancyText } from './occupancy.ts';

function golden(name: string) {
  const read = (part: string) =>
    JSON.parse(
      readFileSync(
        new URL(`../../properties/cell/golden/machine/${name}.${part}.json`, import.meta.url),
        'utf8',
      ),
    );
  const machine = read('workload') as { N: number; K: number };
  const result = read('result') as CellResult;
  return { machine, result, log: logOfResult(machine, result) };
}

describe('the occupation of the rings', () => {
  it('counts nodes times cycles of the worked trace', () => {
    const { log } = golden('ex1');

    // Direction 0: 3 nodes in 4 cycles and 4 in 1; direction 1: 3 in 2 and 4 in 3; 4 nodes in 6 cycles each.
    expect(occupancyText(log.header, log.events, 8)).toBe(
      [
        'node-cycles used / available, by ring',
        'ring 0 →   #####...  66.7 %  16 / 24',
        'ring 0 ←   ######..  75.0 %  18 / 24',
        'all rings  ######..  70.8 %  34 / 48',
        '',
      ].join('\n'),
    );
  });

  it('draws one bar a ring, as long as its share of the golden run', () => {
    const { machine, result, log } = golden('sat_n64_k4');
    const { N, K } = machine;
    const used = new Map<string, number>();
    for (const [, , , src, dst, size, , , dir, ring] of result.transfers) {
      const nodes = (((dir === 0 ? dst - src : src - dst) + N) % N) + 1;
      used.set(`${dir},${ring}`, (used.get(`${dir},${ring}`) ?? 0) + nodes * size);
    }

    const svg = occupancyChart(log.header, log.events);

    const bars = [
      ...svg.matchAll(
        /data-dir="(\d)" data-ring="(\d)" data-used="(\d+)" data-available="(\d+)".*?width="([\d.]+)".*?class="used".*?width="([\d.]+)"/g,
      ),
    ];
    expect(bars).toHaveLength(2 * K);
    for (const [, dir, ring, bytes, available, full, part] of bars) {
      expect(Number(bytes)).toBe(used.get(`${dir},${ring}`));
      expect(Number(available)).toBe(N * result.cycles);
      expect(Number(part) / Number(full)).toBeCloseTo(Number(bytes) / Number(available), 4);
    }
  });

  it('is zero, not undefined, for a run without cycles', () => {
    const { header, events } = logOfResult(
      { N: 2, K: 1 },
      { name: 'none', policy: 'x', cycles: 0, transfers: [] },
    );

    expect(occupancyText(header, events, 4)).toContain('ring 0 →   ....   0.0 %  0 / 0');
    expect(occupancyChart(header, events)).not.toMatch(/NaN|Infinity/);
  });

  it('refuses a bar of no characters', () => {
    const { log } = golden('ex1');

    expect(() => occupancyText(log.header, log.events, 0)).toThrow(RangeError);
  });
});
