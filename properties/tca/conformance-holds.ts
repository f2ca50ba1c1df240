import { conformanceCases } from '../../scenarios/tca/conformance/cases.ts';
import { findingOf, topologyOf } from '../../scenarios/tca/conformance/row.ts';
import { besideScenario } from '../beside-scenario.ts';

/** Every so many scenarios a case is tried on four nodes; else on two. */
const largeEvery = 8;

/** Beside a scenario, one job of a case of the conformance suite is carried out under a schedule (TCA specification 10). */
export const conformanceHolds = besideScenario((number) => {
  const one = conformanceCases[number % conformanceCases.length]!;
  const turn = Math.floor(number / conformanceCases.length);
  const nodes = turn % largeEvery === 0 ? 4 : 2;
  const row = {
    case: one,
    topology: topologyOf(nodes),
    nodes,
    mode: 'auto',
    channels: turn % 3 === 0 ? [0] : [0, 1, 2, 3],
  } as const;
  const found = findingOf(row, 1, 1 + (turn % 500));
  return found === undefined ? undefined : `${one.id}, ${one.title}: ${found}`;
});
