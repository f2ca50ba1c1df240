import { element, page, textElement, tooltip } from '../../../svg.ts';
import { type CoreId, coreName, coresPerGroup, groupOf } from '../race/race-event.ts';
import type { Activity, WaitingFor } from './activity.ts';

const [rowHeight, rowPitch, labelWidth, heading, spanWidth, margin] = [8, 10, 64, 64, 900, 24];
const ink = '#43505e';

type Doing = 'call' | WaitingFor;

const colours: Readonly<Record<Doing, string>> = {
  call: '#4f8a5b',
  transfer: '#c8553d',
  barrier: '#d9a441',
  host: '#8a63a8',
  lock: '#2f5d8a',
  group: '#7a7f87',
};

/** What each colour stands for. */
const legend: Readonly<Record<Doing, string>> = {
  call: 'at work',
  transfer: 'waits for a transfer',
  barrier: 'at a barrier',
  host: 'waits for its host',
  lock: 'waits for a lock',
  group: 'waits for its share group',
};

/** What the cores of a core group did over time: a row for each, from the first cycle to the last. A column is the part of the run that one px stands for. */
export function timelinePicture(title: string, activity: Activity, group = 0): string {
  const cycles = Math.max(1, activity.cycles);
  const cores = coresOf(activity, group);
  const rows = cores.map((core, row) => {
    const y = heading + row * rowPitch;
    const pieces = piecesOf(columnsOf(core, activity, cycles)).map(({ doing, from, to }) =>
      element('rect', { x: labelWidth + from, y, width: to - from, height: rowHeight, fill: colours[doing] }),
    );
    const label = textElement({ x: 4, y: y + rowHeight, 'font-size': 8, fill: ink }, coreName(core));
    return element('g', {}, tooltip(coreName(core)), label, ...pieces);
  });
  const keys = (Object.keys(legend) as Doing[]).map((doing, k) => {
    const x = labelWidth + k * 150;
    return (
      element('rect', { x, y: 40, width: 10, height: 10, fill: colours[doing] }) +
      textElement({ x: x + 14, y: 49, 'font-size': 10, fill: ink }, legend[doing])
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

function coresOf({ calls, waiting }: Activity, group: number): readonly CoreId[] {
  const found = new Set([...calls, ...waiting].map(({ core }) => core));
  const host = (core: CoreId): number => (core % coresPerGroup === coresPerGroup - 1 ? 0 : 1);
  return [...found].filter((core) => groupOf(core) === group).sort((a, b) => host(a) - host(b) || a - b);
}

/** What a core does most in the cycles of each column; nothing where it does not run. */
function columnsOf(
  core: CoreId,
  { calls, waiting }: Activity,
  cycles: number,
): readonly (Doing | undefined)[] {
  const times = new Map<Doing, Float64Array>();
  const add = (doing: Doing, from: number, to: number, sign = 1): void => {
    const sums = times.get(doing) ?? new Float64Array(spanWidth);
    times.set(doing, sums);
    const [first, last] = [(from / cycles) * spanWidth, (to / cycles) * spanWidth];
    for (let column = Math.floor(first); column < last && column < spanWidth; column++)
      sums[column]! += sign * (Math.min(last, column + 1) - Math.max(first, column));
  };
  for (const { from, to } of calls.filter((one) => one.core === core)) add('call', from, to);
  for (const { from, to, waitsFor } of waiting.filter((one) => one.core === core)) {
    add(waitsFor, from, to);
    // A wait is part of a call.
    add('call', from, to, -1);
  }
  return Array.from({ length: spanWidth }, (_, column) => {
    let [most, longest]: [Doing | undefined, number] = [undefined, 1e-9];
    for (const [doing, sums] of times) if (sums[column]! > longest) [most, longest] = [doing, sums[column]!];
    return most;
  });
}

function piecesOf(
  columns: readonly (Doing | undefined)[],
): readonly { readonly doing: Doing; readonly from: number; readonly to: number }[] {
  const pieces: { doing: Doing; from: number; to: number }[] = [];
  for (const [column, doing] of columns.entries()) {
    const last = pieces.at(-1);
    if (doing === undefined) continue;
    if (last?.doing === doing && last.to === column) last.to++;
    else pieces.push({ doing, from: column, to: column + 1 });
  }
  return pieces;
}
