import { arbitrate, checkPlacements } from '../../actors/cell/arbitrate.ts';
import { createPolicy, policyNames } from '../../actors/cell/policies/policies.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import { equalRow, formatOf, type ReferenceKind, type Row } from '../../scenarios/reference-kind.ts';
import { type ArbitrationCase, arbitrationFile } from '../cell/instances.ts';

/** The policies whose totals are exact (Cell specification 17.2, 17.3). */
const exactPolicies = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour'] as const;

/** Arbitration instances (Cell specification 18.3): totals of the exact policies, stored placements, bounds, optima. */
export const cellArbitration: ReferenceKind = {
  name: 'cell-arb/1',
  summary: 'totals of the exact policies, stored placements, lower bounds, proved optima',
  recognises: (file) => formatOf(file) === 'cell-arb/1',
  *rows(file) {
    for (const one of referenceData(file, arbitrationFile).instances) yield* rowsOf(one);
  },
};

function* rowsOf(instance: ArbitrationCase): Iterable<Row> {
  const { name, best, lowerBound, policies } = instance;
  if (best) yield* rowsOfBest(instance, best);
  for (const policy of policyNames) {
    const { placements, totalWait } = totalOf(instance, policy);
    const stored = policies[policy];
    if ((exactPolicies as readonly string[]).includes(policy) && stored !== undefined)
      yield equalRow(`${name} ${policy}`, 'total wait of the policy', stored, totalWait);
    yield equalRow(
      `${name} ${policy} placements`,
      'placements are valid',
      null,
      checkPlacements(instance, placements),
    );
    if (lowerBound !== undefined)
      yield atLeast(`${name} ${policy} bound`, 'no total below the lower bound', lowerBound, totalWait);
    if (best?.optimal)
      yield atLeast(
        `${name} ${policy} optimum`,
        'no total below the proved optimum',
        best.totalWait,
        totalWait,
      );
  }
}

function* rowsOfBest(instance: ArbitrationCase, best: NonNullable<ArbitrationCase['best']>): Iterable<Row> {
  const { name, requests, lowerBound } = instance;
  const { placements, totalWait } = best;
  yield equalRow(
    `${name} best placements`,
    'stored placements are valid',
    null,
    checkPlacements(instance, placements),
  );
  const sum = placements.reduce(
    (total, [start], index) => total + start - (requests[index]?.[0] ?? 0) - 1,
    0,
  );
  yield equalRow(`${name} best total`, 'total wait of the stored placements', totalWait, sum);
  if (lowerBound !== undefined)
    yield atLeast(`${name} best bound`, 'no total below the lower bound', lowerBound, totalWait);
}

/** Every policy counts as deterministic here: sjf-plan has its default seed. */
function totalOf(instance: ArbitrationCase, policy: string): ReturnType<typeof arbitrate> {
  const { N, K } = instance;
  return arbitrate(instance, createPolicy(policy, { N, K }));
}

const atLeast = (id: string, what: string, least: number, found: number): Row => ({
  id,
  what,
  expected: `>= ${least}`,
  found,
  tolerance: null,
  passed: found >= least,
});
