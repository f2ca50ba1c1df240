import { join } from 'node:path';
import type { Tape } from '../kernel/choices.ts';
import type { Claim } from '../kernel/explore/claim.ts';
import { type Cycle, withCycle } from '../properties/endless.ts';
import { explainFailure } from '../properties/explore/explain.ts';
import { explainedRun } from '../properties/explore/explained-run.ts';
import { explanationPage } from '../properties/explore/explanation-page.ts';
import { watchedRun } from '../properties/watched-run.ts';
import { recordingOf, saveRecording } from '../scenarios/recording.ts';
import { recordingName, type Tested } from './given.ts';
import { recordingsFolder, type TestPlace } from './place.ts';

/** A machine is not as it should be under some schedule. The message is the page that explains it. */
export class ScheduleFailure extends Error {
  override readonly name = 'ScheduleFailure';
  constructor(
    message: string,
    /** What was found. */
    readonly found: Claim,
    /** The picks of the run that shows it; absent when no run shows something that some run should. */
    readonly tape?: Tape,
    /** The recording that was written. */
    readonly recording?: string,
  ) {
    super(message);
  }
}

/** A run that fails. */
export interface FailingRun {
  readonly tape: Tape;
  /** Last tick that was carried out. */
  readonly until?: number;
  /** Where it goes round for ever. */
  readonly cycle?: Cycle;
}

/** Where the run is recorded, and what else is told about it. */
export interface FailurePlace extends TestPlace {
  /** False: it is not recorded. */
  readonly record: boolean;
  /** How it was looked for: two tests that look in other ways do not overwrite what each has found. */
  readonly askedBy: string;
  /** Lines that follow the page. */
  readonly notes?: readonly string[];
}

/** Seconds that an explanation may take. */
const secondsMax = 30;
/** Columns of a page. */
const width = 100;

/** Records a run that fails, as commands judge it, and explains it as the test does. */
export function scheduleFailure(
  { judged, own }: Tested,
  found: Claim,
  { tape, until, cycle }: FailingRun,
  place: FailurePlace,
): ScheduleFailure {
  const how = { scheduled: true, ...(until !== undefined && { until }) };
  const { scenario, machine } = judged;
  const file = place.record
    ? join(recordingsFolder(place), recordingName(judged, found.what, place.askedBy))
    : undefined;
  let command = '';
  const simulation =
    file === undefined && found.verdict !== 'livelock'
      ? undefined
      : watchedRun({ ...own, properties: withCycle(own.properties, cycle) }, tape, how);
  if (file !== undefined && simulation) {
    saveRecording(file, recordingOf(scenario, simulation, cycle));
    // A sentence that only the test knows is no failure to the command.
    command = `npx lockstep ${simulation.outcome.verdict === 'ok' ? 'replay' : 'explain'} ${file}`;
  }
  const end = performance.now() + 1000 * secondsMax;
  const explained = explainedRun(
    { ...judged, properties: withCycle(judged.properties, cycle) },
    tape,
    how,
    simulation?.outcome.livelock?.tick,
  );
  const explanation = explainFailure(explained.trials, explained.tape, {
    ...how,
    shouldStop: () => performance.now() > end,
  });
  const about = `${scenario.name} (${machine.name})`;
  const replay =
    file === undefined ? 'npx lockstep replay, once it is recorded' : `npx lockstep replay ${file}`;
  const page = explanation
    ? explanationPage(explanation, { about, replay, width })
    : `${found.verdict}: ${found.what}\n  ${found.why}\n  ${about}\n`;
  const lines = [
    ...(file === undefined
      ? []
      : [`recorded in ${file}; open it: ${command}`, `watch it in a browser: npx lockstep view ${file}`]),
    ...(place.notes ?? []),
  ];
  return new ScheduleFailure([page.trimEnd(), ...lines].join('\n'), found, tape, file);
}
