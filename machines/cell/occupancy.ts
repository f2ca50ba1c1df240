import { element, escapeXml, svgNumber, textElement } from '../svg.ts';
import type { CellLogEvent, CellLogHeader } from './log-events.ts';
import { PICTURE_CLASS, plainStyle, TRANSFER_COLOURS } from './picture-style.ts';
import { occupiedShare, percent, type RingOccupation, ringOccupation } from './ring-occupation.ts';
import { figuresLine, ringName } from './transfer-words.ts';
import { transfersOfLog } from './transfers-of-log.ts';

const WIDTH = 720;
const BAR = { left: 84, width: 440, height: 16, pitch: 24 } as const;
const TOP = 66;
/** Shares at which the chart has a line. */
const QUARTERS = [0, 0.25, 0.5, 0.75, 1] as const;

/** Draws how much of each ring a run used as a bar chart in SVG, one bar a ring, 720 px wide (Cell specification 14). */
export function occupancyChart(header: CellLogHeader, events: readonly CellLogEvent[]): string {
  const run = transfersOfLog(header, events);
  const rings = ringOccupation(header, run);
  const bottom = TOP + rings.length * BAR.pitch;
  const height = bottom + 30;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${svgNumber(height)}`,
      class: PICTURE_CLASS,
      role: 'img',
    },
    element('title', {}, escapeXml(`${header.name}: ring occupation`)),
    plainStyle(),
    element('rect', { class: 'page', x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 6 }),
    textElement({ class: 'name', x: 12, y: 26 }, `${header.name}: ring occupation`),
    textElement({ class: 'figures', x: 12, y: 44 }, figuresLine(header, run)),
    ...rings.map((ring, index) => ringBar(ring, TOP + index * BAR.pitch)),
    ...QUARTERS.map((share) => shareLine(share, bottom)),
    textElement(
      { class: 'small', x: WIDTH - 12, y: TOP - 4, 'text-anchor': 'end' },
      'node-cycles used / available',
    ),
  )}\n`;
}

function ringBar(occupation: RingOccupation, top: number): string {
  const { dir, ring, used, available } = occupation;
  const colour = TRANSFER_COLOURS[dir]!;
  const share = occupiedShare(occupation);
  const y = top + (BAR.pitch - BAR.height) / 2;
  return element(
    'g',
    { 'data-dir': dir, 'data-ring': ring, 'data-used': used, 'data-available': available },
    textElement({ class: 'panel-name', x: 12, y: y + 12 }, ringName(dir, ring)),
    element('rect', { x: BAR.left, y, width: BAR.width, height: BAR.height, fill: '#ecede9' }),
    element('rect', {
      class: 'used',
      x: BAR.left,
      y,
      // A faulty run may hold nodes twice; the bar then ends at the edge and the numbers tell.
      width: BAR.width * Math.min(1, share),
      height: BAR.height,
      fill: colour.fill,
      stroke: colour.edge,
    }),
    textElement({ x: BAR.left + BAR.width + 58, y: y + 12, 'text-anchor': 'end' }, percent(share)),
    textElement({ class: 'small', x: BAR.left + BAR.width + 70, y: y + 12 }, `${used} / ${available}`),
  );
}

function shareLine(share: number, bottom: number): string {
  const x = BAR.left + share * BAR.width;
  return (
    element('line', { x1: x, y1: TOP, x2: x, y2: bottom + 4, stroke: '#8b949e', 'stroke-opacity': 0.45 }) +
    textElement({ class: 'small', x, y: bottom + 16, 'text-anchor': 'middle' }, `${share * 100} %`)
  );
}

/**
 * Writes how much of each ring a run used, one line a ring with a bar of `width` characters, and a last line for all rings
 * (Cell specification 14). A RangeError when width is no whole number from 1.
 */
export function occupancyText(header: CellLogHeader, events: readonly CellLogEvent[], width = 40): string {
  if (!Number.isSafeInteger(width) || width < 1)
    throw new RangeError(`width is ${width}, expected an integer from 1`);
  const rings = ringOccupation(header, transfersOfLog(header, events));
  const all = {
    used: rings.reduce((total, { used }) => total + used, 0),
    available: rings.reduce((total, { available }) => total + available, 0),
  };
  const rows = [
    ...rings.map((ring) => ({ name: ringName(ring.dir, ring.ring), ...ring })),
    { name: 'all rings', ...all },
  ];
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const usedWidth = Math.max(...rows.map(({ used }) => String(used).length));
  const availableWidth = Math.max(...rows.map(({ available }) => String(available).length));
  const lines = rows.map((row) => {
    const share = occupiedShare(row);
    const bar = '#'.repeat(Math.round(Math.min(1, share) * width)).padEnd(width, '.');
    const counts = `${String(row.used).padStart(usedWidth)} / ${String(row.available).padStart(availableWidth)}`;
    return `${row.name.padEnd(nameWidth)}  ${bar} ${percent(share).padStart(7)}  ${counts}`;
  });
  return `node-cycles used / available, by ring\n${lines.join('\n')}\n`;
}
