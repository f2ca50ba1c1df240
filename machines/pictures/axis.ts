import { scaleLinear, scaleLog } from 'd3-scale';
import { element, svgNumber, textElement, textWidth } from '../svg.ts';
import { faint, ink } from './palette.ts';

/** What an axis shows. */
export interface AxisKind {
  /** What is measured, with its unit: `delay, cycles`. */
  readonly label: string;
  /** Base of a logarithmic axis; linear when absent. Values on a logarithmic axis are above 0. */
  readonly logarithmic?: number;
  /** Last value; what lies beyond is drawn at the edge. The greatest of all when absent. */
  readonly max?: number;
  /** Writes a tick; its number when absent. */
  format?(value: number): string;
}

/** An axis over its px. */
export interface Axis {
  /** Place of a value in px; values beyond the ends are at the ends. */
  at(value: number): number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  readonly last: number;
}

/** An axis from 0, or from the least value when it is logarithmic or there are some below 0, to round numbers; `places` are px of its ends. */
export function axis(kind: AxisKind, values: readonly number[], places: readonly [number, number]): Axis {
  const { logarithmic, format } = kind;
  const least = values.reduce((a, b) => Math.min(a, b), logarithmic === undefined ? 0 : Number.MAX_VALUE);
  const most = kind.max ?? values.reduce((a, b) => Math.max(a, b), least);
  if (logarithmic === undefined) {
    const length = Math.abs(places[1] - places[0]);
    const count = Math.max(2, Math.min(10, Math.floor(length / 60)));
    const scale = scaleLinear([least, most > least ? most : least + 1], places)
      .nice(count)
      .clamp(true);
    const written = scale.tickFormat(count);
    return {
      at: (value) => scale(value),
      ticks: scale.ticks(count).map((tick) => ({
        at: scale(tick),
        text: format ? format(tick) : written(tick).replace('\u2212', '-'),
      })),
      last: scale.domain()[1]!,
    };
  }
  const low = values.length === 0 ? 1 : least;
  const high = most > low ? most : low * logarithmic;
  const scale = scaleLog([low, high], places).base(logarithmic).nice().clamp(true);
  const [first, last] = scale.domain() as [number, number];
  const power = (value: number): number => Math.round(Math.log(value) / Math.log(logarithmic));
  const powers = Array.from({ length: power(last) - power(first) + 1 }, (_, index) =>
    Number((logarithmic ** (power(first) + index)).toPrecision(6)),
  );
  return {
    at: (value) => scale(value),
    ticks: powers.map((tick) => ({ at: scale(tick), text: format ? format(tick) : svgPlain(tick) })),
    last,
  };
}

/** Short enough to stand below its tick at the edge of a picture. */
const svgPlain = (value: number): string =>
  value >= 0.01 ? svgNumber(value) : String(Number(value.toPrecision(3)));

/** Draws ticks below a plot with lines up through it; texts that would touch the one before are left out. */
export function ticksBelow({ ticks }: Axis, top: number, bottom: number): readonly string[] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.flatMap(({ at, text }) => {
    const half = textWidth(text, 11) / 2;
    const fits = at - half > end + 6;
    if (fits) end = at + half;
    return [
      element('line', { x1: at, x2: at, y1: top, y2: bottom, stroke: faint }),
      ...(fits
        ? [
            textElement(
              { x: at, y: bottom + 16, 'text-anchor': 'middle', 'font-size': 11, fill: ink, class: 'tick' },
              text,
            ),
          ]
        : []),
    ];
  });
}

/** Draws ticks to the left of a plot with lines across it. */
export const ticksBeside = ({ ticks }: Axis, left: number, right: number): readonly string[] =>
  ticks.flatMap(({ at, text }) => [
    element('line', { x1: left, x2: right, y1: at, y2: at, stroke: faint }),
    textElement(
      { x: left - 8, y: at + 4, 'text-anchor': 'end', 'font-size': 11, fill: ink, class: 'tick' },
      text,
    ),
  ]);
