import fc from 'fast-check';
import { invariant } from '../../kernel/errors.ts';
import { cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { campaignCase } from './campaign.ts';
import type { CellProperty } from './context.ts';
import { trial } from './trial.ts';

/** Seed of the workloads that planted faults are shown on. */
const workloadSeed = 2008;

/**
 * In how many of `runs` random runs a property is violated, by the sound machine or by one with a fault of the catalogue (Cell
 * specification 21.4).
 *
 * Details: every second run has a random schedule; the workloads are the same at each call.
 */
export function violatingRuns(property: CellProperty, mutantId?: string, runs = 40): number {
  const mutant = mutantId === undefined ? undefined : cellMutants.get(mutantId);
  invariant(mutant || mutantId === undefined, `the catalogue has no mutant ${mutantId}`);
  const parts = mutant ? mutant.mutate(soundParts) : soundParts;
  const cases = fc.sample(campaignCase, { seed: workloadSeed, numRuns: runs });
  return cases.filter(({ given, seed }, run) => {
    const schedule = run % 2 === 0 ? {} : { seed };
    const { violations } = trial(given, {
      parts,
      properties: [property],
      ticksMax: 2000,
      ...schedule,
    }).outcome;
    // What the parts themselves report is not the property's doing.
    return violations.some((violation) => violation.property === property.sentence);
  }).length;
}
