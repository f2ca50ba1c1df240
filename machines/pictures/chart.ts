import { element, page, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { type AxisKind, axis, ticksBelow, ticksBeside } from './axis.ts';
import { type LegendEntry, legend, wide } from './legend.ts';
import { colourOf, dark, dashesOf, ground, ink } from './palette.ts';

/** A line with a dot a point, or marks alone. */
export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly tooltip?: string }[];
  /** `line` when absent; the others have no line. */
  readonly mark?: 'line' | 'cross' | 'ring' | 'square';
  /** Number of its colour; its place among the series when absent. Marks of one thing measured twice share one. */
  readonly colour?: number;
}

/** A chart before it is drawn. */
export interface Chart {
  readonly title: string;
  readonly x: AxisKind;
  readonly y: AxisKind;
  readonly series: readonly Series[];
}

const [plotWidth, plotHeight, margin] = [640, 360, 20];
const titleSize = 15;
/** Bold letters are wider than others. */
const bold = 1.2;

/** Draws a chart in SVG: axes with their units, round ticks, and a legend that names every series. */
export function chart({ title, x, y, series }: Chart): string {
  const points = series.flatMap((one) => one.points);
  const top = 66;
  const bottom = top + plotHeight;
  const up = axis(
    y,
    points.map((one) => one.y),
    [bottom, top],
  );
  const left = margin + 8 + Math.max(...up.ticks.map(({ text }) => textWidth(text, 11) * wide));
  const right = left + plotWidth;
  const across = axis(
    x,
    points.map((one) => one.x),
    [left, right],
  );
  const beyond = points.filter((one) => one.y > up.last || one.x > across.last).length;
  const place = (one: { readonly x: number; readonly y: number }) => ({
    x: across.at(one.x),
    y: up.at(one.y),
  });
  const drawn = series.flatMap((one, index) => {
    const style = { colour: colourOf(one.colour ?? index), dashes: dashesOf(one.colour ?? index) };
    const line = one.points.map(place).map((at) => `${svgNumber(at.x)},${svgNumber(at.y)}`);
    const plain = (one.mark ?? 'line') === 'line';
    return [
      ...(plain && line.length > 1
        ? [element('polyline', { points: line.join(' '), fill: 'none', ...stroke(style) })]
        : []),
      ...one.points.map((point) => {
        const at = place(point);
        const words = point.tooltip ?? `${one.name}: ${point.x}, ${point.y}`;
        const out = point.y > up.last || point.x > across.last;
        return out ? arrow(at, style.colour, words) : mark(one.mark ?? 'line', at, style.colour, words);
      }),
    ];
  });
  const entries = series.map((one, index): LegendEntry => {
    const style = { colour: colourOf(one.colour ?? index), dashes: dashesOf(one.colour ?? index) };
    return {
      words: one.name,
      sign: (signX, signY) =>
        [
          ...((one.mark ?? 'line') === 'line'
            ? [element('line', { x1: signX, x2: signX + 14, y1: signY + 7, y2: signY + 7, ...stroke(style) })]
            : []),
          mark(one.mark ?? 'line', { x: signX + 7, y: signY + 7 }, style.colour),
        ].join(''),
    };
  });
  const more: readonly LegendEntry[] =
    beyond === 0
      ? []
      : [
          {
            words: `beyond the axis: ${beyond} point${beyond === 1 ? '' : 's'}`,
            sign: (signX, signY) => arrow({ x: signX + 7, y: signY + 3 }, ink),
          },
        ];
  const keys = legend([...entries, ...more], { x: left, y: bottom + 52, width: plotWidth });
  const lastTick = across.ticks.at(-1)?.text ?? '';
  const width = Math.ceil(
    Math.max(
      right + (textWidth(lastTick, 11) * wide) / 2,
      margin + textWidth(title, titleSize) * bold,
      left + keys.width,
    ) + margin,
  );
  return page(
    { width, height: bottom + 52 + keys.height + margin / 2, title },
    textElement({ x: margin, y: 28, 'font-size': titleSize, 'font-weight': 600, fill: dark }, title),
    element('rect', { x: left, y: top, width: plotWidth, height: plotHeight, fill: ground }),
    ...ticksBelow(across, top, bottom),
    ...ticksBeside(up, left, right),
    ...drawn,
    textElement({ x: margin, y: top - 12, 'font-size': 12, fill: ink }, y.label),
    textElement(
      { x: (left + right) / 2, y: bottom + 36, 'text-anchor': 'middle', 'font-size': 12, fill: ink },
      x.label,
    ),
    ...keys.drawn,
  );
}

const stroke = ({ colour, dashes }: { readonly colour: string; readonly dashes: string }) => ({
  stroke: colour,
  'stroke-width': 2,
  ...(dashes !== '' && { 'stroke-dasharray': dashes }),
});

interface Place {
  readonly x: number;
  readonly y: number;
}

const told = (words: string | undefined): readonly string[] => (words === undefined ? [] : [tooltip(words)]);

function mark(kind: NonNullable<Series['mark']>, { x, y }: Place, colour: string, words?: string): string {
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
