import { sunwayMachine } from '../../machines/sunway.ts';
import { watchedTrial } from '../watched-trial.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import type { SunwayGiven } from './workloads.ts';

/** The sentences that do not hold in a run, each once, and the verdict of a run that stands still; it is left where it stands at `lastTick`. */
export const raisedIn = (given: SunwayGiven, lastTick = 200_000): readonly string[] =>
  watchedTrial(
    sunwayMachine.assemble(given),
    (run, assembly) => {
      assembly.attach?.(run);
      return sunwayMachineProperties.watch(run, given, assembly);
    },
    { ticksMax: lastTick },
  ).raised;
