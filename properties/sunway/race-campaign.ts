import { fullPrograms, type RaceFreeProgram, smallPrograms } from './race-free-programs.ts';
import { wrongIn } from './race-verdict.ts';

/** Programs with few CPEs and elements, or as they are specified. */
export type RaceEdition = 'small' | 'full';

/** Schedules that a campaign may have of each program: those of two seeds are never the same. */
export const schedulesMax = 10_000_000;

/** The programs of an edition. */
export const programsOf = (edition: RaceEdition): readonly RaceFreeProgram[] =>
  edition === 'small' ? smallPrograms : fullPrograms;

/** What is wrong with a program under the schedule of a number; nothing when undefined. `seed` decides what the schedules draw. */
export const wrongInSchedule = (
  program: RaceFreeProgram,
  schedule: number,
  seed: number,
): string | undefined => wrongIn(program, seed * schedulesMax + schedule);
