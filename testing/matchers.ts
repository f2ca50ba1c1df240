import { onlyKeys } from '../kernel/known-keys.ts';
import { isMachine, type KnownMachine } from '../machines/machine.ts';
import { comesToRest } from '../properties/rest.ts';
import { describeFound } from '../scenarios/found.ts';
import { type EveryScheduleOptions, everyScheduleAt } from './every-schedule.ts';
import { ScheduleFailure } from './failure.ts';
import { runKeys } from './given.ts';
import { placeOf } from './place.ts';
import { replays } from './replays.ts';
import { type SchedulesOptions, schedulesAt } from './schedules.ts';

/** What a test runner tells its matchers. */
export interface MatcherState {
  readonly isNot?: boolean;
  readonly testPath?: string | undefined;
}

/** What a matcher answers. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How `toHold` tries schedules: all of them, or so many random ones when there are `runs`. */
export type HoldOptions = EveryScheduleOptions | (SchedulesOptions & { readonly runs: number });

/** Whether runs count that are not fair. */
export interface RestOptions extends Omit<EveryScheduleOptions, 'properties'> {
  /** True: leave out runs in which a channel that can always step is never served; default false. */
  readonly fair?: boolean;
}

const restKeys = [
  ...runKeys.filter((key) => key !== 'properties'),
  'states',
  'statesMax',
  'symmetry',
  'fair',
];

/** Matchers for `expect.extend`, of vitest and of whoever has the same. They are asynchronous: await them. */
export const matchers = {
  /** Its properties hold in every schedule, or in so many random ones. */
  toHold(this: MatcherState, machine: unknown, options: HoldOptions = {}): Promise<Matched> {
    const given = { ...options, ...(this.isNot && { record: false }) };
    const place = placeOf(this.testPath ?? '.');
    return matched(
      () =>
        'runs' in given
          ? schedulesAt(place, machineOf(machine), given)
          : everyScheduleAt(place, machineOf(machine), given),
      'its properties hold, expected a schedule under which they do not',
    );
  },

  /** Every schedule comes to its rest, and nobody waits then. */
  toReachRest(
    this: MatcherState,
    machine: unknown,
    { fair, ...options }: RestOptions = {},
  ): Promise<Matched> {
    onlyKeys('toReachRest', options, restKeys);
    const given = { ...options, properties: [comesToRest(fair)], ...(this.isNot && { record: false }) };
    return matched(
      () => everyScheduleAt(placeOf(this.testPath ?? '.'), machineOf(machine), given),
      'every run comes to rest, expected one that does not',
    );
  },

  /** It repeats a recorded run. */
  async toReplay(this: MatcherState, machine: unknown, recording: string): Promise<Matched> {
    const known = machineOf(machine);
    try {
      await replays(known, recording);
      return { pass: true, message: () => `${recording}: the run is the same, expected another one` };
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'ScenarioErrors') throw error;
      return { pass: false, message: () => error.message };
    }
  },
};

async function matched(test: () => Promise<unknown>, otherwise: string): Promise<Matched> {
  try {
    await test();
    return { pass: true, message: () => otherwise };
  } catch (error) {
    // What is not judged to its end neither holds nor fails.
    if (!(error instanceof ScheduleFailure)) throw error;
    return { pass: false, message: () => error.message };
  }
}

function machineOf(value: unknown): KnownMachine {
  if (isMachine(value)) return value;
  throw new Error(`found ${describeFound(value)}, expected what defineMachine gives`);
}
