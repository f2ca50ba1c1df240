import { element, svgNumber, textElement } from '../svg.ts';
import type { CellLogHeader } from './log-events.ts';
import { HEIGHTS, type SpaceTimeLayout } from './space-time-layout.ts';
import { figuresLine } from './transfer-words.ts';
import type { LoggedRun } from './transfers-of-log.ts';

/** Draws name, figures and notes of the run at the top. */
export function titleMarks(header: CellLogHeader, run: LoggedRun, layout: SpaceTimeLayout): string {
  const notes = layout.notes.map((note, index) =>
    textElement({ class: 'note', x: 12, y: HEIGHTS.title + 6 + index * HEIGHTS.note }, note),
  );
  return (
    textElement({ class: 'name', x: 12, y: 26 }, header.name) +
    textElement({ class: 'figures', x: 12, y: 44 }, figuresLine(header, run)) +
    notes.join('')
  );
}

/** Draws how busy the rings were in the whole run, with the shown window marked. */
export function overviewMarks(header: CellLogHeader, run: LoggedRun, layout: SpaceTimeLayout): string {
  const { scale, overviewTop: top } = layout;
  const width = scale.right - scale.left;
  const height = HEIGHTS.overview - 12;
  const shares = busyShares(header, run, Math.max(1, Math.min(run.cycles, Math.floor(width / 2))));
  const step = width / shares.length;
  let path = `M${svgNumber(scale.left)} ${svgNumber(top + height)}`;
  for (const [index, share] of shares.entries()) {
    path += `V${svgNumber(top + height * (1 - share))}H${svgNumber(scale.left + (index + 1) * step)}`;
  }
  path += `V${svgNumber(top + height)}z`;
  const perCycle = width / Math.max(1, run.cycles);
  const { first, last } = scale.window;
  const from = Math.min(first, run.cycles) * perCycle;
  const to = Math.min(last + 1, run.cycles) * perCycle;
  return element(
    'g',
    { class: 'overview' },
    textElement({ class: 'small', x: 12, y: top + 14 }, 'all'),
    element('path', { class: 'load', d: path }),
    element('rect', { class: 'frame', x: scale.left, y: top, width, height }),
    element('rect', { class: 'window', x: scale.left + from, y: top, width: Math.max(1, to - from), height }),
  );
}

/** Share of all node-cycles in use, 0..1, in each of `count` equal parts of the run. */
function busyShares({ N, K }: CellLogHeader, run: LoggedRun, count: number): number[] {
  const part = run.cycles / count;
  const used = new Array<number>(count).fill(0);
  for (const { occupation } of run.transfers) {
    if (occupation === null) continue;
    const { first, last, nodes } = occupation;
    for (let index = Math.floor(first / part); index < count && index * part <= last; index += 1) {
      const cycles = Math.min(last + 1, (index + 1) * part) - Math.max(first, index * part);
      used[index] = (used[index] ?? 0) + nodes.length * Math.max(0, cycles);
    }
  }
  return used.map((nodeCycles) => Math.min(1, nodeCycles / (part * N * 2 * K)));
}
