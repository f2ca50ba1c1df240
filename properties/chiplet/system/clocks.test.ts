import { expect, test } from 'vitest';
import { networkTicks } from '../../../actors/chiplet/system/clock-domain.ts';
import { clockTicks } from '../../../machines/chiplet/clock-ratios.ts';
import type { SystemGiven } from '../../../machines/chiplet/system.ts';
import type { ChipletEntry } from '../../../machines/chiplet/system-config.ts';
import { pipedThrough } from '../../../scenarios/chiplet/system/pipeline.ts';
import { givenFrom, trial } from './trial.ts';

/** The same system with a chiplet that does nothing, on a clock of its own. */
async function withIdle(clockRate: number): Promise<SystemGiven> {
  const given = await givenFrom('system-all-to-all.yaml', { trustKernelSource: false });
  const { config, programs } = given;
  const idle: ChipletEntry = { x: 2, y: 2, kind: 'cpu', program: 'idle', args: [], clockRate, cpi: 1 };
  return {
    ...given,
    config: { ...config, network: { ...config.network, A: 3 }, chiplets: [...config.chiplets, idle] },
    programs: { ...programs, hosts: { ...programs.hosts, idle: { steps: [] } } },
  };
}

test('a finer calendar changes nothing: an idle chiplet may have any clock', async () => {
  const { result } = trial(await withIdle(1));

  for (const rate of [1.5, 0.7]) {
    const other = trial(await withIdle(rate));
    expect(other.raised).toEqual([]);
    expect(other.result.network).toEqual(result.network);
    expect(other.result.chiplets.slice(0, 4)).toEqual(result.chiplets.slice(0, 4));
  }
});

test('chiplets on odd clocks compute the same, also through routers with streams of their own', async () => {
  const given = await givenFrom('system-pipeline.yaml');
  const rates = [1, 1.5, 0.75, 0.4];
  const chiplets = given.config.chiplets.map((one, at) => ({ ...one, clockRate: rates[at]! }));
  for (const random of ['shared', 'perRouter'] as const) {
    const network = { ...given.config.network, random };
    const { raised, outputs } = trial({ ...given, config: { ...given.config, network, chiplets } });

    expect(raised).toEqual([]);
    expect(outputs[0]).toEqual({ blocks: pipedThrough(5, 8, [1, 2, 3]) });
  }
});

test('every clock ticks on even ticks of the calendar', () => {
  expect(clockTicks([1, 1])).toEqual({ network: 2, chiplets: [2, 2] });
  expect(clockTicks([0.5, 1.5])).toEqual({ network: 6, chiplets: [12, 4] });
  expect(clockTicks([1, 1.4])).toEqual({ network: 14, chiplets: [14, 10] });
});

test('a network on two ticks a cycle keeps its delays, and on more its order within a cycle', () => {
  const [two, six] = [networkTicks(2), networkTicks(6)];
  for (const event of ['router.turn', 'flit.arrive'])
    for (let delay = 0; delay < 7; delay++) expect(two(delay, event)).toBe(delay);

  // From the turns of a cycle: to just before those of the next, to those; from just before turns: to them.
  expect([1, 2, 3].map((delay) => six(delay, 'router.turn'))).toEqual([5, 6, 11]);
  expect([1, 2, 3].map((delay) => six(delay, 'flit.arrive'))).toEqual([1, 6, 7]);
});
