import type { Activity, WaitingSpan } from '../monitors/activity/activity.ts';
import { coreNames } from '../monitors/deadlock/core-names.ts';

/** Rows of each list at most. */
const rowsMax = 20;

/** Who waited for what, where in the program, and how long: the longest first, and apart from them what never ended. */
export function waitingText({ waiting, cycles }: Activity): string {
  const open = waiting.filter((one) => one.open === true);
  const all = grouped(waiting).sort((a, b) => b.cycles - a.cycles);
  const still = grouped(open).sort((a, b) => a.since - b.since);
  return [
    `who waited for what, of ${cycles} cycles`,
    ...(all.length === 0 ? ['  nobody waited'] : []),
    ...shown(
      all.map(
        (one) => `  ${one.cycles} cycles, ${one.count} ${one.count === 1 ? 'wait' : 'waits'}: ${one.text}`,
      ),
    ),
    ...(still.length === 0
      ? []
      : [
          'still waiting at the end',
          ...shown(still.map(({ text, since }) => `  ${text}, since cycle ${since}`)),
        ]),
    '',
  ].join('\n');
}

const shown = (rows: readonly string[]): readonly string[] =>
  rows.length > rowsMax ? [...rows.slice(0, rowsMax), `  and ${rows.length - rowsMax} more`] : rows;

/** Waits of a loop differ in how far the word has to come, those of a barrier in the line of their CPEs. */
const withoutNumbers = (on: string): string =>
  on.replace(/ to reach \d+$/, '').replace(/^at (row|column) \d+ /, 'at $1s ');

/** Waits of the same place for the same thing are one row. */
function grouped(waiting: readonly WaitingSpan[]) {
  const groups = new Map<string, WaitingSpan[]>();
  for (const one of waiting) {
    const key = `${one.open ? one.on : withoutNumbers(one.on)} in ${one.call}${one.place === undefined ? '' : ` (${one.place})`}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups].map(([key, spans]) => ({
    text: `${coreNames(spans.map(({ core }) => core))} ${key}`,
    count: spans.length,
    cycles: spans.reduce((sum, { from, to }) => sum + to - from, 0),
    since: Math.min(...spans.map(({ from }) => from)),
  }));
}
