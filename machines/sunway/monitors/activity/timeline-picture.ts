import { element, page, textElement, tooltip } from '../../../svg.ts';
import { coreName } from '../race/race-event.ts';
import type { Activity } from './activity.ts';
import { type CoreTask, coresOf, type Piece, tasksOf } from './core-tasks.ts';

const [rowHeight, rowPitch, labelWidth, heading, spanWidth, margin] = [8, 10, 64, 64, 900, 24];
const ink = '#43505e';

const colours: Readonly<Record<CoreTask, string>> = {
  call: '#4f8a5b',
  transfer: '#c8553d',
  barrier: '#d9a441',
  host: '#8a63a8',
  lock: '#2f5d8a',
  threads: '#c9d2dc',
};

/** What each colour stands for. */
const legend: Readonly<Record<CoreTask, string>> = {
  call: 'at work',
  transfer: 'waits for a transfer',
  barrier: 'at a barrier',
  host: 'waits for its host',
  lock: 'waits for a lock',
  threads: 'waits for threads to end',
};

/**
 * What the cores of a core group did over time: a row for each, from the first cycle to the last. A column is the part of the run that one px
 * stands for, and every piece says what the core waited for longest.
 */
export function timelinePicture(title: string, activity: Activity, group = 0): string {
  const cycles = Math.max(1, activity.cycles);
  const cores = coresOf(activity, group);
  const rows = cores.map((core, row) => {
    const y = heading + row * rowPitch;
    const pieces = tasksOf(core, activity, spanWidth).map((piece) =>
      element(
        'rect',
        {
          x: labelWidth + piece.from,
          y,
          width: piece.to - piece.from,
          height: rowHeight,
          fill: colours[piece.task],
        },
        tooltip(`${coreName(core)} ${told(piece, cycles / spanWidth)}`),
      ),
    );
    const label = textElement({ x: 4, y: y + rowHeight, 'font-size': 8, fill: ink }, coreName(core));
    return element('g', {}, tooltip(coreName(core)), label, ...pieces);
  });
  const keys = (Object.keys(legend) as CoreTask[]).map((task, k) => {
    const x = labelWidth + k * 130;
    return (
      element('rect', { x, y: 40, width: 10, height: 10, fill: colours[task] }) +
      textElement({ x: x + 14, y: 49, 'font-size': 10, fill: ink }, legend[task])
    );
  });
  const size = {
    width: labelWidth + spanWidth + margin,
    height: heading + cores.length * rowPitch + margin,
    title,
  };
  const caption = textElement(
    { x: 4, y: 24, 'font-size': 16, 'font-weight': 600, fill: ink },
    `${title}, ${cycles} cycles`,
  );
  return page(size, caption, ...keys, ...rows);
}

/** A piece in words: what the core waited for, in which call, and when. */
function told({ task, from, to, wait }: Piece, cyclesPerColumn: number): string {
  const when = `cycles ${Math.round(from * cyclesPerColumn)} to ${Math.round(to * cyclesPerColumn)}`;
  if (!wait) return `${legend[task]}, ${when}`;
  const { on, call, place, open } = wait;
  return `waits ${on}, in ${call}${place === undefined ? '' : ` (${place})`}, ${when}${open ? '; it never ended' : ''}`;
}
