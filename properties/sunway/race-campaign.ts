import { fullPrograms, type RaceFreeProgram, smallPrograms } from './race-free-programs.ts';
import { wrongIn } from './race-verdict.ts';

/** What a campaign runs, as plain data: programs that are right, each under schedules at random. */
export interface RaceOrder {
  /** Programs by name. */
  readonly programs: readonly string[];
  /** Few CPEs and elements, or as specified. */
  readonly edition: 'small' | 'full';
  /** Schedules of each program. */
  readonly schedules: number;
  /** Decides what the schedules draw. */
  readonly seed: number;
}

/** Some schedules of one program, one behind the other. */
export interface RaceBatch {
  readonly program: string;
  readonly first: number;
  readonly count: number;
}

/** How far a program has come. */
export interface RaceRow {
  readonly program: string;
  /** Schedules in which nothing was wrong, from number 0 on. */
  readonly schedules: number;
  /** What is wrong in the schedule behind them. */
  readonly found?: string;
}

/** Schedules of a batch: few enough to hear of an interruption soon. */
const batchSchedules = 10;

/** Schedules that a campaign may have of each program. */
export const schedulesMax = 10_000_000;

/** The programs of an edition. */
export const programsOf = (edition: RaceOrder['edition']): readonly RaceFreeProgram[] =>
  edition === 'small' ? smallPrograms : fullPrograms;

/** The batches of a campaign, of all programs in turn, so that one that is stopped has looked at each; `done` says where a program goes on. */
export function* raceBatches(
  { programs, schedules }: RaceOrder,
  done: (program: string) => number,
): Generator<RaceBatch> {
  const from = new Map(programs.map((program) => [program, done(program)]));
  for (let left = true; left; ) {
    left = false;
    for (const program of programs) {
      const first = from.get(program)!;
      const count = Math.min(batchSchedules, schedules - first);
      if (count <= 0) continue;
      from.set(program, first + count);
      left = true;
      yield { program, first, count };
    }
  }
}

/** Runs schedules of a program until something is wrong in one. */
export function raceRow(
  program: RaceFreeProgram,
  { first, count }: Pick<RaceBatch, 'first' | 'count'>,
  seed: number,
): RaceRow {
  const { name } = program;
  for (let schedule = first; schedule < first + count; schedule++) {
    const found = wrongIn(program, seed * schedulesMax + schedule);
    if (found !== undefined) return { program: name, schedules: schedule, found };
  }
  return { program: name, schedules: first + count };
}

/** Runs a batch of an order. */
export function runRaceBatch({ edition, seed }: RaceOrder, batch: RaceBatch): RaceRow {
  const program = programsOf(edition).find(({ name }) => name === batch.program)!;
  return raceRow(program, batch, seed);
}
