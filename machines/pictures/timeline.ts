import { element, page, textElement, textWidth, tooltip } from '../svg.ts';
import { axis, ticksBelow } from './axis.ts';
import { legend, wide } from './legend.ts';
import { dark, faint, ink } from './palette.ts';

/** Something that lasted. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly tooltip?: string;
}

/** A timeline before it is drawn. */
export interface Timeline {
  readonly title: string;
  /** What the axis counts: `cycles of the network`. */
  readonly unit: string;
  readonly rows: readonly { readonly label: string; readonly spans: readonly Span[] }[];
  /** Colours of the kinds in the order of the legend, which names those that happen. */
  readonly kinds: readonly { readonly name: string; readonly colour: string }[];
}

const [plotWidth, rowHeight, margin, titleSize, bold] = [800, 22, 20, 15, 1.2];

/** Draws a timeline in SVG: a row for each actor, time to the right with round ticks, a legend of all kinds that happen. */
export function timeline({ title, unit, rows, kinds }: Timeline): string {
  const spans = rows.flatMap((row) => row.spans);
  const happen = new Set(spans.map(({ kind }) => kind));
  const colours = new Map(kinds.map(({ name, colour }) => [name, colour]));
  const left = margin + 10 + Math.max(0, ...rows.map(({ label }) => textWidth(label, 12) * wide));
  const keys = legend(
    kinds
      .filter(({ name }) => happen.has(name))
      .map(({ name, colour }) => ({
        words: name,
        sign: (x, y) => element('rect', { x, y, width: 14, height: 14, fill: colour, class: 'key' }),
      })),
    { x: left, y: 44, width: plotWidth },
  );
  const top = 44 + keys.height + 6;
  const bottom = top + rowHeight * rows.length;
  const time = axis(
    { label: unit },
    spans.map(({ to }) => to),
    [left, left + plotWidth],
  );
  const lastTick = time.ticks.at(-1)?.text ?? '';
  const width = Math.ceil(
    Math.max(
      left + plotWidth + (textWidth(lastTick, 11) * wide) / 2,
      left + keys.width,
      margin + textWidth(title, titleSize) * bold,
    ) + margin,
  );
  return page(
    { width, height: bottom + 50, title },
    textElement({ x: margin, y: 28, 'font-size': titleSize, 'font-weight': 600, fill: dark }, title),
    ...keys.drawn,
    ...ticksBelow(time, top, bottom),
    ...rows.flatMap(({ label, spans: own }, index) => {
      const y = top + rowHeight * index;
      return [
        element('line', {
          x1: left,
          x2: left + plotWidth,
          y1: y + rowHeight,
          y2: y + rowHeight,
          stroke: faint,
        }),
        textElement({ x: left - 10, y: y + 15, 'text-anchor': 'end', 'font-size': 12, fill: ink }, label),
        ...own.map(({ from, to, kind, tooltip: words }) =>
          element(
            'rect',
            {
              x: time.at(from),
              y: y + 4,
              width: Math.max(0.5, time.at(to) - time.at(from)),
              height: rowHeight - 8,
              fill: colours.get(kind) ?? ink,
            },
            tooltip(words ?? `${kind}: ${from} to ${to}`),
          ),
        ),
      ];
    }),
    textElement(
      { x: left + plotWidth / 2, y: bottom + 36, 'text-anchor': 'middle', 'font-size': 12, fill: ink },
      unit,
    ),
  );
}
