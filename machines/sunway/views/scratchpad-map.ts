import { ldmBytes, reservedBytes } from '../../../actors/sunway/address/space.ts';
import { written } from '../../pictures/drawing.ts';
import { colourOf } from '../../pictures/palette.ts';
import { timeline } from '../../pictures/timeline.ts';
import type { Activity, ScratchpadUse } from '../monitors/activity/activity.ts';
import { coreNames } from '../monitors/deadlock/core-names.ts';

const kibibyte = 1024;

const kinds = [
  { name: 'runtime', colour: '#8d96a1' },
  { name: 'static data', colour: colourOf(0) },
  { name: 'heap, at its high-water mark', colour: colourOf(5) },
  { name: 'block still held', colour: colourOf(1) },
  { name: 'free heap', colour: '#e4e8ed' },
  { name: 'stack and shared part', colour: colourOf(3) },
  { name: 'data cache', colour: colourOf(2) },
] as const;
type Area = (typeof kinds)[number]['name'];

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
  const more = alike.length > rowsMax ? `; ${alike.length - rowsMax} more bars are not shown` : '';
  return written(
    name,
    timeline({
      title: name,
      subtitle: `how programs used the LDM of ${ldmBytes / kibibyte} KiB: a bar for all CPEs that used theirs alike${more}`,
      unit: 'offset in the LDM, KiB',
      end: ldmBytes / kibibyte,
      panels: [
        {
          rows: alike.slice(0, rowsMax).map(({ cores, use }) => {
            const label = coreNames(cores);
            return {
              label: label.length > 22 ? `${label.slice(0, 19)}...` : label,
              spans: areasOf(use).map(({ area, from, to, what }) => ({
                from: from / kibibyte,
                to: to / kibibyte,
                kind: area,
                tooltip: `${label}: ${what ?? area}, ${range(from, to)}`,
              })),
            };
          }),
        },
      ],
      kinds,
    }),
  );
}

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
