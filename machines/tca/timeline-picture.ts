import { nanoseconds } from '../../actors/tca/parameters.ts';
import type { Axis } from '../pictures/axis.ts';
import { type ColourScale, colourScale } from '../pictures/colour-scale.ts';
import { below, margin, written } from '../pictures/drawing.ts';
import { type Lane, lanes } from '../pictures/lanes.ts';
import { colourOf, ground, ink } from '../pictures/palette.ts';
import { swatch } from '../pictures/timeline.ts';
import { element, svgNumber, tooltip } from '../svg.ts';
import { type BusyLink, peaks, type Steps, type Timeline, type Transfer, utilisation } from './timeline.ts';

/** Rows of a panel at most: more would fit no page. */
const rowsMax = 32;
/** Spans of time in which utilisation is counted. */
const spans = 250;
const [nodeHeight, tagHeight] = [30, 44];

const microseconds = (t: number): number => nanoseconds(t) / 1000;
const channelColour = (channel: number): string => colourOf(channel);

/**
 * Draws a run of TCA nodes in SVG: microseconds across; nodes with their transfers from doorbell to flag, tags in flight of each channel, and how
 * busy each link is.
 *
 * Details: shows at most 32 channels and 32 links. Every mark has a tooltip.
 */
export function timelinePicture(name: string, timeline: Timeline): string {
  const { end, nodes, transfers } = timeline;
  const tags = timeline.tags.slice(0, rowsMax);
  const links = timeline.links.slice(0, rowsMax);
  const hidden = timeline.tags.length + timeline.links.length - tags.length - links.length;
  const busy = colourScale('share of the time that a link is busy', links.length > 0 ? [1] : []);
  const channels = [...new Set(tags.map(channelOf))];
  const picture = lanes({
    title: name,
    subtitle: `${microseconds(end).toFixed(2)} µs${hidden > 0 ? `; ${hidden} rows are not shown` : ''}`,
    unit: 'time, µs',
    end: microseconds(end),
    legend: channels
      .sort((one, other) => one - other)
      .map((channel) => swatch(`channel ${channel}`, channelColour(channel))),
    panels: [
      {
        caption: 'transfers: from the doorbell of the source to the flag of the target, a dot',
        lanes: Array.from(
          { length: nodes },
          (_, node): Lane => ({
            label: `Node[${node}]`,
            height: nodeHeight,
            draw: (time, y, height) => {
              const ends = {
                x1: time.at(0),
                x2: time.at(microseconds(end)),
                y1: y + height / 2,
                y2: y + height / 2,
              };
              return [element('line', { ...ends, stroke: '#c6ced6' })];
            },
          }),
        ),
      },
      ...panel(
        'tags in flight, of those that the channel has',
        tags.map((one) => tagLane(one, end)),
      ),
      ...panel(
        'links: the darker, the busier',
        links.map((one) => linkLane(one, end, busy)),
      ),
    ],
    across: (time, middleOf) => transfers.map((one) => transferMark(one, time, (node) => middleOf(0, node))),
  });
  const key = {
    ...busy.key,
    marks: [element('g', { transform: `translate(${margin} 0)` }, ...busy.key.marks)],
  };
  return written(name, links.length > 0 ? below([picture, key]) : picture);
}

const panel = (caption: string, own: readonly Lane[]) => (own.length > 0 ? [{ caption, lanes: own }] : []);

function transferMark(
  { source, target, slot, from, to }: Transfer,
  time: Axis,
  middleOf: (node: number) => number,
): string {
  const [x1, x2] = [time.at(microseconds(from)), time.at(microseconds(to))];
  const [y1, y2] = [middleOf(source), middleOf(target)];
  const story = `node ${source} to node ${target}, slot ${slot}: ${microseconds(to - from).toFixed(3)} µs`;
  return (
    element('line', { x1, y1, x2, y2, stroke: ink, 'stroke-width': 1.4 }, tooltip(story)) +
    element('circle', { cx: x2, cy: y2, r: 3, fill: ink }, tooltip(story))
  );
}

const channelOf = ({ name }: Steps): number => Number(/\[(\d+)\]$/.exec(name)?.[1] ?? 0);

function tagLane(steps: Steps, end: number): Lane {
  const { name, most } = steps;
  const highest = steps.steps.reduce((high, { value }) => Math.max(high, value), 0);
  return {
    label: name,
    note: `0 to ${most} tags`,
    height: tagHeight,
    draw: (time, y, height) => {
      const [top, bottom] = [y + 4, y + height - 4];
      const [first, last] = [time.at(0), time.at(microseconds(end))];
      const at = (value: number): string => svgNumber(bottom - ((bottom - top) * value) / most);
      const path = steps.steps.map(({ t, value }) => `H${svgNumber(time.at(microseconds(t)))}V${at(value)}`);
      return [
        element('rect', { x: first, y: top, width: last - first, height: bottom - top, fill: ground }),
        element(
          'path',
          {
            d: `M${svgNumber(first)} ${bottom}${path.join('')}H${svgNumber(last)}V${bottom}Z`,
            fill: channelColour(channelOf(steps)),
          },
          tooltip(`${name}: ${highest} of ${most} tags at most`),
        ),
      ];
    },
  };
}

function linkLane(link: BusyLink, end: number, { colour }: ColourScale): Lane {
  const shares = utilisation(link, end, spans);
  const total = shares.reduce((sum, share) => sum + share, 0) / spans;
  const edge = (span: number): number => microseconds((span * end) / spans);
  return {
    label: link.name,
    draw: (time, y, height) => {
      const area = (first: number, last: number) => ({
        x: time.at(edge(first)),
        y: y + 3,
        width: time.at(edge(last)) - time.at(edge(first)),
        height: height - 6,
      });
      return [
        element('rect', { ...area(0, spans), fill: ground }),
        ...shares.flatMap((share, at) => {
          const story = `${link.name}: ${Math.round(100 * share)} % here, ${Math.round(100 * total)} % over all`;
          return share <= 0
            ? []
            : [element('rect', { ...area(at, at + 1), fill: colour(share) }, tooltip(story))];
        }),
      ];
    },
  };
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
