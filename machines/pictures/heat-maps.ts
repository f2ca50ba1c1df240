import { element, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { colourScale, shortNumber } from './colour-scale.ts';
import { type Drawing, headed, margin } from './drawing.ts';
import { wide } from './legend.ts';
import { dark, ground, ink } from './palette.ts';

/** What every map says. */
interface MapHeading {
  readonly title: string;
  /** What the values count, with its unit: `bytes issued`. */
  readonly unit: string;
  readonly subtitle?: string;
}

/** A grid of equal actors before it is drawn: one value each. */
export interface ValueGrid extends MapHeading {
  /** Cells of a row; rows follow each other. */
  readonly columns: number;
  readonly cells: readonly { readonly label: string; readonly value: number; readonly tooltip: string }[];
}

const cell = 56;

/** Draws a grid whose cells are the darker the more; each says its value, and a colour scale what the colours mean. */
export function valueGrid({ title, unit, subtitle, columns, cells }: ValueGrid): Drawing {
  const values = cells.map(({ value }) => value);
  const scale = colourScale(unit, values);
  const [width, height] = [columns * cell, Math.ceil(cells.length / columns) * cell];
  return headed({ title, subtitle }, width, (top) => ({
    width: margin + Math.max(width, scale.key.width),
    height: top + height + 14 + scale.key.height,
    marks: [
      ...cells.flatMap(({ label, value, tooltip: words }, index) => {
        const [x, y] = [margin + (index % columns) * cell, top + Math.floor(index / columns) * cell];
        const middle = { x: x + cell / 2 - 1, 'text-anchor': 'middle', fill: scale.on(value) };
        return [
          element(
            'rect',
            { x, y, width: cell - 2, height: cell - 2, rx: 3, fill: scale.colour(value) },
            tooltip(words),
          ),
          textElement({ ...middle, y: y + 18, 'font-size': 10 }, label),
          textElement({ ...middle, y: y + 38, 'font-size': 12 }, shortNumber(value)),
        ];
      }),
      ...at(scale.key, margin, top + height + 14),
    ],
  }));
}

/** A network before it is drawn: routers and what went over each direction of each link. */
export interface LinkMap extends MapHeading {
  /** Columns and rows from 0; `label` is written into the router. */
  readonly nodes: readonly {
    readonly column: number;
    readonly row: number;
    readonly label: string;
    readonly tooltip: string;
  }[];
  /** `from` and `to` are places in `nodes`. */
  readonly links: readonly {
    readonly from: number;
    readonly to: number;
    readonly value: number;
    readonly tooltip: string;
  }[];
}

const [pitch, boxHeight, stubLength] = [96, 28, 28];
/** Colour of a link over which nothing went. */
const unused = '#b8c1cb';

/**
 * Draws a network whose links are the darker and thicker the more went over them; an arrow for each direction, on its right-hand side.
 *
 * Details: a link to a router that is not next to its own (around the edge of a torus) is a stub that leaves to the outside and says where it goes.
 */
export function linkMap({ title, unit, subtitle, nodes, links }: LinkMap): Drawing {
  const values = links.map(({ value }) => value);
  const scale = colourScale(unit, values);
  const most = Math.max(0, ...values) || 1;
  const half = Math.max(14, ...nodes.map(({ label }) => (textWidth(label, 11) * wide) / 2 + 5));
  const step = Math.max(pitch, 2 * half + 44);
  const columns = Math.max(1, ...nodes.map(({ column }) => column + 1));
  const rows = Math.max(1, ...nodes.map(({ row }) => row + 1));
  // Stubs around the edges need room.
  const edge = half + (links.some((one) => wrapsAround(one, nodes, columns, rows)) ? stubLength + 8 : 6);
  const [width, height] = [2 * edge + (columns - 1) * step, 2 * edge + (rows - 1) * pitch];
  return headed({ title, subtitle }, width, (top) => {
    const x = (node: number): number => margin + edge + nodes[node]!.column * step;
    const y = (node: number): number => top + edge + nodes[node]!.row * pitch;
    const place = (node: number): Point => ({ x: x(node), y: y(node) });
    const box = { x: half + 3, y: boxHeight / 2 + 3 };
    const drawn = [...links]
      .sort((a, b) => a.value - b.value)
      .map((one) => {
        const { value, tooltip: words } = one;
        const stroke = {
          colour: value > 0 ? scale.colour(value) : unused,
          width: 1.5 + 4.5 * (value / most),
        };
        const ends = wrapsAround(one, nodes, columns, rows)
          ? stubOf(place(one.from), place(one.to), box)
          : between(place(one.from), place(one.to), box);
        return arrow(ends, stroke, words);
      });
    return {
      width: margin + Math.max(width, scale.key.width),
      height: top + height + 14 + scale.key.height,
      marks: [
        ...drawn,
        ...nodes.flatMap(({ label, tooltip: words }, node) => [
          element(
            'rect',
            {
              x: x(node) - half,
              y: y(node) - boxHeight / 2,
              width: 2 * half,
              height: boxHeight,
              rx: 5,
              fill: ground,
              stroke: ink,
              'stroke-width': 0.8,
            },
            tooltip(words),
          ),
          textElement(
            { x: x(node), y: y(node) + 4, 'text-anchor': 'middle', 'font-size': 11, fill: dark },
            label,
          ),
        ]),
        ...at(scale.key, margin, top + height + 14),
      ],
    };
  });
}

/** Whether a link goes from one edge to the opposite one. */
function wrapsAround(
  { from, to }: { readonly from: number; readonly to: number },
  nodes: LinkMap['nodes'],
  columns: number,
  rows: number,
): boolean {
  const [a, b] = [nodes[from]!, nodes[to]!];
  const across = Math.abs(a.column - b.column);
  const down = Math.abs(a.row - b.row);
  return (
    (down === 0 && across > 1 && across === columns - 1) || (across === 0 && down > 1 && down === rows - 1)
  );
}

const at = ({ marks }: Drawing, x: number, y: number): readonly string[] => [
  element('g', { transform: `translate(${Math.round(x)} ${Math.round(y)})` }, ...marks),
];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The unit vector from one point to another. */
function direction(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** The point so far along a way, and beside it to the right. */
const moved = ({ x, y }: Point, way: Point, along: number, right: number): Point => ({
  x: x + along * way.x - right * way.y,
  y: y + along * way.y + right * way.x,
});

/** How far the edge of a router's box is from its centre, in a direction. */
const edgeOf = (box: Point, { x, y }: Point): number =>
  Math.min(box.x / Math.max(1e-9, Math.abs(x)), box.y / Math.max(1e-9, Math.abs(y)));

/** Px between the two directions of a link, from the middle. */
const apart = 6;

/** From the box of one router to that of another. */
function between(from: Point, to: Point, box: Point): readonly [Point, Point] {
  const way = direction(from, to);
  const edge = edgeOf(box, way);
  return [moved(from, way, edge, apart), moved(to, way, -edge, apart)];
}

/** Out of the picture, away from where the link comes in again. */
function stubOf(from: Point, to: Point, box: Point): readonly [Point, Point] {
  const way = direction(to, from);
  const edge = edgeOf(box, way);
  return [moved(from, way, edge, apart), moved(from, way, edge + stubLength, apart)];
}

/** A line with a head at its end. */
function arrow(
  [from, to]: readonly [Point, Point],
  { colour, width }: { readonly colour: string; readonly width: number },
  words: string,
): string {
  const way = direction(from, to);
  const head = { length: 6 + width, half: 2.5 + width * 0.8 };
  const base = moved(to, way, -head.length, 0);
  const corners = [to, moved(base, way, 0, head.half), moved(base, way, 0, -head.half)];
  return element(
    'g',
    { fill: colour },
    tooltip(words),
    element('line', {
      x1: from.x,
      y1: from.y,
      x2: base.x,
      y2: base.y,
      stroke: colour,
      'stroke-width': width,
    }),
    element('polygon', { points: corners.map(({ x, y }) => `${svgNumber(x)},${svgNumber(y)}`).join(' ') }),
  );
}
