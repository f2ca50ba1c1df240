import { TapeChoices } from '../kernel/choices.ts';
import type { Run } from '../kernel/run.ts';
import type { KnownMachine } from '../machines/machine.ts';
import { ScenarioError, ScenarioErrors } from './errors.ts';
import { FollowedTape, type Misfit } from './followed-tape.ts';
import { type LoadedScenario, parseScenario, type ReadScenario } from './load.ts';
import type { Recording } from './recording.ts';
import { buildRun, type SimulateOptions, type Simulation, simulate, simulateInTurns } from './simulate.ts';
import { type Deviation, Verifier } from './verifier.ts';

/** Reads the scenario that a recording holds. Errors: `ScenarioErrors`, whose places are in that text and name `file`, in which it is recorded. */
export async function recordedScenario(
  { scenario: { text, file: named } }: Recording,
  file: string,
  machines: readonly KnownMachine[],
): Promise<ReadScenario> {
  try {
    return await parseScenario(text, named, machines);
  } catch (error) {
    if (!(error instanceof ScenarioErrors)) throw error;
    const inside = `${file}, in its text of ${named}`;
    throw new ScenarioErrors(
      error.errors.map(
        ({ code, at, what, help }) => new ScenarioError(code, { ...at, file: inside }, what, help),
      ),
    );
  }
}

/** How a recording is replayed. */
export interface ReplayOptions
  extends Pick<
    SimulateOptions,
    'engine' | 'state' | 'coverage' | 'patches' | 'observe' | 'onEnd' | 'onProgress' | 'shouldStop'
  > {
  /** Last tick that is carried out; as far as the recorded run went when absent. */
  readonly to?: number;
  /** Waited for between slices, as in `simulateInTurns`. */
  readonly turn?: () => Promise<void>;
}

/** In what a replay is not the recorded run. */
export interface ReplayDifference extends Deviation {
  /** The first pick of the tape that did not fit, when there is one: the runs differ at that tick at the latest. */
  readonly misfit?: Misfit;
  /** The exact tick, and the actors, when replaying again could find them. */
  readonly exact?: { readonly tick: number; readonly actors: readonly string[] };
  /** All of it for people, with what is known about the cause and why it is not known more exactly. */
  readonly text: string;
}

/** A recorded run, carried out again. */
export interface Replay extends LoadedScenario {
  readonly simulation: Simulation;
  /** Checkpoints found equal. */
  readonly checkpointsEqual: number;
  /** True when the end was compared as well, false when the replay stopped before it. */
  readonly toEnd: boolean;
  /** Absent when everything that was compared is equal. */
  readonly difference?: ReplayDifference;
}

/**
 * Carries out a recorded run again and verifies it against the recording.
 *
 * Gotchas: violations that properties reported are part of the recorded end, so attach the same properties with `observe`.
 * Errors: throws `ScenarioErrors` when the recorded scenario cannot be read any more.
 */
export async function replay(
  recording: Recording,
  machines: readonly KnownMachine[],
  options: ReplayOptions = {},
): Promise<Replay> {
  const { scenario: given } = recording;
  const loaded = await parseScenario(given.text, given.file, machines);
  const { scenario, machine } = loaded;
  const { to = Number.MAX_SAFE_INTEGER, turn, ...passed } = options;
  const recordedUntil = recording.until ?? Number.MAX_SAFE_INTEGER;
  const { end } = recording;

  let run: Run | undefined;
  let verifier: Verifier | undefined;
  const tape = new FollowedTape(recording.tape, () => run?.now ?? 0);
  const how: SimulateOptions = {
    ...passed,
    choices: tape,
    scheduled: recording.scheduled,
    // One tick and one slice behind the recorded end at most: what goes on there is another run, however long.
    ...(recording.until !== undefined && { until: recording.until }),
    leftBehind: Math.min(to, recording.until ?? end.ticks),
    deliveriesMax: end.deliveries,
    checkpoints: 0,
    observe: (made, built) => {
      run = made;
      verifier = new Verifier(recording, made);
      options.observe?.(made, built);
    },
  };
  const simulation = turn
    ? await simulateInTurns(scenario, machine, how, turn)
    : simulate(scenario, machine, how);
  const { interrupted, until = -1, outcome } = simulation;
  const isBehind = until >= (recording.until ?? end.ticks - 1) + 1 || outcome.deliveries > end.deliveries;
  const goesOn = !interrupted && !simulation.run.ended && isBehind;
  const toEnd = !interrupted && !goesOn && (simulation.run.ended || to >= recordedUntil);
  if (toEnd) verifier?.compareEnds();
  if (goesOn) verifier?.goesOn();

  const deviation = verifier?.deviation ?? deviationOfTape(tape, toEnd, simulation);
  return {
    ...loaded,
    simulation,
    checkpointsEqual: verifier?.checked ?? 0,
    toEnd,
    ...(deviation && {
      difference: explained(deviation, tape.misfit, recording, loaded, options, outcome.ticks - 1),
    }),
  };
}

