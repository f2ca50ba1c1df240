import { TapeChoices } from '../kernel/choices.ts';
import type { JudgedScenario } from '../properties/judged-scenario.ts';
import type { Watch } from '../properties/property.ts';
import { type Simulation, simulateInTurns } from '../scenarios/simulate.ts';
import type { ProgressOptions } from './with-progress.ts';

/** A run with checkpoints, or why there is none. */
export type Recordable =
  | { readonly simulation: Simulation; readonly missing?: undefined }
  | { readonly simulation?: undefined; readonly missing: string };

/**
 * Carries a run out again by its picks, with the checkpoints that a recording needs: a run of which nobody knows beforehand that it fails goes
 * without them, since each costs a hash of all contexts. A run that does not come to the same is not recorded, for it would not replay.
 */
export async function carriedOutAgain(
  {
    scenario,
    machine,
    properties,
    simulation: { tape, scheduled, until, fingerprint, outcome },
  }: JudgedScenario & { readonly simulation: Simulation },
  { turn, ...heed }: ProgressOptions,
): Promise<Recordable> {
  let watching: Watch | undefined;
  const again = await simulateInTurns(
    scenario,
    machine,
    {
      ...heed,
      choices: new TapeChoices(tape),
      scheduled,
      ...(until !== undefined && { until }),
      observe: (run, { given, assembly }) => {
        watching = properties?.watch(run, given, assembly);
      },
      onEnd: () => watching?.end(),
    },
    turn,
  );
  if (again.interrupted) return { missing: 'interrupted while it was carried out again for its recording' };
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
