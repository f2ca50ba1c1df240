import { headed, written } from '../pictures/drawing.ts';
import type { LegendEntry } from '../pictures/legend.ts';
import { colourOf, dark, faint, ground, ink } from '../pictures/palette.ts';
import { swatch } from '../pictures/timeline.ts';
import { element, svgNumber, textElement, tooltip } from '../svg.ts';
import {
  type Busy,
  busyLanes,
  type ChipRecord,
  chipLanes,
  type Handed,
  handedOn,
  type Stall,
  type Stretch,
  stallsOf,
  stretchesOf,
} from './slot-timeline.ts';

const left = 110;
const laneHeight = 26;
const barHeight = 18;
const plotWidth = 1320;
/** Cycles that the picture shows at most: beyond, marks would be thinner than a fifth of a px. */
const cyclesMax = 6000;
/** Px a cycle at most. */
const cycleWidthMax = 10;
/** Between two stretches of work, in px. */
const breakWidth = 14;
const fault = '#c0392b';

/** What each section is called in the legend, with its colour. */
const sections: Readonly<Record<string, { readonly name: string; readonly colour: string }>> = {
  preamble: { name: 'preamble', colour: colourOf(3) },
  initialization: { name: 'initialization', colour: colourOf(3) },
  loopInitialization: { name: 'loop initialization', colour: colourOf(5) },
  loopBody: { name: 'loop body', colour: colourOf(0) },
  loopFinalization: { name: 'loop finalization', colour: colourOf(2) },
  library: { name: 'host library', colour: '#9aa3ad' },
  port: { name: 'port', colour: colourOf(1) },
};

/** Where a cycle lies in the picture; undefined outside of what it shows. */
type Place = (cycle: number) => number | undefined;

/**
 * Draws a run of the chip in SVG: cycles across, units and ports down, one colour a section; times in which the chip waits for the host are left
 * out (GRAPE specification 8, 15).
 *
 * Details: arrows show what a slot hands on to the next, where there is room for them: `$ti` from a unit above or below, `$fb` from the
 * multiplier, dashed. Hatched are cycles between two slots in which the units wait. 1,450 px wide. Shows the first 6,000 cycles of work and says so when there are more. Every mark has a tooltip.
 */
export function slotPicture(
  name: string,
  records: readonly ChipRecord[],
  mode: 'pipelined' | 'functional' = 'pipelined',
): string {
  const all = stretchesOf(records);
  const shown = firstCycles(all, cyclesMax);
  const cycles = total(shown);
  const scale = Math.min(cycleWidthMax, (plotWidth - breakWidth * (shown.length - 1)) / Math.max(1, cycles));
  const place = placeOf(shown, scale);
  const busy = busyLanes(records);
  const cut = total(all) > cycles ? `, of which the first ${cycles} are shown` : '';
  const slots = records.filter(({ ev }) => ev === 'SLOT').length;
  const subtitle = `${slots} slots in ${total(all)} cycles of the chip${cut}`;
  const handed = mode === 'pipelined' && scale >= arrowCycleWidthMin ? handedOn(records) : [];
  const waits = stallsOf(records).flatMap((one) => stallMark(one, place));
  const faults = warnings(records, place);
  const used = Object.entries(sections).filter(([section]) => busy.some((one) => one.section === section));
  const entries: readonly LegendEntry[] = [
    ...used.map(([, { name: words, colour }]) => swatch(words, colour)),
    ...arrowEntries(handed),
    ...(waits.length === 0 ? [] : [waitEntry]),
    ...(faults.length === 0 ? [] : [faultEntry]),
  ];
  const picture = headed({ title: name, subtitle, legend: entries }, plotWidth, (top) => ({
    width: left + plotWidth,
    height: top + chipLanes.length * laneHeight + 60,
    marks: [
      element(
        'g',
        { transform: `translate(0 ${top + 8})` },
        ...chipLanes.map(([, label], row) => laneFrame(label, row, place, shown, scale)),
        ...axis(shown, place, scale),
        ...waits,
        ...busy.flatMap((one) => mark(one, place, scale)),
        ...arrows(handed, place),
        ...faults,
      ),
    ],
  }));
  return written(name, picture);
}

const total = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { from, to }) => sum + to - from, 0);

function firstCycles(stretches: readonly Stretch[], count: number): readonly Stretch[] {
  const kept: Stretch[] = [];
  let free = count;
  for (const { from, to } of stretches) {
    if (free <= 0) break;
    kept.push({ from, to: Math.min(to, from + free) });
    free -= to - from;
  }
  return kept;
}

