import { type Tape, TapeChoices } from '../kernel/choices.ts';
import { type SimulateOptions, type Simulation, simulate } from '../scenarios/simulate.ts';
import type { JudgedScenario } from './judged-scenario.ts';
import type { Watch } from './property.ts';

/** How the run of a tape is carried out with checkpoints for its recording; the properties watch, as they do when it is replayed. */
export function watchedTape(
  { properties }: Pick<JudgedScenario, 'properties'>,
  tape: Tape,
  options: SimulateOptions,
): SimulateOptions {
  let watching: Watch | undefined;
  return {
    ...options,
    choices: new TapeChoices(tape),
    observe: (run, { given, assembly }) => {
      watching = properties?.watch(run, given, assembly);
    },
    onEnd: () => watching?.end(),
  };
}

/** The run of a tape with checkpoints for its recording. */
export const watchedRun = (
  judged: JudgedScenario,
  tape: Tape,
  options: Pick<SimulateOptions, 'scheduled' | 'until'>,
): Simulation => simulate(judged.scenario, judged.machine, watchedTape(judged, tape, options));
