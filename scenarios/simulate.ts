import { type Choices, RecordingChoices, type Tape } from '../kernel/choices.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { roundOf } from '../kernel/round.ts';
import { Run } from '../kernel/run.ts';
import type { StateMode } from '../kernel/tables.ts';
import { type Assembly, assembled, type Given, type Machine } from '../machines/machine.ts';
import { ofMachine } from '../machines/machine-error.ts';
import { type Checkpoint, Checkpoints, checkpointsMax } from './checkpoints.ts';
import { ScenarioError, ScenarioErrors } from './errors.ts';
import { givenOf } from './given.ts';
import { LocatedDocument } from './located-document.ts';
import { didYouMean } from './nearest.ts';
import type { Scenario } from './scenario.ts';
import { type Schedule, type ScheduleProducer, scheduleProducers } from './schedule.ts';
import { type Slices, through } from './slices.ts';
import { hasStepLimit, withinStepLimit } from './step-limit.ts';

/** How a scenario is run; what is absent is as the scenario says. */
export interface SimulateOptions {
  /** Instead of the scenario's schedule. */
  readonly schedule?: Schedule;
  /** Instead of any schedule: a tape, a producer of one's own. */
  readonly choices?: Choices;
  /** Whether the machine is built for other orders than first come first served; derived from the choices when absent. */
  readonly scheduled?: boolean;
  /** Whether fast twins may stand for parts, as nobody looks inside; false when absent. */
  readonly fast?: boolean;
  /** Last tick that is carried out, instead of the scenario's. */
  readonly until?: number;
  /** A tick behind which the run is left where it stands; the limits of a run without a last tick hold until then. */
  readonly leftBehind?: number;
  readonly engine?: 'compiled' | 'xstate';
  readonly state?: StateMode;
  readonly patches?: boolean;
  readonly coverage?: boolean;
  /** How many checkpoints are kept, 0 to `checkpointsMax` (default); each costs a hash of all contexts, so 0 is fastest. */
  readonly checkpoints?: number;
  /** Attaches observers (exports, properties) before the first step; `built` is what the run was made from. */
  readonly observe?: (run: Run, built: Built) => void;
  /** Called when the run is over or left where it stands, before its outcome is read: properties tell then what never came. */
  readonly onEnd?: () => void;
  /** Called between slices of the run with the tick and the deliveries so far. */
  readonly onProgress?: (tick: number, deliveries: number) => void;
  /** Deliveries behind which the run is left where it stands, at the end of a slice. */
  readonly deliveriesMax?: number;
  /** Deliveries that one tick may have before it is a livelock, instead of those of the machine. */
  readonly deliveriesPerTickMax?: number;
  /** Asked between slices; the run is left where it stands when the answer is true. */
  readonly shouldStop?: () => boolean;
}

/** What a run is made from. */
export interface Built {
  readonly given: Given;
  readonly assembly: Assembly;
}

/** What a run came to. */
export interface Simulation<Result = unknown> {
  readonly outcome: Outcome;
  /** The machine's own figures. */
  readonly result: Result;
  /** One hash of all actors and of the messages under way. */
  readonly fingerprint: string;
  /** The picks, without trailing zeros: fed to the same scenario they give the same run. */
  readonly tape: Tape;
  /** Whether the machine was built for other orders than first come first served. */
  readonly scheduled: boolean;
  readonly checkpoints: readonly Checkpoint[];
  /** The last tick up to which it was carried out, when it did not end by itself. */
  readonly until?: number;
  /** True when `shouldStop` ended it. */
  readonly interrupted: boolean;
  readonly run: Run;
}

/**
 * Runs a scenario on its machine.
 *
 * Details: the run is carried out in slices of about 20,000 deliveries, so that a caller can show progress and interrupt it; slices change
 * nothing in the run. Errors: SCN031 when nothing produces the schedule that is asked for.
 */
export function simulate<Config, Programs, Result>(
  scenario: Scenario<Config, Programs>,
  machine: Machine<Config, Programs, Result>,
  options: SimulateOptions = {},
): Simulation<Result> {
  return through(simulateInSlices(scenario, machine, options));
}

/** As `simulate`, slice by slice. */
export function* simulateInSlices<Config, Programs, Result>(
  scenario: Scenario<Config, Programs>,
  machine: Machine<Config, Programs, Result>,
  options: SimulateOptions,
): Slices<Simulation<Result>> {
  const simulating = simulation(scenario, machine, options);
  for (;;) {
    const next = withinStepLimit(scenario.file, () => simulating.next());
    if (next.done) return next.value;
    yield;
  }
}

/**
 * As `simulate`, but waits for `turn` between slices, so that the process can meanwhile hear of signals.
 *
 * Errors: as `simulate`.
 */
export async function simulateInTurns<Config, Programs, Result>(
  scenario: Scenario<Config, Programs>,
  machine: Machine<Config, Programs, Result>,
  options: SimulateOptions,
  turn: () => Promise<void>,
): Promise<Simulation<Result>> {
  const simulating = simulateInSlices(scenario, machine, options);
  for (;;) {
    const next = simulating.next();
    if (next.done) return next.value;
    await turn();
  }
}

