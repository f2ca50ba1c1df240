import { expect, test } from 'vitest';
import { machines } from '../manifests/machines.ts';
import { judgedScenario } from '../properties/judged-scenario.ts';
import { loadScenario } from '../scenarios/load.ts';
import { simulate } from '../scenarios/simulate.ts';
import { carriedOutAgain } from './carried-out-again.ts';

const judged = await judgedScenario(await loadScenario('scenarios/cell/hazard.yaml', machines));
const simulation = simulate(judged.scenario, judged.machine, { checkpoints: 0 });
const calm = { onProgress: () => {}, shouldStop: () => false, turn: async () => {} };

test('a run that is carried out again has its end, and the checkpoints of one that was recorded as it went', async () => {
  const again = await carriedOutAgain({ ...judged, properties: undefined, simulation }, 'compiled', calm);

  const recorded = simulate(judged.scenario, judged.machine);
  expect(recorded.checkpoints.length).toBeGreaterThan(0);
  expect(again.simulation?.checkpoints).toEqual(recorded.checkpoints);
  expect(again.simulation?.fingerprint).toBe(simulation.fingerprint);
});

test('who interrupts it gets the run without checkpoints', async () => {
  const again = await carriedOutAgain({ ...judged, properties: undefined, simulation }, 'compiled', {
    ...calm,
    shouldStop: () => true,
  });

  expect(again.simulation?.checkpoints).toEqual([]);
});

test('what it throws loses nothing of what the run came to', async () => {
  const again = await carriedOutAgain({ ...judged, properties: undefined, simulation }, 'compiled', {
    ...calm,
    onProgress: () => {
      throw new Error('found no end of a step');
    },
  });

  expect(again.missing).toContain('it did not come to its end: found no end of a step');
});
