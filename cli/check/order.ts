import { type SearchPlace, SharedSearch } from '../../kernel/explore/shared-search.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { knownMachines } from '../known-machines.ts';
import { loadConstraint } from './constraint.ts';
import { type ExplorationOptions, explorationOf } from './exploration.ts';
import { withRefinement } from './refines.ts';

/** An exploration in words that another thread can be told: all threads make their parts of the same one of it. */
export interface CheckOrder extends ExplorationOptions {
  readonly file: string;
  readonly text: string;
  /** Bytes that the states may take; the usual share of the computer's when absent. */
  readonly memory?: number;
  /** The present tick is part of a state; found out by itself. */
  readonly clock?: boolean;
}

/** Makes the part of the exploration of one thread. Errors: `ScenarioErrors` for a wrong scenario, and what `SharedSearch` throws. */
export async function openSearch(
  { file, text, clock = false, ...how }: CheckOrder,
  place: SearchPlace,
): Promise<SharedSearch> {
  const loaded = await judgedScenario(await parseScenario(text, file, await knownMachines()));
  const judged = await withRefinement(loaded, how.refines);
  const constraint = how.constraint === undefined ? undefined : await loadConstraint(how.constraint);
  const { make, options } = explorationOf(judged, how, constraint);
  const { keepGoing = false } = how;
  return new SharedSearch(make, { ...options, keepGoing, ...(clock && { clock }) }, place);
}
