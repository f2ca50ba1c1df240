import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { get, put, read, status, write } from '../../actors/cell/instructions.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { cellConfig } from '../../machines/cell/config.ts';
import { given } from './arbitraries.ts';
import { campaignCase } from './campaign.ts';
import { violatingRuns } from './planted-faults.ts';
import { runsAsTheReference } from './runs-as-the-reference.ts';
import { trial } from './trial.ts';

const properties = [runsAsTheReference];

test('the sound machine runs as the reference does, in steps and in bursts, under any schedule', () => {
  fc.assert(
    fc.property(campaignCase, fc.boolean(), ({ given: one, seed }, bursts) => {
      const { raised } = trial(one, bursts ? { properties, bursts } : { properties, seed });
      expect(raised).toEqual([]);
    }),
    { numRuns: effort({ short: 24, long: 60 }) },
  );
});

test.each(['M-03', 'M-06', 'D-03'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(runsAsTheReference, mutant, 24)).toBeGreaterThan(0);
});

describe('what only the reference notices', () => {
  const config = cellConfig.parse({ N: 3, K: 1, memSize: 16, policy: 'etalon-ff', maxOutstanding: 1 });
  const at = (
    cycle: number,
    ...instructions: ReturnType<typeof put | typeof read | typeof status | typeof write>[]
  ) => instructions.map((instruction) => ({ cycle, instruction }));
  const one = given('one', config, [
    [...at(0, put(0, 1, 4, 3), get(8, 1, 0, 2), status(0), write(3, 7)), ...at(5, read(3), status(1))],
    [...at(1, put(0, 2, 0, 300))],
    [],
  ]);

  test('is nothing in a sound run', () => {
    expect(trial(one, { properties }).raised).toEqual([]);
  });

  test.each([
    ['a limit of 2 instead of 1', { maxOutstanding: 2 }],
    ['another order of the directions', { policy: 'fifo-both' }],
    ['an end that is forced', { run: { cycles: 30 } }],
    ['other bytes at the beginning', { memory: 'zero' }],
    ['a refusal less', { memSize: 400 }],
  ])('is %s', (_, change) => {
    const other = given('one', cellConfig.parse({ ...config, ...change }), one.programs);

    const { raised } = trial(other, { properties, judgedAs: one });

    expect(raised).toEqual([runsAsTheReference.sentence]);
  });
});
