import { type Tape, TapeChoices } from '../kernel/choices.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { loadRecording } from '../scenarios/recording.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Schedule, scheduleKinds } from '../scenarios/schedule.ts';
import type { SimulateOptions } from '../scenarios/simulate.ts';
import { readInput } from './read-input.ts';
import { readJson } from './read-json.ts';
import { UsageError } from './usage-error.ts';

/** What the command line says about the order of deliveries. */
export interface ScheduleOptions {
  readonly schedule?: string;
  readonly seed?: number;
  readonly tape?: string;
  /** Of `pct`. */
  readonly depth?: number;
  /** Of `delay`. */
  readonly delays?: number;
}

/** What orders the deliveries of a run, for `simulate` and in words. */
export interface ScheduleGiven {
  readonly options: Pick<SimulateOptions, 'schedule' | 'choices' | 'scheduled'>;
  readonly text: string;
}

/** The schedule of a run: of the command line where it says something, else of the scenario. Errors: `UsageError`. */
export function scheduleGiven(scenario: Scenario, options: ScheduleOptions): ScheduleGiven {
  const { schedule, seed, tape, depth, delays } = options;
  if (tape !== undefined) {
    if (schedule !== undefined || seed !== undefined)
      throw new UsageError(
        'found --tape with --schedule or --seed, expected one way',
        'a tape is all picks already',
      );
    return tapeGiven(tape);
  }
  const kind = schedule === undefined ? scenario.schedule.kind : kindOf(schedule);
  if (kind === 'fifo' && seed !== undefined)
    throw new UsageError('--seed has no effect on the schedule fifo', 'add --schedule random');
  refuseForeign('--depth', depth, kind, 'pct');
  refuseForeign('--delays', delays, kind, 'delay');
  const own = schedule === undefined ? scenario.schedule : { seed: 0 };
  const given: Schedule = {
    ...own,
    kind,
    seed: seed ?? own.seed,
    ...(depth !== undefined && { depth }),
    ...(delays !== undefined && { delays }),
  };
  const text = kind === 'fifo' ? 'fifo' : `${kind}, seed ${given.seed}`;
  return { options: { schedule: given }, text };
}

function refuseForeign(option: string, value: number | undefined, kind: string, owner: string): void {
  if (value === undefined || kind === owner) return;
  throw new UsageError(`${option} has no effect on the schedule ${kind}`, `add --schedule ${owner}`);
}

function kindOf(text: string): Schedule['kind'] {
  const kind = scheduleKinds.find((one) => one === text);
  if (kind === undefined)
    throw new UsageError(`unknown schedule "${text}"`, didYouMean(text, scheduleKinds, 'schedules'));
  return kind;
}

function tapeGiven(file: string): ScheduleGiven {
  const text = readInput(file);
  const data = readJson(text, file, 'give a JSON list of picks, or a recording');
  if (isTape(data)) return { options: { choices: new TapeChoices(data) }, text: `tape ${file}` };
  // What is no list must be a recording; its own reader says what is wrong with it.
  if (!Array.isArray(data)) {
    const { tape, scheduled } = loadRecording(file);
    return { options: { choices: new TapeChoices(tape), scheduled }, text: `tape of ${file}` };
  }
  throw new UsageError(`${file}: found a list that is no tape`, 'a tape is a list of whole numbers from 0');
}

const isTape = (data: unknown): data is Tape =>
  Array.isArray(data) && data.every((pick) => Number.isSafeInteger(pick) && pick >= 0);
