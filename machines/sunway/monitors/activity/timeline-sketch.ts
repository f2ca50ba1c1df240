import { coreNames } from '../deadlock/core-names.ts';
import type { CoreId } from '../race/race-event.ts';
import type { Activity } from './activity.ts';
import { type CoreTask, coresOf, groupsOf, tasksOf } from './core-tasks.ts';

const letters: Readonly<Record<CoreTask, string>> = {
  call: '#',
  transfer: 't',
  barrier: 'b',
  host: 'h',
  lock: 'l',
  threads: '-',
};

const labelWidth = 22;
/** Rows of a core group at most: a terminal has few lines. */
const rowsMax = 14;

/** What the cores did over time as lines of text: a column is a span of time, cores that did the same share a row. */
export function timelineSketch(activity: Activity, width: number): string {
  const groups = groupsOf(activity);
  if (groups.length === 0) return '';
  const columns = Math.max(20, Math.min(140, width - labelWidth - 3));
  return [
    `${activity.cycles} cycles; # at work, waiting: t transfer, b barrier, l lock, h host, g share group, - threads`,
    ...groups.flatMap((group) => rowsOf(activity, group, columns)),
    '',
  ].join('\n');
}

function rowsOf(activity: Activity, group: number, columns: number): readonly string[] {
  const equal = new Map<string, CoreId[]>();
  for (const core of coresOf(activity, group)) {
    const cells = new Array<string>(columns).fill(' ');
    for (const { task, from, to } of tasksOf(core, activity, columns)) cells.fill(letters[task], from, to);
    const row = cells.join('');
    equal.set(row, [...(equal.get(row) ?? []), core]);
  }
  const rows = [...equal].map(([row, cores]) => `${cut(coreNames(cores)).padEnd(labelWidth)}|${row}|`);
  return rows.length > rowsMax
    ? [...rows.slice(0, rowsMax), `and ${rows.length - rowsMax} more rows: --plot FILE.svg shows all`]
    : rows;
}

const cut = (names: string): string =>
  names.length < labelWidth ? names : `${names.slice(0, labelWidth - 4)}...`;
