import { expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { judgedScenario } from '../judged-scenario.ts';
import { explainFailure } from './explain.ts';
import { mutantsOf, mutated } from './testing/protocol-mutants.ts';
import { refutations } from './testing/verify-causes.ts';
import { Trials } from './trial.ts';

test('two messages that both come behind the failure are no cause, also where one of them does not come without it', async () => {
  const text = 'name: late\nmachine: ring-election\nconfig: { ids: [2, 0, 1] }\n';
  const { scenario, machine, properties } = await judgedScenario(
    await parseScenario(text, 'm.yaml', machines),
  );
  const { name, config, programs } = scenario;
  const { wiring } = machine.assemble({ name, config, programs, mutants: [], scheduled: true });
  // Whoever gets a larger number takes itself for the leader.
  const mutant = wiring.complete
    .flatMap((one) => mutantsOf(one.machine))
    .find(({ what }) => what === 'idle.on.Election.0 goes to leader instead of candidate')!;
  const trials = new Trials({ ...scenario, until: 200 }, mutated(machine, mutant), properties);

  const explanation = explainFailure(trials, [0, 0, 2, 1, 0, 1, 1])!;

  expect(explanation.causes.causes.length).toBeGreaterThan(0);
  expect(refutations(trials, explanation)).toEqual([]);
});