/** Simulates slice by slice: yields after each. */
function* simulation<Config, Programs, Result>(
  scenario: Scenario<Config, Programs>,
  machine: Machine<Config, Programs, Result>,
  options: SimulateOptions,
): Generator<undefined, Simulation<Result>> {
  const { run, assembly, choices, scheduled } = buildRun(scenario, machine, options);
  const checkpoints = new Checkpoints(run, options.checkpoints ?? checkpointsMax);
  const last = options.until ?? scenario.until;
  const { reached, interrupted } = yield* inSlices(run, last, options);
  options.onEnd?.();
  return {
    outcome: run.outcome,
    result: ofMachine(machine.name, 'result', () => assembly.result(run)),
    fingerprint: run.fingerprint,
    tape: choices.tape,
    scheduled,
    checkpoints: checkpoints.kept,
    ...(!run.ended && { until: reached }),
    interrupted,
    run,
  };
}

/** A run that has not begun, with what reads it. */
export interface BuiltRun<Result> {
  readonly run: Run;
  readonly assembly: Assembly<Result>;
  readonly choices: RecordingChoices;
  readonly scheduled: boolean;
}

/** Builds the machine of a scenario and its run, observers attached. Errors: as `simulate`. */
export function buildRun<Config, Programs, Result>(
  scenario: Scenario<Config, Programs>,
  machine: Machine<Config, Programs, Result>,
  options: SimulateOptions,
): BuiltRun<Result> {
  const source = options.choices ?? choicesOf(scenario, options.schedule ?? scenario.schedule);
  const choices = new RecordingChoices(source);
  const scheduled = options.scheduled ?? !choices.canonical;
  const given = givenOf(scenario, scheduled, options.fast);
  const assembly = assembled(machine, given);
  const { deliveriesPerTickMax = assembly.deliveriesPerTickMax } = options;
  const run = new Run(assembly.wiring, {
    choices,
    ...(deliveriesPerTickMax !== undefined && { deliveriesPerTickMax }),
    // Who says how far it is to go means it.
    ...((options.until ?? scenario.until) !== undefined && { stepsMax: Number.MAX_SAFE_INTEGER }),
    ...(options.engine !== undefined && { engine: options.engine }),
    ...(options.state !== undefined && { state: options.state }),
    ...(options.patches !== undefined && { patches: options.patches }),
    ...(options.coverage !== undefined && { coverage: options.coverage }),
    ...(given.faults && { faults: given.faults }),
  });
  ofMachine(machine.name, 'attach', () => assembly.attach?.(run));
  options.observe?.(run, { given, assembly });
  return { run, assembly, choices, scheduled };
}

/** Deliveries after which a run without a last tick is looked at for a round, and again when it has twice as many. */
const firstLookDeliveries = 2 ** 15;

const sliceDeliveries = 20_000;
/** Deliveries of the first slice; each has twice as many as the one before: many runs are to be left soon. */
const firstSliceDeliveries = 128;
/** The same where a limit of deliveries or of the time of a step is to be noticed soon. */
const limitedSliceDeliveries = 4000;

/** Carries a run out up to a tick in slices. Their lengths follow the run, not the clock of the computer. */
function* inSlices(
  run: Run,
  last: number | undefined,
  {
    onProgress,
    shouldStop,
    deliveriesMax = Number.MAX_SAFE_INTEGER,
    leftBehind = Number.MAX_SAFE_INTEGER,
  }: SimulateOptions,
): Generator<undefined, { readonly reached: number; readonly interrupted: boolean }> {
  const isLimited = deliveriesMax < Number.MAX_SAFE_INTEGER || hasStepLimit();
  const sliceMax = isLimited ? limitedSliceDeliveries : sliceDeliveries;
  let reached = -1;
  let slice = firstSliceDeliveries;
  const limit = Math.min(last ?? Number.MAX_SAFE_INTEGER, leftBehind);
  const mayGoRound = last === undefined && !run.asynchronous;
  let look = firstLookDeliveries;
  for (let all = 0; all <= deliveriesMax; slice = Math.min(sliceMax, 2 * slice)) {
    if (shouldStop?.()) return { reached, interrupted: true };
    const most = mayGoRound ? Math.min(slice, look - all) : slice;
    run.until(limit, most);
    if (mayGoRound && !run.ended && run.outcome.deliveries >= look) {
      look = 2 * run.outcome.deliveries;
      const round = roundOf(run);
      if (round) run.cutOff(round);
    }
    const { deliveries, ticks } = run.outcome;
    onProgress?.(run.now, deliveries);
    if (run.ended || deliveries - all < most) return { reached: limit, interrupted: false };
    all = deliveries;
    reached = ticks - 1;
    yield;
  }
  return { reached, interrupted: false };
}

/** The choices of a schedule. Errors: SCN031, at the place where the scenario asks for it. */
export function choicesOf(
  scenario: Pick<Scenario, 'file' | 'text'>,
  schedule: Schedule,
  producers: Readonly<Partial<Record<Schedule['kind'], ScheduleProducer>>> = scheduleProducers,
): Choices {
  const { kind, seed } = schedule;
  const producer = producers[kind];
  if (producer) return producer(seed, schedule);
  const known = Object.keys(producers);
  const at = new LocatedDocument(scenario.text, scenario.file).at(['schedule']);
  const what = `schedule: found "${kind}", which nothing produces, expected one of ${known.join(', ')}`;
  throw new ScenarioErrors([new ScenarioError('SCN031', at, what, didYouMean(kind, known, 'schedules'))]);
}
