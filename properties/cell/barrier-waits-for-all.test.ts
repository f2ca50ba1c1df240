import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { barrierWaitsForAll } from './barrier-waits-for-all.ts';
import { violatingRuns } from './planted-faults.ts';

test('the barrier waits for all in every run of the sound machine', () => {
  expect(violatingRuns(barrierWaitsForAll)).toBe(0);
});

test.each(['M-13', 'M-14', 'M-15'])('the planted fault %s is caught', (mutant) => {
  expect(violatingRuns(barrierWaitsForAll, mutant)).toBeGreaterThan(0);
});

test('an SPU that reports in the place of another, which gets no turn, is no good run', async () => {
  const text = `name: a
machine: cell
config: { N: 2, K: 1, memSize: 256 }
programs: [[[0, put, 10, 1, 20, 4]], [[0, get, 30, 0, 40, 2]]]
faults: [ { corrupt: { type: spu.done, probability: 1, budget: 1 } } ]
`;
  const { scenario, machine } = await parseScenario(text, 'a.yaml', machines);
  const { outcome } = simulate(scenario, machine!);

  expect(outcome.verdict).not.toBe('ok');
  expect(outcome.violations).toContainEqual(
    expect.objectContaining({ why: 'SPU 1 reported the end of cycle 0 in cycle 0, out of its turn' }),
  );
});
