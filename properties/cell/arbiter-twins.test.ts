import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { ArbitrationScheduler } from '../../actors/cell/fast/arbitration-scheduler.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { twinsDiffer } from './arbiter-twins.ts';
import { campaignGiven } from './campaign.ts';

const workloads = (numRuns: number) => fc.sample(campaignGiven, { seed: 27, numRuns });

afterEach(() => {
  vi.restoreAllMocks();
});

test('the explicit arbiter and its fast twin show and send the same, tick by tick', () => {
  for (const given of workloads(effort({ short: 50, long: 2000 })))
    expect(twinsDiffer(given), JSON.stringify(given.config)).toBeUndefined();
});

test.each(['M-02', 'M-03', 'M-23', 'W-01', 'W-02', 'W-03', 'W-04'])(
  'the fault %s of the explicit arbiter is a difference',
  (id) => {
    const parts = cellMutants.get(id)!.mutate(soundParts);

    expect(workloads(40).some((given) => twinsDiffer(given, parts) !== undefined)).toBe(true);
  },
);

test('a fast twin that frees segments late is a difference', () => {
  const release = ArbitrationScheduler.prototype.release;
  vi.spyOn(ArbitrationScheduler.prototype, 'release').mockImplementation(function (
    this: ArbitrationScheduler,
    t: number,
  ) {
    return release.call(this, t - 1);
  });

  expect(workloads(10).some((given) => twinsDiffer(given) !== undefined)).toBe(true);
});
