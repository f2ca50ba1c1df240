import { expect, test } from 'vitest';
import { sunwayMachine } from '../../machines/sunway.ts';
import { figuresOfFile } from '../testing/figures-of-file.ts';

// 12,394 cycles of 2.25 GHz.
test('what is told of a run: the time, transfers by kind, what CPEs waited for, what hosts tell, races', async () => {
  expect(await figuresOfFile(sunwayMachine, 'sunway/stale-cache.yaml')).toEqual([
    'cycles: 12394, 5.508 us',
    'transfers: 6 of 32 bytes together: 2 dmaGet, 4 dmaPut',
    'CPEs waited: 836 for transfers, 77972 for barriers, 0 for locks, 0 for hosts',
    'core group 0: seen by CPE 1 1 1',
    'core group 0: in memory 2',
    'races: 1',
  ]);
});

test('what is told of a run in flits: how many, over which link most, and how often the ports of LDMs were taken', async () => {
  const figures = await figuresOfFile(sunwayMachine, 'sunway/flit-one-to-all.yaml');

  expect(figures.filter((line) => /^(?:flits|LDM)/.test(line))).toEqual([
    'flits: 2043 into the network, most of them (288) from cluster 0 to 1 of core group 0',
    'LDM conflicts: 0',
  ]);
});

test('a cycle is one of 2.25 GHz', () => {
  expect(sunwayMachine.tickFemtoseconds?.(sunwayMachine.config.parse({}))).toBe(444_444);
});
