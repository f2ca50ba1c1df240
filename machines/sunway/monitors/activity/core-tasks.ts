import { type CoreId, coresPerGroup, groupOf } from '../race/race-event.ts';
import type { Activity, WaitingFor, WaitingSpan } from './activity.ts';

/** What a core does: it is in a call, or waits for something. */
export type CoreTask = 'call' | WaitingFor;

/** A core does one thing from one column to another, the last one excluded. */
export interface Piece {
  readonly task: CoreTask;
  readonly from: number;
  readonly to: number;
  /** The longest of the waits that it stands for. */
  readonly wait: WaitingSpan | undefined;
}

/** The cores of a core group that did anything, its host first. */
export function coresOf({ calls, waiting }: Activity, group: number): readonly CoreId[] {
  const found = new Set([...calls, ...waiting].map(({ core }) => core));
  const host = (core: CoreId): number => (core % coresPerGroup === coresPerGroup - 1 ? 0 : 1);
  return [...found].filter((core) => groupOf(core) === group).sort((a, b) => host(a) - host(b) || a - b);
}

/** The core groups of a run, ascending. */
export const groupsOf = ({ calls, waiting }: Activity): readonly number[] =>
  [...new Set([...calls, ...waiting].map(({ core }) => groupOf(core)))].sort((a, b) => a - b);

/** A run cut into columns of equal length: what a core does most in each, as pieces of equal ones; nothing where it does not run. */
export function tasksOf(core: CoreId, activity: Activity, columns: number): readonly Piece[] {
  const cycles = Math.max(1, activity.cycles);
  const times = new Map<CoreTask, { readonly sums: Float64Array; readonly waits: WaitingSpan[] }>();
  const add = (task: CoreTask, from: number, to: number, sign: number, wait?: WaitingSpan): void => {
    const { sums, waits } = times.get(task) ?? { sums: new Float64Array(columns), waits: [] };
    times.set(task, { sums, waits });
    const [first, last] = [(from / cycles) * columns, (to / cycles) * columns];
    for (let column = Math.floor(first); column < last && column < columns; column++) {
      sums[column]! += sign * (Math.min(last, column + 1) - Math.max(first, column));
      if (wait && lengthOf(wait) > lengthOf(waits[column])) waits[column] = wait;
    }
  };
  for (const one of activity.calls) if (one.core === core) add('call', one.from, one.to, 1);
  for (const one of activity.waiting) {
    if (one.core !== core) continue;
    add(one.waitsFor, one.from, one.to, 1, one);
    // A wait is part of a call.
    add('call', one.from, one.to, -1);
  }
  const pieces: Piece[] = [];
  for (let column = 0; column < columns; column++) {
    let [task, longest]: [CoreTask | undefined, number] = [undefined, 1e-9];
    for (const [one, { sums }] of times) if (sums[column]! > longest) [task, longest] = [one, sums[column]!];
    if (task === undefined) continue;
    const wait = times.get(task)!.waits[column];
    const last = pieces.at(-1);
    if (last?.task === task && last.to === column)
      pieces[pieces.length - 1] = {
        ...last,
        to: column + 1,
        wait: lengthOf(wait) > lengthOf(last.wait) ? wait : last.wait,
      };
    else pieces.push({ task, from: column, to: column + 1, wait });
  }
  return pieces;
}

const lengthOf = (wait: WaitingSpan | undefined): number => (wait ? wait.to - wait.from : -1);
