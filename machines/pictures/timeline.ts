import { element, tooltip } from '../svg.ts';
import type { Drawing } from './drawing.ts';
import { type Lane, lanes } from './lanes.ts';
import type { LegendEntry } from './legend.ts';
import { ink } from './palette.ts';

/** Something that lasted. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly tooltip?: string;
}

/** A kind of spans, with its colour. */
export interface SpanKind {
  readonly name: string;
  readonly colour: string;
}

/** A timeline before it is drawn. */
export interface Timeline {
  readonly title: string;
  readonly subtitle?: string;
  /** What the axis counts: `cycles of the network`. */
  readonly unit: string;
  /** The last moment; the end of the last span when absent. */
  readonly end?: number;
  readonly panels: readonly {
    readonly caption?: string;
    readonly rows: readonly { readonly label: string; readonly spans: readonly Span[] }[];
  }[];
  /** Colours of the kinds in the order of the legend, which names those that happen. */
  readonly kinds: readonly SpanKind[];
}

/** Rows beyond which they are drawn closer together. */
const manyRows = 40;

/** Draws a timeline: a row for each actor, time to the right with round ticks, a legend of all kinds that happen. */
export function timeline({ title, subtitle, unit, end, panels, kinds }: Timeline): Drawing {
  const rows = panels.flatMap((panel) => panel.rows);
  const spans = rows.flatMap((row) => row.spans);
  const happen = new Set(spans.map(({ kind }) => kind));
  const height = rows.length > manyRows ? 14 : 22;
  return lanes({
    title,
    subtitle,
    unit,
    end: end ?? spans.reduce((last, { to }) => Math.max(last, to), 0),
    legend: kinds.filter(({ name }) => happen.has(name)).map(({ name, colour }) => swatch(name, colour)),
    panels: panels.map(({ caption, rows: own }) => ({
      ...(caption !== undefined && { caption }),
      lanes: own.map(({ label, spans: mine }): Lane => spanRow(label, mine, kinds, height)),
    })),
  });
}

/** A row of spans in the colours of their kinds. */
function spanRow(label: string, spans: readonly Span[], kinds: readonly SpanKind[], height: number): Lane {
  const colours = new Map(kinds.map(({ name, colour }) => [name, colour]));
  const inset = height > 16 ? 4 : 1.5;
  return {
    label,
    height,
    draw: (time, y) =>
      spans.map(({ from, to, kind, tooltip: words }) =>
        element(
          'rect',
          {
            x: time.at(from),
            y: y + inset,
            width: Math.max(0.5, time.at(to) - time.at(from)),
            height: height - 2 * inset,
            fill: colours.get(kind) ?? ink,
          },
          tooltip(words ?? `${kind}: ${from} to ${to}`),
        ),
      ),
  };
}

/** An entry of a legend for a coloured area. */
export const swatch = (words: string, colour: string): LegendEntry => ({
  words,
  sign: (x, y) => element('rect', { x, y, width: 14, height: 14, fill: colour, class: 'key' }),
});