/** A tape that does not fit is a difference even when every state is equal. */
function deviationOfTape(tape: FollowedTape, toEnd: boolean, { outcome }: Simulation): Deviation | undefined {
  const { misfit } = tape;
  if (misfit) return { after: misfit.tick - 1, tick: misfit.tick, actors: [], what: 'the tape does not fit' };
  if (!toEnd || tape.left === 0) return undefined;
  const tick = outcome.ticks - 1;
  return { after: tick - 1, tick, actors: [], what: `${tape.left} picks of the tape were not asked for` };
}

function explained(
  deviation: Deviation,
  misfit: Misfit | undefined,
  recording: Recording,
  loaded: LoadedScenario,
  options: ReplayOptions,
  reached: number,
): ReplayDifference {
  if (deviation.judgedOnly && !misfit) {
    const text = `all that happens is as recorded, and what is found in it is not: ${deviation.what}\nso the properties, what actors report or the recording changed`;
    return { ...deviation, text };
  }
  const exact = differenceOfTwins(deviation, recording, loaded, options, reached);
  const { after, tick, what } = deviation;
  const where =
    after < 0
      ? `by the end of tick ${tick}`
      : `after the end of tick ${after} and by the end of tick ${tick}`;
  const why = exact
    ? `two replays differ from each other, first in tick ${exact.tick} (${exact.actors.join(', ') || 'messages under way'}): the machine depends on something besides scenario and tape`
    : 'a second replay gave the same, so the machine, the programs or the recording changed; the tick is not known more exactly, since a recording keeps the states of its checkpoints only';
  const pick = misfit
    ? [
        `pick ${misfit.position} of the tape is ${misfit.pick}, but "${misfit.what}" in tick ${misfit.tick} had ${misfit.count} answers`,
      ]
    : [];
  const text = [`the replay leaves the recorded run ${where}: ${what}`, ...pick, why].join('\n');
  return { ...deviation, ...(misfit && { misfit }), ...(exact && { exact }), text };
}

/** Places of a run in which two replays are compared at a time. */
const comparisons = 32;

/**
 * The first tick in which two more replays differ from each other: then the cause is the machine itself, and its tick is known.
 *
 * Details: the two are compared in some places between the last equal and the first different checkpoint, then two others between two of these
 * places, and so on: to compare all actors in every tick takes much longer than to run. `reached` is the last tick that the replay came to.
 */
function differenceOfTwins(
  { after, tick }: Deviation,
  recording: Recording,
  { scenario, machine }: LoadedScenario,
  { engine, state }: ReplayOptions,
  reached: number,
): ReplayDifference['exact'] {
  const twin = () =>
    buildRun(scenario, machine, {
      choices: new TapeChoices(recording.tape),
      scheduled: recording.scheduled,
      ...(engine !== undefined && { engine }),
      ...(state !== undefined && { state }),
    }).run;
  let found: ReplayDifference['exact'];
  for (let [low, high] = [after, Math.min(tick, reached)]; low < high; ) {
    const step = Math.max(1, Math.ceil((high - low) / comparisons));
    const place = firstDifference(twin(), twin(), low, high, step);
    if (!place) break;
    found = place;
    if (step === 1) break;
    [low, high] = [place.tick - step, place.tick];
  }
  return found;
}

function firstDifference(
  one: Run,
  other: Run,
  low: number,
  high: number,
  step: number,
): ReplayDifference['exact'] {
  for (let tick = low; tick < high; ) {
    tick = Math.min(high, tick + step);
    const [ended, otherEnded] = [one.until(tick), other.until(tick)];
    const actors = differingNames(one.fingerprints, other.fingerprints);
    if (actors.length > 0 || one.fingerprint !== other.fingerprint || ended.ticks !== otherEnded.ticks)
      return { tick, actors };
  }
  return undefined;
}

function differingNames(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]);
}