function placeOf(stretches: readonly Stretch[], scale: number): Place {
  return (cycle) => {
    let x = left;
    for (const { from, to } of stretches) {
      if (cycle >= from && cycle <= to) return x + (cycle - from) * scale;
      x += (to - from) * scale + breakWidth;
    }
    return undefined;
  };
}

/** Lanes begin at 0; what stands above them moves them down. */
const laneTop = (row: number): number => row * laneHeight;

function laneFrame(
  label: string,
  row: number,
  place: Place,
  stretches: readonly Stretch[],
  scale: number,
): string {
  const y = laneTop(row);
  const grounds = stretches.map(({ from, to }) =>
    element('rect', { x: place(from)!, y, width: (to - from) * scale, height: barHeight, fill: ground }),
  );
  const text = { x: left - 10, y: y + 13, 'font-size': 12, 'text-anchor': 'end', fill: ink };
  return textElement(text, label) + grounds.join('');
}

function mark({ lane, from, to, section, story }: Busy, place: Place, scale: number): readonly string[] {
  const x = place(from);
  const row = chipLanes.findIndex(([one]) => one === lane);
  if (x === undefined || row < 0) return [];
  const end = place(to) ?? x + (to - from) * scale;
  // A hair of ground between two slots keeps them apart as long as there is room for it.
  const gap = scale >= 1 ? 0.8 : 0;
  return [
    element(
      'rect',
      {
        x,
        y: laneTop(row),
        width: Math.max(0.2, end - x - gap),
        height: barHeight,
        fill: sections[section]?.colour ?? ink,
      },
      tooltip(story),
    ),
  ];
}

const hatching = { stroke: fault, 'stroke-width': 0.7, 'stroke-opacity': 0.5 };

/** Lanes of the units, which carry out slots; the others are ports. */
const unitLanes = chipLanes.filter(([lane]) => lane !== 'idp' && lane !== 'rrn').length;

function stallMark({ from, to }: Stall, place: Place): readonly string[] {
  const [x, end] = [place(from), place(to)];
  if (x === undefined || end === undefined) return [];
  const lines: string[] = [];
  const bottom = laneTop(unitLanes - 1) + barHeight;
  for (let at = x + 3; at < end; at += 6) lines.push(`M${at.toFixed(1)} 0V${bottom}`);
  const path = { d: lines.join(''), ...hatching };
  return lines.length === 0
    ? []
    : [element('path', path, tooltip(`cycles ${from} to ${to - 1}: no slot, the units wait`))];
}

/** Px that a slot needs for an arrow to be seen. */
const arrowCycleWidthMin = 2;

function arrows(handed: readonly Handed[], place: Place): readonly string[] {
  const tip = element(
    'marker',
    { id: 'tip', viewBox: '0 0 6 6', refX: 5, refY: 3, markerWidth: 5, markerHeight: 5, orient: 'auto' },
    element('path', { d: 'M0 0l6 3l-6 3z', fill: dark }),
  );
  const drawn = handed.flatMap(({ from, to, made, taken, by, line }) => {
    const [x, end] = [place(made), place(taken)];
    if (x === undefined || end === undefined) return [];
    const [y, endY] = [from, to].map(
      (lane) => laneTop(chipLanes.findIndex(([one]) => one === lane)) + barHeight / 2,
    ) as [number, number];
    // From the middle of one slot to the beginning of the next; in a lane of its own it bows so that it is seen.
    const start = (x + end) / 2;
    const bow = y === endY ? y - barHeight * 0.7 : (y + endY) / 2;
    const d = `M${start.toFixed(1)} ${y}Q${((start + end) / 2).toFixed(1)} ${bow} ${(end + 1).toFixed(1)} ${endY}`;
    const dashes = by === '$fb' ? { 'stroke-dasharray': '3 2' } : {};
    const where = line > 0 ? `line ${line}` : 'the library';
    return [
      element(
        'path',
        { d, fill: 'none', stroke: dark, 'stroke-width': 0.9, 'marker-end': 'url(#tip)', ...dashes },
        tooltip(`cycle ${taken}: ${where} takes ${by}, made by ${from} in cycle ${made}`),
      ),
    ];
  });
  return [element('defs', {}, tip), ...drawn];
}

const tipOf = (x: number, y: number): string =>
  element('path', { d: `M${svgNumber(x)} ${svgNumber(y)}l-5 -2.5v5z`, fill: dark });

/** What arrows mean, those that there are. */
const arrowEntries = (handed: readonly Handed[]): readonly LegendEntry[] =>
  [
    { by: '$ti', words: '$ti: result that the next slot takes', dashes: {} },
    {
      by: '$fb',
      words: '$fb: result of the multiplier that the next slot takes',
      dashes: { 'stroke-dasharray': '3 2' },
    },
  ]
    .filter(({ by }) => handed.some((one) => one.by === by))
    .map(({ words, dashes }) => ({
      words,
      sign: (x, y) =>
        element('path', { d: `M${x} ${y + 7}h10`, stroke: dark, 'stroke-width': 1, ...dashes }) +
        tipOf(x + 14, y + 7),
    }));

