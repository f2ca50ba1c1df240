/** When chiplets meet (chiplet specification 10): cycles of their own counters. */
export interface MeetingPlan {
  /** S: the first meeting, at least 1. */
  readonly first: number;
  /** I after the first, second, ... meeting, the last one for all further ones; at least one, each at least 1. */
  readonly intervals: readonly number[];
}

/** The interval after a meeting, by its number from 0. */
export const intervalAfter = ({ intervals }: Pick<MeetingPlan, 'intervals'>, generation: number): number =>
  intervals[Math.min(generation, intervals.length - 1)]!;

/** The first meeting after a chiplet has counted so many cycles. */
export function meetingAfter({ first, intervals }: MeetingPlan, cycles: number): number {
  let meeting = first;
  for (let generation = 0; generation < intervals.length - 1 && meeting <= cycles; generation++)
    meeting += intervals[generation]!;
  if (meeting > cycles) return meeting;
  const last = intervals.at(-1)!;
  return meeting + last * (Math.floor((cycles - meeting) / last) + 1);
}
