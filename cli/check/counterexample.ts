import type { Choices } from '../../kernel/choices.ts';
import type { GuidedChoices } from '../../kernel/explore/guide.ts';
import { type Cycle, withCycle } from '../../properties/endless.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import { recordingOf, saveRecording } from '../../scenarios/recording.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { exitCodes } from '../exit-codes.ts';
import { Observation } from '../observation.ts';
import { RoundSteps } from '../round-steps.ts';
import { type RunReport, runText } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';
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
  const recording = recordingFile(record, scenario.name);
  if (recording !== undefined) saveRecording(recording, recordingOf(scenario, simulation, cycle));
  const report: RunReport = {
    scenario: { ...scenario, about: 'One run that shows it:' },
    machine,
    simulation,
    // Any schedule may be what a scenario does not expect of its own.
    verdict: { ...judgeRun(scenario, simulation, true), exitCode: exitCodes.failed },
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

function recordingFile(asked: string | boolean | undefined, name: string): string | undefined {
  if (typeof asked === 'string') return asked;
  return asked === false ? undefined : `out/${name.replace(/[^\w.-]+/g, '-')}.check.json`;
}
