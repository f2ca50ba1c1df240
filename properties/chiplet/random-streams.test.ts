import { expect, test } from 'vitest';
import { networkConfig } from '../../machines/chiplet/config.ts';
import { NetworkRun } from '../../machines/chiplet/network-run.ts';
import { planOf } from '../../machines/chiplet/plan.ts';
import { packetsOf, randomTraffic } from '../../machines/chiplet/traffic.ts';

/*
 * One random stream for all routers or one for each: other numbers, the same distribution (chiplet specification 5.6, 14 N12). The average delay under
 * high load differs from seed to seed by some per cent, so a single run says nothing; means over seeds are compared by their standard errors.
 */

const seeds = 40;
const crowded = randomTraffic.parse({ pattern: 'uniform', rate: 0.1, cycles: 400, packets: 500, flits: 5 });
const packets = packetsOf(crowded, 4);

interface Sample {
  readonly mean: number;
  readonly deviation: number;
}

function sample(random: 'shared' | 'perRouter', V: number, firstSeed: number): Sample {
  const delays = Array.from({ length: seeds }, (_, at) => {
    const config = networkConfig.parse({
      A: 4,
      V,
      B: 12,
      O: 12,
      F: 1,
      T: 5000,
      seed: firstSeed + at,
      random,
    });
    return new NetworkRun(planOf(config, packets), config.L).toEnd().avgDelay;
  });
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / seeds;
  const squares = delays.reduce((sum, delay) => sum + (delay - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (seeds - 1)) };
}

test.each([2, 3])('with %i channels a stream a router gives the delays of one stream, over seeds', (V) => {
  const shared = sample('shared', V, 1);
  const perRouter = sample('perRouter', V, 1);
  const error = Math.hypot(shared.deviation, perRouter.deviation) / Math.sqrt(seeds);

  expect(Math.abs(shared.mean - perRouter.mean)).toBeLessThan(4 * error);
  // The ratio of two variances of 40 runs each is within 0.35 and 2.9 in all but one of a thousand cases.
  expect((perRouter.deviation / shared.deviation) ** 2).toBeGreaterThan(0.35);
  expect((perRouter.deviation / shared.deviation) ** 2).toBeLessThan(2.9);
  // The test sees differences of less than 3 % of the delay.
  expect(4 * error).toBeLessThan(0.03 * shared.mean);
});
