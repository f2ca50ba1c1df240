import { type RaceReport, raceText } from '../../machines/sunway/monitors/race/race-report.ts';
import type { RaceFreeProgram } from './race-free-programs.ts';
import { type JudgedRun, judgedRun } from './race-runs.ts';

/** What is wrong with a program that is right, in a schedule: a run that does not come to its end, or a report by either policy; undefined when nothing is. */
export function wrongIn(program: RaceFreeProgram, seed?: number): string | undefined {
  const how = seed === undefined ? {} : { seed };
  if (complaint(program, judgedRun(program, how)) === undefined) return undefined;
  // Once more, to say where it is written.
  return complaint(program, judgedRun(program, { ...how, places: true }));
}

function complaint({ habits }: RaceFreeProgram, { verdict, lenient, strict }: JudgedRun): string | undefined {
  if (verdict !== 'ok') return `the run ends as ${verdict}`;
  const [first] = lenient.errors;
  if (first) return `lenient: ${raceText(first)}`;
  const unexpected = strict.errors.find((report) => !isHabit(report, habits));
  return unexpected && `strict: ${raceText(unexpected)}`;
}

const isHabit = ({ kind, first }: RaceReport, habits: readonly string[]): boolean =>
  kind === 'UnwaitedRemoteArrival' && habits.includes(first.name);
