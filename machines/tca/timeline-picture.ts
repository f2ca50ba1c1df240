import { nanoseconds } from '../../actors/tca/parameters.ts';
import { element, svgNumber, textElement, tooltip } from '../svg.ts';
import { type BusyLink, peaks, type Steps, type Timeline, type Transfer, utilisation } from './timeline.ts';

const left = 130;
const plotWidth = 1000;
const nodeHeight = 30;
const tagHeight = 44;
const linkHeight = 20;
const gap = 34;
const top = 66;
/** Rows of a panel at most: more would fit no page. */
const rowsMax = 32;
/** Spans of time in which utilisation is counted. */
const spans = 250;
const [ink, dark, ground] = ['#43505e', '#1d2733', '#eef1f4'];
const channelColours = ['#2f6fb3', '#3b8f5a', '#c98b2b', '#7a6fb0'];

/**
 * Draws a run of TCA nodes in SVG: microseconds across; nodes with their transfers from doorbell to flag, tags in flight of each channel, and how
 * busy each link is.
 *
 * Details: 1,150 px wide; shows at most 32 channels and 32 links. Every mark has a tooltip.
 */
export function timelinePicture(name: string, timeline: Timeline): string {
  const { end, nodes, transfers } = timeline;
  const tags = timeline.tags.slice(0, rowsMax);
  const links = timeline.links.slice(0, rowsMax);
  const x = (t: number): number => left + (plotWidth * t) / Math.max(1, end);
  const tagsTop = top + nodes * nodeHeight + gap;
  const linksTop = tagsTop + tags.length * tagHeight + gap;
  const bottom = linksTop + links.length * linkHeight;
  const [width, height] = [left + plotWidth + 20, bottom + 56];
  const hidden = timeline.tags.length + timeline.links.length - tags.length - links.length;
  const title = `${name}: ${(nanoseconds(end) / 1000).toFixed(2)} us${hidden > 0 ? `; ${hidden} rows are not shown` : ''}`;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': 'system-ui, sans-serif',
    },
    tooltip(title),
    element('rect', { x: 0, y: 0, width, height, fill: '#ffffff' }),
    textElement({ x: 16, y: 26, 'font-size': 16, 'font-weight': 600, fill: dark }, title),
    caption('transfers: doorbell of the source to flag of the target', top),
    ...axis(end, x, top, bottom),
    ...Array.from({ length: nodes }, (_, node) => nodeLane(node, x, end)),
    ...transfers.map((one) => arrow(one, x)),
    ...(tags.length > 0 ? [caption('tags in flight, of those that the channel has', tagsTop)] : []),
    ...tags.flatMap((one, row) => tagRow(one, tagsTop + row * tagHeight, x, end)),
    ...(links.length > 0 ? [caption('links: the darker, the busier', linksTop)] : []),
    ...links.flatMap((one, row) => linkRow(one, linksTop + row * linkHeight, x, end)),
  )}\n`;
}

const caption = (text: string, y: number): string =>
  textElement({ x: left, y: y - 10, 'font-size': 12, 'font-style': 'italic', fill: ink }, text);

const label = (text: string, y: number): string =>
  textElement({ x: left - 10, y, 'font-size': 11, 'text-anchor': 'end', fill: ink }, text);

const laneOf = (node: number): number => top + node * nodeHeight + nodeHeight / 2;

const nodeLane = (node: number, x: (t: number) => number, end: number): string =>
  label(`Node[${node}]`, laneOf(node) + 4) +
  element('line', { x1: x(0), x2: x(end), y1: laneOf(node), y2: laneOf(node), stroke: '#c6ced6' });

function arrow({ source, target, slot, from, to }: Transfer, x: (t: number) => number): string {
  const stroke = channelColours[slot % channelColours.length]!;
  const [y1, y2] = [laneOf(source), laneOf(target)];
  const time = (nanoseconds(to - from) / 1000).toFixed(3);
  const story = `node ${source} to node ${target}, slot ${slot}: ${time} us`;
  return (
    element('line', { x1: x(from), y1, x2: x(to), y2, stroke, 'stroke-width': 1.6 }, tooltip(story)) +
    element('circle', { cx: x(to), cy: y2, r: 3, fill: stroke }, tooltip(story))
  );
}

function tagRow(
  { name, most, steps }: Steps,
  y: number,
  x: (t: number) => number,
  end: number,
): readonly string[] {
  const bottom = y + tagHeight - 8;
  const scale = (tagHeight - 12) / most;
  const channel = Number(/\[(\d+)\]$/.exec(name)?.[1] ?? 0);
  const points = [`${svgNumber(x(0))},${bottom}`];
  let before = 0;
  for (const { t, value } of steps) {
    points.push(`${svgNumber(x(t))},${svgNumber(bottom - before * scale)}`);
    points.push(`${svgNumber(x(t))},${svgNumber(bottom - value * scale)}`);
    before = value;
  }
  points.push(`${svgNumber(x(end))},${svgNumber(bottom - before * scale)}`, `${svgNumber(x(end))},${bottom}`);
  const highest = steps.reduce((high, { value }) => Math.max(high, value), 0);
  const story = `${name}: ${highest} of ${most} tags at most`;
  return [
    label(name, y + 16),
    label(`${most} tags`, y + 30),
    element('rect', { x: x(0), y: y + 4, width: plotWidth, height: tagHeight - 12, fill: ground }),
    element(
      'polygon',
      { points: points.join(' '), fill: channelColours[channel % channelColours.length]!, opacity: 0.75 },
      tooltip(story),
    ),
  ];
}

function linkRow(link: BusyLink, y: number, x: (t: number) => number, end: number): readonly string[] {
  const shares = utilisation(link, end, spans);
  const total = shares.reduce((sum, share) => sum + share, 0) / spans;
  const width = plotWidth / spans;
  return [
    label(link.name, y + 13),
    element('rect', { x: x(0), y: y + 2, width: plotWidth, height: linkHeight - 5, fill: ground }),
    ...shares.flatMap((share, at) =>
      share <= 0
        ? []
        : [
            element(
              'rect',
              {
                x: x(0) + at * width,
                y: y + 2,
                width,
                height: linkHeight - 5,
                fill: '#2f6fb3',
                opacity: Math.max(0.08, Math.min(1, share)),
              },
              tooltip(
                `${link.name}: ${Math.round(100 * share)} % here, ${Math.round(100 * total)} % over all`,
              ),
            ),
          ],
    ),
  ];
}

/** Microseconds, as far apart as they need. */
function axis(end: number, x: (t: number) => number, from: number, to: number): readonly string[] {
  const us = nanoseconds(end) / 1000;
  const power = 10 ** Math.floor(Math.log10(Math.max(0.001, us / 10)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => us / one <= 12) ?? us;
  const marks: string[] = [];
  for (let k = 0; k * step <= us; k++) {
    const at = x(k * step * 4000);
    marks.push(
      element('line', { x1: at, x2: at, y1: from, y2: to, stroke: '#dde2e8', 'stroke-width': 0.6 }),
      textElement(
        { x: at, y: to + 18, 'font-size': 11, 'text-anchor': 'middle', fill: ink },
        String(Number((k * step).toPrecision(4))),
      ),
    );
  }
  return [...marks, textElement({ x: left, y: to + 40, 'font-size': 12, fill: ink }, 'microseconds')];
}

const shades = ' .:-=+*#%@';

/** A share from 0 to 1 as a character, the darker the more; only nothing at all is blank. */
const shade = (share: number): string =>
  share <= 0
    ? ' '
    : shades[Math.max(1, Math.min(shades.length - 1, Math.ceil(share * (shades.length - 1))))]!;

/** Sketches a run of TCA nodes in text: a column a span of time; D and F for doorbells and flags, shades for tags in flight and busy links. */
export function timelineSketch(timeline: Timeline, width: number): string {
  const { end, nodes, transfers, tags, links } = timeline;
  if (transfers.length + tags.length + links.length === 0) return '';
  const columns = Math.max(20, Math.min(160, width - 20));
  const column = (t: number): number => Math.min(columns - 1, Math.floor((columns * t) / Math.max(1, end)));
  const row = (name: string, cells: string): string => `${name.padEnd(18)}|${cells}|`;
  const lanes = Array.from({ length: nodes }, (_, node) => {
    const cells = new Array<string>(columns).fill('.');
    for (const one of transfers) {
      if (one.source === node) cells[column(one.from)] = 'D';
      if (one.target === node) cells[column(one.to)] = 'F';
    }
    return row(`Node[${node}]`, cells.join(''));
  });
  return [
    `0 to ${(nanoseconds(end) / 1000).toFixed(2)} us; D doorbell, F flag; shades: share of the tags, of the time of a link`,
    ...lanes,
    ...tags.map((one) =>
      row(
        one.name,
        peaks(one, end, columns)
          .map((value) => shade(value / one.most))
          .join(''),
      ),
    ),
    ...links.map((one) => row(one.name, utilisation(one, end, columns).map(shade).join(''))),
    '',
  ].join('\n');
}
