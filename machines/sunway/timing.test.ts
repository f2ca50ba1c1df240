import { expect, test } from 'vitest';
import { timingRows } from '../../actors/sunway/timing/timing-table.ts';
import { sunwayConfig } from './config.ts';
import { timingOf } from './timing.ts';

test('what the configuration says of time holds at every level, the functional one, too', () => {
  const timing = { clk: { cpe: 20 }, ldm: { latency: 7 }, flit: { bufferFlits: 8 } };

  for (const fidelity of ['functional', 'tlm', 'flit'] as const) {
    const table = timingOf({ fidelity, timing: timing as never });
    expect(table).toMatchObject({
      clk: { cpe: 20, mpe: 2100 },
      ldm: { latency: 7 },
      flit: { bufferFlits: 8 },
    });
  }
  expect(timingOf({ fidelity: 'functional', timing: {} as never }).sync).toMatchObject({ base: 1, hop: 0 });
});

test('a delay that is used as it is, is a whole number of cycles; what is rounded where it is used may be any', () => {
  const takes = (group: string, key: string, value: number) =>
    sunwayConfig.safeParse({ timing: { [group]: { [key]: value } } }).success;
  const whole = Object.entries(timingRows).flatMap(([group, rows]) =>
    Object.keys(rows).flatMap((key) => (takes(group, key, 99.5) ? [] : [`${group}.${key}`])),
  );

  expect(whole).toEqual(
    [
      'ldm.latency sldm.latency sldm.hop gld.latency dma.issueCost rma.issueCost sync.base sync.hop faa.latency',
      'lock.grantArray lock.grantNode spawn.latency join.latency ring.extra cache.hit ptab.lookup poll.cost',
    ].flatMap((line) => line.split(' ')),
  );
  expect(takes('gld', 'latency', 99)).toBe(true);
});
