import { ldmBytes, reservedBytes } from '../../../actors/sunway/address/space.ts';
import { element, page, textElement, tooltip } from '../../svg.ts';
import type { Activity, ScratchpadUse } from '../monitors/activity/activity.ts';
import { coreNames } from '../monitors/deadlock/core-names.ts';

const [ink, dark, ground] = ['#43505e', '#1d2733', '#eef1f4'];
const [left, barWidth, barHeight, pitch, top] = [150, 900, 18, 34, 96];
const kibibyte = 1024;

const legend = [
  ['runtime', '#7a7f87'],
  ['static data', '#2f6fb3'],
  ['heap, at its high-water mark', '#d9a441'],
  ['block still held', '#c8553d'],
  ['free heap', ground],
  ['stack and shared part', '#8a63a8'],
  ['data cache', '#4f8a5b'],
] as const;
type Area = (typeof legend)[number][0];

/** CPEs whose threads used their LDMs alike. */
interface AlikeScratchpads {
  readonly cores: readonly number[];
  readonly use: ScratchpadUse;
}

/** CPEs that used their LDM alike, in the order of the first thread of each. */
export function alikeScratchpads({
  scratchpads,
}: Pick<Activity, 'scratchpads'>): readonly AlikeScratchpads[] {
  const alike = new Map<string, { cores: number[]; use: ScratchpadUse }>();
  for (const use of scratchpads) {
    const { core, from, ...rest } = use;
    const key = JSON.stringify(rest);
    const known = alike.get(key);
    if (known) known.cores.push(core);
    else alike.set(key, { cores: [core], use });
  }
  return [...alike.values()];
}

const rowsMax = 64;

/** Draws how programs used the LDMs: offsets across, a bar for all CPEs that used theirs alike. Every area says its range and size. */
export function scratchpadMap(name: string, activity: Activity): string {
  const alike = alikeScratchpads(activity);
  const rows = alike.slice(0, rowsMax).map(({ cores, use }, row) => {
    const y = top + row * pitch;
    const label = coreNames(cores);
    return [
      textElement(
        { x: left - 8, y: y + 13, 'font-size': 11, 'text-anchor': 'end', fill: dark },
        label.length > 22 ? `${label.slice(0, 19)}...` : label,
      ),
      ...areasOf(use).map(({ area, from, to, what }) =>
        element(
          'rect',
          {
            x: x(from),
            y,
            width: Math.max(0.5, x(to) - x(from)),
            height: barHeight,
            fill: legend.find(([one]) => one === area)![1],
          },
          tooltip(`${label}: ${what ?? area}, ${range(from, to)}`),
        ),
      ),
    ].join('');
  });
  const keys = legend.map(([area, fill], index) => {
    const at = left + index * 130;
    return (
      element('rect', { x: at, y: 46, width: 10, height: 10, fill, stroke: ink, 'stroke-width': 0.4 }) +
      textElement({ x: at + 14, y: 55, 'font-size': 9, fill: ink }, area)
    );
  });
  const scale = Array.from({ length: 9 }, (_, step) =>
    textElement(
      { x: x((step * ldmBytes) / 8), y: 84, 'font-size': 10, 'text-anchor': 'middle', fill: ink },
      `${32 * step} KiB`,
    ),
  );
  const more = alike.length > rowsMax ? `; ${alike.length - rowsMax} more are not shown` : '';
  const title = `${name}: how LDMs are used${more}`;
  const size = { width: left + barWidth + 40, height: top + rows.length * pitch + 20, title };
  return page(
    size,
    textElement({ x: 20, y: 26, 'font-size': 16, 'font-weight': 600, fill: dark }, title),
    ...keys,
    ...scale,
    ...rows,
  );
}

const x = (offset: number): number => left + (barWidth * offset) / ldmBytes;
const range = (from: number, to: number): string =>
  `0x${from.toString(16)} to 0x${(to - 1).toString(16)}, ${to - from} bytes`;

interface Drawn {
  readonly area: Area;
  readonly from: number;
  readonly to: number;
  readonly what?: string;
}

/** The areas of an LDM, in the order in which they are drawn over each other. */
function areasOf(use: ScratchpadUse): readonly Drawn[] {
  const { statics, staticsEnd, heapFirst, heapPeak, live, heapEnd, cacheFirst } = use;
  const areas: readonly Drawn[] = [
    { area: 'runtime', from: 0, to: reservedBytes },
    { area: 'free heap', from: heapFirst, to: heapEnd },
    { area: 'static data', from: reservedBytes, to: staticsEnd },
    ...statics.map(
      ({ name, offset, bytes }): Drawn => ({
        area: 'static data',
        from: offset,
        to: offset + bytes,
        what: `static ${name}`,
      }),
    ),
    {
      area: 'heap, at its high-water mark',
      from: heapFirst,
      to: heapFirst + heapPeak,
      what: `heap: ${heapPeak} bytes at its high-water mark`,
    },
    ...live.map(
      ({ address, bytes }): Drawn => ({ area: 'block still held', from: address, to: address + bytes }),
    ),
    { area: 'stack and shared part', from: heapEnd, to: cacheFirst },
    { area: 'data cache', from: cacheFirst, to: ldmBytes },
  ];
  return areas.filter(({ from, to }) => to > from);
}

/** The same as text: what each program took at most, and what is left. */
export function scratchpadText(activity: Activity): string {
  const alike = alikeScratchpads(activity);
  if (alike.length === 0) return 'LDM: no program ran on a CPE\n';
  const rows = alike.slice(0, rowsMax).flatMap(({ cores, use }) => {
    const { statics, staticsEnd, heapFirst, heapPeak, heapEnd, cacheFirst, live } = use;
    const left = heapEnd - heapFirst - heapPeak;
    const held = live.reduce((sum, { bytes }) => sum + bytes, 0);
    const named = statics.map(({ name, offset, bytes }) => `${name} 0x${offset.toString(16)} +${bytes}`);
    const taken = staticsEnd - reservedBytes + heapPeak;
    return [
      `  ${coreNames(cores)}: ${taken} bytes at the high-water mark (${staticsEnd - reservedBytes} static, ${heapPeak} heap), ${left} bytes (${Math.floor(left / kibibyte)} KiB) were never used${held > 0 ? `; ${held} bytes still held at the end` : ''}${cacheFirst < ldmBytes ? `; ${(ldmBytes - cacheFirst) / kibibyte} KiB data cache` : ''}`,
      ...(named.length === 0 ? [] : [`    static: ${shortened(named)}`]),
    ];
  });
  const more = alike.length > rowsMax ? [`  and ${alike.length - rowsMax} more`] : [];
  return `${[`LDM of ${ldmBytes} bytes, of which ${reservedBytes} belong to the runtime`, ...rows, ...more].join('\n')}\n`;
}

const staticsTold = 12;
const shortened = (names: readonly string[]): string =>
  names.length > staticsTold
    ? `${names.slice(0, staticsTold).join(', ')} and ${names.length - staticsTold} more`
    : names.join(', ');
