import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startsAsArbitratedAlone } from './arbitrated-alone.ts';
import { campaignCase } from './campaign.ts';
import { violatingRuns } from './planted-faults.ts';
import { trial } from './trial.ts';

test('every run of the sound machine starts its requests as when they are arbitrated alone', () => {
  expect(violatingRuns(startsAsArbitratedAlone)).toBe(0);
});

test('an arbiter that decides by another policy than it says is caught', () => {
  const cases = fc.sample(campaignCase, { seed: 6, numRuns: 40 });

  const caught = cases.filter(({ given }) => {
    const policy = given.config.policy === 'etalon-hol' ? 'sjf-detour' : 'etalon-hol';
    const judgedAs = { ...given, config: { ...given.config, policy } } as typeof given;
    const { violations } = trial(given, { properties: [startsAsArbitratedAlone], judgedAs }).outcome;
    return violations.length > 0;
  });

  expect(caught.length).toBeGreaterThan(5);
});
