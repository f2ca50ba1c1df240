import { type Tape, TapeChoices } from '../kernel/choices.ts';
import { type SimulateOptions, type Simulation, simulate } from '../scenarios/simulate.ts';
import type { JudgedScenario } from './judged-scenario.ts';
import type { Watch } from './property.ts';

/** The run of a tape with checkpoints for its recording; the properties watch, as they do when it is replayed. */
export function watchedRun(
  { scenario, machine, properties }: JudgedScenario,
  tape: Tape,
  options: Pick<SimulateOptions, 'scheduled' | 'until'>,
): Simulation {
  let watching: Watch | undefined;
  return simulate(scenario, machine, {
    ...options,
    choices: new TapeChoices(tape),
    observe: (run, { given, assembly }) => {
      watching = properties?.watch(run, given, assembly);
    },
    onEnd: () => watching?.end(),
  });
}