const waitEntry: LegendEntry = {
  words: 'no slot, the units wait',
  sign: (x, y) => element('path', { d: `M${x + 2} ${y}v14m5 -14v14m5 -14v14`, ...hatching }),
};

const faultEntry: LegendEntry = {
  words: 'fault: the tooltip says which',
  sign: (x, y) => element('path', { d: `M${x + 2} ${y + 11}l5 -9l5 9z`, fill: fault }),
};

/** Round numbers of cycles as far apart as they need; where a stretch has none, that of its beginning. */
function axis(stretches: readonly Stretch[], place: Place, scale: number): readonly string[] {
  const y = chipLanes.length * laneHeight + 14;
  let free = Number.NEGATIVE_INFINITY;
  const marks: string[] = [];
  for (const { from, to } of stretches) {
    const step = stepOf(scale);
    const round = Math.ceil(from / step) * step;
    for (let cycle = round <= to ? round : from; cycle <= to; cycle += step) {
      const x = place(cycle)!;
      if (x < free) continue;
      free = x + 58;
      marks.push(
        element('line', { x1: x, x2: x, y1: -4, y2: y - 8, stroke: faint }),
        textElement({ x, y: y + 6, 'font-size': 11, 'text-anchor': 'middle', fill: ink }, String(cycle)),
      );
    }
  }
  const caption = 'cycle of the chip (waiting for the host is left out)';
  return [...marks, textElement({ x: left, y: y + 26, 'font-size': 12, fill: ink }, caption)];
}

function stepOf(scale: number): number {
  const wanted = 80 / scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one >= wanted)!);
}

function warnings(records: readonly ChipRecord[], place: Place): readonly string[] {
  return records.flatMap((record) => {
    const x = record.ev === 'FAULT' ? place(record.t) : undefined;
    if (record.ev !== 'FAULT' || x === undefined) return [];
    const y = -8;
    return [
      element(
        'path',
        { d: `M${x} ${y}l5 -9l5 9z`, fill: fault },
        tooltip(`cycle ${record.t}: ${record.code}: ${record.why}`),
      ),
    ];
  });
}

/** Slots that a sketch shows at most, whatever the width. */
const slotsMax = 400;

/**
 * Sketches a run of the chip in text: a column a slot, a row a unit; the first pass when there are passes, else the first slots
 * (GRAPE specification 15).
 *
 * Details: below the units `t` where a slot takes `$ti` of the slot before, `f` where it takes `$fb`, `b` for both; `|` in all rows of the units
 * for a wait between two slots.
 */
export function slotSketch(records: readonly ChipRecord[], width: number): string {
  const slots = records.filter((record) => record.ev === 'SLOT');
  const pass = slots.filter((slot) => slot.pass === 0);
  const chosen = (pass.length > 0 ? pass : slots).slice(0, Math.min(slotsMax, Math.max(20, width - 14)));
  if (chosen.length === 0) return '';
  const [first] = chosen;
  const last = chosen.at(-1)!;
  const ports = records.filter((record) => record.ev === 'PORT');
  const waits = new Set(stallsOf(records).map(({ to }) => to));
  const handed = handedOn(records);
  const drawn = (label: string, cell: (slot: (typeof chosen)[number]) => string) =>
    `${label.padEnd(12)}${chosen.map((slot, at) => (at > 0 && waits.has(slot.t) ? '|' : '') + cell(slot)).join('')}`;
  const rows = chipLanes.map(([unit, label]) =>
    drawn(label, ({ t, length, units }) => {
      if (units.includes(unit)) return unit[0]!.toUpperCase();
      const busy = ports.some(({ port, t: from, end }) => port === unit && from < t + length && end > t);
      return busy ? '=' : '.';
    }),
  );
  rows.push(
    drawn('handed on', ({ t }) => {
      const here = new Set(handed.filter(({ taken }) => taken === t).map(({ by }) => by));
      return here.size === 2 ? 'b' : here.has('$ti') ? 't' : here.has('$fb') ? 'f' : '.';
    }),
  );
  const what = pass.length > 0 ? `pass 0: ${pass.length} slots` : `${slots.length} slots`;
  const cut = chosen.length < (pass.length > 0 ? pass : slots).length ? `, the first ${chosen.length}` : '';
  return `${what}${cut}, cycles ${first!.t} to ${last.t + last.length - 1}\n${rows.join('\n')}\n`;
}
