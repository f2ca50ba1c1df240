import type { Choices } from '../../kernel/choices.ts';
import type { GuidedChoices } from '../../kernel/explore/guide.ts';
import { type Cycle, withCycle } from '../../properties/endless.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { exitCodes } from '../exit-codes.ts';
import { Observation } from '../observation.ts';
import type { Outputs } from '../output.ts';
import { keptRecording } from '../recording-file.ts';
import { RoundSteps } from '../round-steps.ts';
import { type RunReport, runText } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';
import type { Terminal } from '../terminal.ts';
import type { Counterexample } from './check-report.ts';

/** What was found, in a form in which a run can show it. */
export interface Failing extends Omit<Counterexample, 'recording'> {
  readonly choices: Choices;
  /** Makes the choices follow the run, where they must. */
  readonly follow?: GuidedChoices;
  /** The last tick that matters. */
  readonly until?: number;
  /** Where it goes round for ever: the run is cut off after the first round. */
  readonly cycle?: Cycle;
}

/** Runs what was found, records it, and tells of it as of any run. `record` is a file, false for none, absent for one beside other output. */
export function showFailing(
  { scenario, machine, properties }: JudgedScenario,
  { choices, follow, until, cycle, ...failing }: Failing,
  record: string | boolean | undefined,
  outputs: Outputs,
  terminal: Terminal,
): { readonly counterexample: Counterexample; readonly text: string } {
  const observation = new Observation(machine, {
    exports: [],
    sketch: false,
    properties: withCycle(properties, cycle),
  });
  const round = cycle && new RoundSteps(cycle);
  const began = performance.now();
  const simulation = simulate(scenario, machine, {
    choices,
    scheduled: true,
    ...(until !== undefined && { until: Math.min(until, scenario.until ?? until) }),
    observe: (run, built) => {
      follow?.follow(run);
      round?.attach(run);
      observation.observe(run, built);
    },
    onEnd: observation.onEnd,
  });
  // Any schedule may be what a scenario does not expect of its own.
  const verdict = { ...judgeRun(scenario, simulation, true), exitCode: exitCodes.failed };
  const recording = keptRecording(
    record,
    { scenario, simulation, verdict, ...(cycle && { cycle }) },
    outputs,
    terminal,
    'check',
  );
  const report: RunReport = {
    scenario: { ...scenario, about: 'One run that shows it:' },
    machine,
    simulation,
    verdict,
    engine: 'compiled',
    schedule: 'found by check',
    scheduleText: observation.scheduleText,
    watched: observation.watched,
    ...(observation.past && { past: observation.past }),
    files: observation.finish(),
    ...(recording !== undefined && { recording }),
    wallSeconds: (performance.now() - began) / 1000,
  };
  return {
    counterexample: { ...failing, ...(recording !== undefined && { recording }) },
    text: `${runText(report)}${round?.text ?? ''}`,
  };
}
