import type { PartitionPlace } from '../../kernel/explore/partition.ts';
import { Partition } from '../../kernel/explore/partition.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { knownMachines } from '../known-machines.ts';
import { loadConstraint } from './constraint.ts';
import { type ExplorationOptions, explorationOf } from './exploration.ts';
import { withRefinement } from './refines.ts';

/** An exploration in words that another thread can be told: all threads make partitions of the same one of it. */
export interface CheckOrder extends ExplorationOptions {
  readonly file: string;
  readonly text: string;
}

/** Makes a partition of the exploration. Errors: `ScenarioErrors` for a wrong scenario, and what `Partition` throws. */
export async function openPartition(
  { file, text, ...how }: CheckOrder,
  place: PartitionPlace,
): Promise<Partition> {
  const loaded = await judgedScenario(await parseScenario(text, file, await knownMachines()));
  const judged = await withRefinement(loaded, how.refines);
  const constraint = how.constraint === undefined ? undefined : await loadConstraint(how.constraint);
  const { make, options } = explorationOf(judged, how, constraint);
  return new Partition(make, options, place);
}
