import type { Choices } from '../../kernel/choices.ts';
import { defect } from '../../kernel/errors.ts';
import { type Claim, claimText } from '../../kernel/explore/claim.ts';
import type { ShownFinding } from '../../kernel/explore/explorer.ts';
import { GuidedChoices } from '../../kernel/explore/guide.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { Route } from '../../kernel/explore/route.ts';
import { RunWatch } from '../../kernel/explore/watch-run.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { type Cycle, withCycle } from '../../properties/endless.ts';
import { failureOf } from '../../properties/explore/trial.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import type { LoadedScenario } from '../../scenarios/load.ts';
import { type SimulateOptions, type Simulation, simulate } from '../../scenarios/simulate.ts';
import { exitCodes } from '../exit-codes.ts';
import { Observation } from '../observation.ts';
import type { Outputs } from '../output.ts';
import { keptRecording } from '../recording-file.ts';
import { RoundSteps } from '../round-steps.ts';
import { type RunReport, runText } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';
import type { Terminal } from '../terminal.ts';
import type { Counterexample } from './check-report.ts';
import type { StepTrace } from './step-trace.ts';

/** What was found, in a form in which a run can show it. */
export interface Failing {
  readonly claim: Omit<Counterexample, 'recording'>;
  readonly choices: Choices;
  /** Makes the choices follow the run, where they must. */
  readonly follow?: GuidedChoices;
  /** The last tick that matters. */
  readonly until?: number;
  /** Where it goes round for ever: the run is cut off after the first round. */
  readonly cycle?: Cycle;
  /** The way to it, and who found it: to make sure that the run comes to it. */
  readonly route?: Route;
  readonly observers?: readonly Observer[];
}

/** What an exploration found, with the way to it, in that form. */
export function failingOf({ finding, route }: ShownFinding, observers: readonly Observer[]): Failing {
  const { place: _, tape: __, ...claim } = finding;
  const follow = new GuidedChoices(route);
  const { tick: until, cycleFromTick: from } = route;
  const cycle = from === undefined ? {} : { cycle: { from, property: claim.what } };
  return { claim, choices: follow, follow, until, ...cycle, route, observers };
}

/** Carries out what was found, observed. Errors: a defect when the run does not come to it. */
export function failingRun(
  { scenario, machine }: LoadedScenario,
  { claim, choices, follow, until, route, observers = [] }: Failing,
  { observe, onEnd }: Pick<SimulateOptions, 'observe' | 'onEnd'>,
): Simulation {
  let watch: RunWatch | undefined;
  const simulation = simulate(scenario, machine, {
    choices,
    scheduled: true,
    ...(until !== undefined && {
      until: machine.asynchronous ? until : Math.min(until, scenario.until ?? until),
    }),
    observe: (run, built) => {
      follow?.follow(run);
      if (route) watch = new RunWatch(run, observers, route);
      observe?.(run, built);
    },
    ...(onEnd && { onEnd }),
  });
  confirm(claim, simulation.outcome, watch);
  return simulation;
}

/**
 * Runs what was found, records it, and tells of it as of any run. `record` is a file, false for none, absent for one beside other output.
 *
 * Errors: a defect when the run does not come to what was found; nothing is recorded then.
 */
export function showFailing(
  loaded: JudgedScenario,
  failing: Failing,
  record: string | boolean | undefined,
  outputs: Outputs,
  terminal: Terminal,
  { trace, ending = 'check' }: { readonly trace?: StepTrace; readonly ending?: string } = {},
): { readonly counterexample: Counterexample; readonly text: string } {
  const { scenario, machine, properties, refines } = loaded;
  const { claim, cycle } = failing;
  const observation = new Observation(machine, {
    exports: [],
    sketch: false,
    properties: withCycle(properties, cycle),
  });
  const round = cycle && new RoundSteps(cycle);
  const began = performance.now();
  const simulation = failingRun(loaded, failing, {
    observe: (run, built) => {
      trace?.attach(run);
      round?.attach(run);
      observation.observe(run, built);
    },
    onEnd: observation.onEnd,
  });
  trace?.end();
  // Any schedule may be what a scenario does not expect of its own.
  const verdict = { ...judgeRun(scenario, simulation, true), exitCode: exitCodes.failed };
  const recording = keptRecording(
    record,
    { scenario, simulation, verdict, ...(cycle && { cycle }), ...(refines && { refines }) },
    outputs,
    terminal,
    ending,
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
    notJudged: observation.notJudged,
    ...(observation.past && { past: observation.past }),
    files: observation.finish(),
    ...(recording !== undefined && { recording }),
    wallSeconds: (performance.now() - began) / 1000,
  };
  const also = simulation.outcome.violations.filter(({ property }) => property !== claim.what);
  return {
    counterexample: {
      ...claim,
      ...(also.length > 0 && {
        also: also.map(({ property: what, actors, why }) => ({ what, actors, why })),
      }),
      ...(recording !== undefined && { recording }),
    },
    text: `${runText(report)}${round?.text ?? ''}`,
  };
}

/** Makes sure that a run came to what was found. Errors: a defect when it did not. */
function confirm(claim: Claim, outcome: Outcome, watch: RunWatch | undefined): void {
  if (watch) {
    watch.end();
    if (!watch.comesTo(claim))
      defect(`check found ${claimText(claim)}\n  and its run comes to: ${watch.text}`);
    return;
  }
  const { verdict, what } = failureOf(outcome) ?? { verdict: 'ok', what: 'nothing' };
  if (verdict !== claim.verdict || what !== claim.what)
    defect(`check found ${claimText(claim)}\n  and its tape comes to: ${verdict} "${what}"`);
}
