import { readFileSync } from 'node:fs';
import { type Tape, TapeChoices } from '../kernel/choices.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { loadRecording } from '../scenarios/recording.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Schedule, scheduleKinds, scheduleProducers } from '../scenarios/schedule.ts';
import type { SimulateOptions } from '../scenarios/simulate.ts';
import { UsageError } from './usage-error.ts';

/** What the command line says about the order of deliveries. */
export interface ScheduleOptions {
  readonly schedule?: string;
  readonly seed?: number;
  readonly tape?: string;
}

/** What orders the deliveries of a run, for `simulate` and in words. */
export interface ScheduleGiven {
  readonly options: Pick<SimulateOptions, 'schedule' | 'choices' | 'scheduled'>;
  readonly text: string;
}

/** The schedule of a run: of the command line where it says something, else of the scenario. Errors: `UsageError`. */
export function scheduleGiven(scenario: Scenario, { schedule, seed, tape }: ScheduleOptions): ScheduleGiven {
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
  const given: Schedule = { kind, seed: seed ?? (schedule === undefined ? scenario.schedule.seed : 0) };
  const text = kind === 'fifo' ? 'fifo' : `${kind}, seed ${given.seed}`;
  return { options: { schedule: given }, text };
}

function kindOf(text: string): Schedule['kind'] {
  const available = Object.keys(scheduleProducers);
  const kind = scheduleKinds.find((one) => one === text);
  if (kind !== undefined && available.includes(kind)) return kind;
  if (kind !== undefined)
    throw new UsageError(
      `the schedule "${kind}" is not available in this version; available: ${available.join(', ')}`,
      'use one of these',
    );
  throw new UsageError(`unknown schedule "${text}"`, didYouMean(text, available, 'schedules'));
}

function tapeGiven(file: string): ScheduleGiven {
  const data = readJson(file);
  if (isTape(data)) return { options: { choices: new TapeChoices(data) }, text: `tape ${file}` };
  // What is no list must be a recording; its own reader says what is wrong with it.
  if (!Array.isArray(data)) {
    const { tape, scheduled } = loadRecording(file);
    return { options: { choices: new TapeChoices(tape), scheduled }, text: `tape of ${file}` };
  }
  throw new UsageError(`${file}: found a list that is no tape`, 'a tape is a list of whole numbers from 0');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--tape ${file}: ${why}`, 'give a JSON list of picks, or a recording');
  }
}

const isTape = (data: unknown): data is Tape =>
  Array.isArray(data) && data.every((pick) => Number.isSafeInteger(pick) && pick >= 0);
