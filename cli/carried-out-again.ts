import type { JudgedScenario } from '../properties/judged-scenario.ts';
import { watchedTape } from '../properties/watched-run.ts';
import { type SimulateOptions, type Simulation, simulateInTurns } from '../scenarios/simulate.ts';
import type { ProgressOptions } from './with-progress.ts';

/** A run that may be recorded, or why there is none. */
export type Recordable =
  | { readonly simulation: Simulation; readonly missing?: undefined }
  | { readonly simulation?: undefined; readonly missing: string };

/**
 * Carries a run out again by its picks, with the checkpoints that a recording needs: a run of which nobody knows beforehand that it fails goes
 * without them, since each costs a hash of all contexts. A run that does not come to the same is not recorded, for it would not replay.
 *
 * Details: who interrupts it does not wait: the run is recorded without checkpoints, and its end alone is compared when it is replayed.
 */
export async function carriedOutAgain(
  judged: JudgedScenario & { readonly simulation: Simulation },
  engine: SimulateOptions['engine'] & string,
  { turn, ...heed }: ProgressOptions,
): Promise<Recordable> {
  const { scenario, machine, simulation } = judged;
  const { tape, scheduled, until, fingerprint, outcome } = simulation;
  const options = { ...heed, engine, scheduled, ...(until !== undefined && { until }) };
  let again: Simulation;
  try {
    again = await simulateInTurns(scenario, machine, watchedTape(judged, tape, options), turn);
  } catch (error) {
    // What the run itself came to is told all the same.
    return { missing: `carried out again, it did not come to its end: ${(error as Error).message}` };
  }
  if (again.interrupted) return { simulation };
  const { verdict, ticks, deliveries } = again.outcome;
  if (
    again.fingerprint === fingerprint &&
    verdict === outcome.verdict &&
    ticks === outcome.ticks &&
    deliveries === outcome.deliveries
  )
    return { simulation: again };
  const came = ({ verdict, ticks, deliveries }: Simulation['outcome']) =>
    `${verdict} after ${deliveries} deliveries in ${ticks} ticks`;
  const otherEnd =
    came(again.outcome) === came(outcome)
      ? 'other contexts in the end'
      : `${came(again.outcome)}, in place of ${came(outcome)}`;
  return {
    missing: `carried out again with the same picks it came to ${otherEnd}; something decides that is neither in the scenario nor in the picks, such as Math.random(), the clock or a variable of a module\n  help: let recipes read their context, their event and out.pick() only`,
  };
}
