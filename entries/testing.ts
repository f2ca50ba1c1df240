/** `lockstep/testing`: machines in the tests of a project, for any test runner. */
export { type ContractCheck, type ContractSubject, contractOf } from '../kernel/contract.ts';
export {
  type EverySchedule,
  type EveryScheduleOptions,
  everySchedule,
} from '../testing/every-schedule.ts';
export { ScheduleFailure } from '../testing/failure.ts';
export type { TestedRun } from '../testing/given.ts';
export {
  type HoldOptions,
  type Matched,
  type MatcherState,
  matchers,
  type RestOptions,
} from '../testing/matchers.ts';
export { type Replayed, replays } from '../testing/replays.ts';
export { type Schedules, type SchedulesOptions, schedules } from '../testing/schedules.ts';
