import { element, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { type AxisKind, axis, ticksBelow, ticksBeside } from './axis.ts';
import { type Drawing, headed, margin } from './drawing.ts';
import { type LegendEntry, wide } from './legend.ts';
import { colourOf, dashesOf, ground, ink } from './palette.ts';

/** A line with a dot a point, a plain path with a dot at its end, or marks alone. */
export interface Series {
  /** Its words in the legend, which leaves series without a name out. */
  readonly name?: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly tooltip?: string }[];
  /** `line` when absent; the others have no line. */
  readonly mark?: 'line' | 'path' | 'cross' | 'ring' | 'square';
  /** Number of its colour; its place among the series when absent. Marks of one thing measured twice share one. */
  readonly colour?: number;
}

/** A chart before it is drawn. */
export interface Chart {
  readonly title: string;
  readonly subtitle?: string;
  readonly x: AxisKind;
  readonly y: AxisKind;
  readonly series: readonly Series[];
  /** Width and height of the plot in px, 640 x 360 when absent. */
  readonly size?: readonly [width: number, height: number];
}

/** Draws a chart: axes with their units, round ticks, and a legend that names every series. */
export function chart({ title, subtitle, x, y, series, size = [640, 360] }: Chart): Drawing {
  const [plotWidth, plotHeight] = size;
  const points = series.flatMap((one) => one.points);
  const across = axis(
    x,
    points.map((one) => one.x),
    [0, plotWidth],
  );
  const up = axis(
    y,
    points.map((one) => one.y),
    [plotHeight, 0],
  );
  const beyond = points.filter((one) => one.y > up.last || one.x > across.last).length;
  const drawn = series.flatMap((one, index) => {
    const style = styleOf(one, index);
    const kind = one.mark ?? 'line';
    const places = one.points.map((point) => ({ x: across.at(point.x), y: up.at(point.y) }));
    const line = places.map((at) => `${svgNumber(at.x)},${svgNumber(at.y)}`);
    return [
      ...(drawsLine(kind) && line.length > 1
        ? [element('polyline', { points: line.join(' '), fill: 'none', ...stroke(style, kind) })]
        : []),
      ...one.points.flatMap((point, at) => {
        const words = point.tooltip ?? `${one.name ?? title}: ${point.x}, ${point.y}`;
        const out = point.y > up.last || point.x > across.last;
        if (out) return arrow(places[at]!, style.colour, words);
        return kind === 'path' && at < line.length - 1 ? [] : mark(kind, places[at]!, style.colour, words);
      }),
    ];
  });
  const left = margin + 8 + Math.max(...up.ticks.map(({ text }) => textWidth(text, 11) * wide));
  const lastTick = across.ticks.at(-1)?.text ?? '';
  const entries = [...series.flatMap(entryOf), ...(beyond === 0 ? [] : [beyondEntry(beyond)])];
  return headed({ title, subtitle, legend: entries }, plotWidth, (top) => ({
    width: left + plotWidth + (textWidth(lastTick, 11) * wide) / 2,
    height: top + 18 + plotHeight + 42,
    marks: [
      textElement({ x: margin, y: top + 8, 'font-size': 12, fill: ink }, y.label),
      element(
        'g',
        { transform: `translate(${svgNumber(left)} ${top + 18})` },
        element('rect', { x: 0, y: 0, width: plotWidth, height: plotHeight, fill: ground }),
        ...ticksBelow(across, 0, plotHeight),
        ...ticksBeside(up, 0, plotWidth),
        ...drawn,
        textElement(
          { x: plotWidth / 2, y: plotHeight + 36, 'text-anchor': 'middle', 'font-size': 12, fill: ink },
          x.label,
        ),
      ),
    ],
  }));
}

const styleOf = ({ colour }: Series, index: number) => ({
  colour: colourOf(colour ?? index),
  dashes: dashesOf(colour ?? index),
});

function entryOf(one: Series, index: number): readonly LegendEntry[] {
  if (one.name === undefined) return [];
  const style = styleOf(one, index);
  const kind = one.mark ?? 'line';
  return [
    {
      words: one.name,
      sign: (x, y) =>
        [
          ...(drawsLine(kind)
            ? [element('line', { x1: x, x2: x + 14, y1: y + 7, y2: y + 7, ...stroke(style, kind) })]
            : []),
          ...(kind === 'path' ? [] : [mark(kind, { x: x + 7, y: y + 7 }, style.colour)]),
        ].join(''),
    },
  ];
}

const beyondEntry = (count: number): LegendEntry => ({
  words: `beyond the axis: ${count} point${count === 1 ? '' : 's'}`,
  sign: (x, y) => arrow({ x: x + 7, y: y + 3 }, ink),
});

const drawsLine = (kind: Mark): boolean => kind === 'line' || kind === 'path';

const stroke = ({ colour, dashes }: { readonly colour: string; readonly dashes: string }, kind: Mark) => ({
  stroke: colour,
  'stroke-width': kind === 'path' ? 1.2 : 2,
  ...(dashes !== '' && { 'stroke-dasharray': dashes }),
});

type Mark = NonNullable<Series['mark']>;

interface Place {
  readonly x: number;
  readonly y: number;
}

const told = (words: string | undefined): readonly string[] => (words === undefined ? [] : [tooltip(words)]);

function mark(kind: Mark, { x, y }: Place, colour: string, words?: string): string {
  const open = { fill: 'none', stroke: colour, 'stroke-width': 1.6 };
  if (kind === 'square')
    return element('rect', { x: x - 4, y: y - 4, width: 8, height: 8, ...open }, ...told(words));
  if (kind === 'cross')
    return element(
      'path',
      { d: `M${svgNumber(x - 4)},${svgNumber(y - 4)}l8,8m0,-8l-8,8`, ...open },
      ...told(words),
    );
  if (kind === 'ring') return element('circle', { cx: x, cy: y, r: 5.5, ...open }, ...told(words));
  return element('circle', { cx: x, cy: y, r: 3, fill: colour }, ...told(words));
}

/** A point that the axis leaves out. */
const arrow = ({ x, y }: Place, colour: string, words?: string): string =>
  element('path', { d: `M${svgNumber(x - 5)},${svgNumber(y + 9)}h10l-5,-9Z`, fill: colour }, ...told(words));
