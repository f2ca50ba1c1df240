import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import { element, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { type Drawing, type Heading, headed, margin } from './drawing.ts';
import { type LegendEntry, wide } from './legend.ts';
import { dark, ink } from './palette.ts';

/** How a node or an arrow looks; plain when absent. */
export interface Look {
  readonly fill?: string;
  readonly stroke?: string;
  readonly words?: string;
  readonly dashed?: boolean;
  /** Width of the line in px. */
  readonly line?: number;
}

/** An entry of a legend for boxes of a look. */
export const boxKey = (
  words: string,
  { fill = '#ffffff', stroke = ink, dashed = false }: Look,
): LegendEntry => ({
  words,
  sign: (x, y) =>
    element('rect', {
      x,
      y,
      width: 14,
      height: 14,
      rx: 3,
      fill,
      stroke,
      ...(dashed && { 'stroke-dasharray': '3 2' }),
    }),
});

/** A line of words; plain when it has no colour. */
export interface GraphLine {
  readonly text: string;
  readonly colour?: string;
}

/** A node of a graph: a box with its name, further lines, and the nodes inside it. */
export interface GraphNode {
  readonly id: string;
  /** `start` is a dot, `end` a dot in a circle. */
  readonly kind?: 'box' | 'start' | 'end';
  readonly name?: string;
  readonly lines?: readonly GraphLine[];
  readonly children?: readonly GraphNode[];
  readonly look?: Look;
  readonly tooltip?: string;
}

/** An arrow from one node to another, or to itself, with its words. */
export interface GraphArrow {
  readonly from: string;
  readonly to: string;
  readonly lines?: readonly GraphLine[];
  readonly look?: Look;
  readonly tooltip?: string;
}

/** A graph before it is drawn. */
export interface Graph extends Heading {
  readonly nodes: readonly GraphNode[];
  readonly arrows: readonly GraphArrow[];
}

const [nameSize, lineSize, lineHeight] = [13, 11, 15];
const nameHeight = 26;

const layout: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '5',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  // What leads back to where the actor began goes up.
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
};

/** Lays out and draws a graph whose nodes may hold others: layers from top to bottom, arrows around the boxes, words beside their arrows. */
export async function graph(picture: Graph): Promise<Drawing> {
  const { nodes, arrows } = picture;
  const { default: elk } = await import('elkjs/lib/elk.bundled.js');
  const place = (widened: Widened): Promise<ElkNode> =>
    new elk.default().layout({
      id: 'graph of all nodes',
      layoutOptions: { ...layout, 'elk.padding': '[top=4,left=4,bottom=4,right=4]' },
      children: nodes.map((one) => boxOf(one, widened)),
      edges: arrows.map(edgeOf),
    });
  let placed = await place(new Map());
  // The layout makes a box as wide as the boxes in it, however long its own lines are.
  const narrow = tooNarrow(nodes, byIdIn(placed));
  if (narrow.size > 0) placed = await place(narrow);
  const byId = byIdIn(placed);
  const [width, height] = [placed.width ?? 0, placed.height ?? 0];
  return headed(picture, Math.max(width, 420), (top) => ({
    width: margin + width,
    height: top + height + 8,
    marks: [
      element(
        'g',
        { transform: `translate(${margin} ${Math.ceil(top)})` },
        ...nodes.flatMap((one) => nodeMarks(one, byId)),
        ...(placed.edges ?? []).map((edge, index) => arrowMarks(arrows[index]!, edge)),
      ),
    ],
  }));
}

const widest = (lines: readonly GraphLine[], size: number): number =>
  lines.reduce((most, { text }) => Math.max(most, textWidth(text, size) * wide), 0);

/** By id, how many px a box that holds others lacks for its own lines. */
type Widened = ReadonlyMap<string, number>;

function byIdIn(placed: ElkNode): ReadonlyMap<string, ElkNode> {
  const byId = new Map<string, ElkNode>();
  const visit = (one: ElkNode): void => {
    byId.set(one.id, one);
    one.children?.forEach(visit);
  };
  visit(placed);
  return byId;
}

const tooNarrow = (nodes: readonly GraphNode[], placed: ReadonlyMap<string, ElkNode>): Widened =>
  new Map(
    nodes.flatMap((one): readonly (readonly [string, number])[] => {
      const { id, children = [] } = one;
      if (children.length === 0) return [];
      const lacks = ownWidth(one) - (placed.get(id)?.width ?? 0);
      return [...(lacks > 0 ? [[id, lacks] as const] : []), ...tooNarrow(children, placed)];
    }),
  );

/** What the name and the lines of a box need, px. */
const ownWidth = ({ name = '', lines = [] }: GraphNode): number =>
  24 + Math.max(40, widest([{ text: name }], nameSize), widest(lines, lineSize));

function boxOf(node: GraphNode, widened: Widened): ElkNode {
  const { id, kind = 'box', lines = [], children = [] } = node;
  if (kind !== 'box') return { id, width: 16, height: 16 };
  const width = ownWidth(node);
  const height = nameHeight + lines.length * lineHeight + (lines.length > 0 ? 6 : 2);
  if (children.length === 0) return { id, width, height };
  return {
    id,
    children: children.map((one) => boxOf(one, widened)),
    // Boxes inherit nothing from the graph that they stand in.
    layoutOptions: {
      ...layout,
      'elk.padding': `[top=${height + 10},left=14,bottom=14,right=${14 + (widened.get(id) ?? 0)}]`,
    },
  };
}

const edgeOf = ({ from, to, lines = [] }: GraphArrow, index: number): ElkExtendedEdge => ({
  id: `arrow ${index}`,
  sources: [from],
  targets: [to],
  labels:
    lines.length === 0
      ? []
      : [
          {
            text: lines.map(({ text }) => text).join('\n'),
            width: widest(lines, lineSize) + 6,
            height: lines.length * lineHeight,
          },
        ],
});

function nodeMarks(node: GraphNode, placed: ReadonlyMap<string, ElkNode>): readonly string[] {
  const { id, kind = 'box', name = '', lines = [], children = [], look = {}, tooltip: words } = node;
  const { x = 0, y = 0, width = 0, height = 0 } = placed.get(id)!;
  const { fill = '#ffffff', stroke = ink, words: colour = dark, dashed = false, line = 1.2 } = look;
  const centre = { cx: x + width / 2, cy: y + height / 2 };
  if (kind === 'start') return [element('circle', { ...centre, r: 6, fill: dark })];
  if (kind === 'end')
    return [
      element('circle', { ...centre, r: 7, fill: '#ffffff', stroke: dark }),
      element('circle', { ...centre, r: 4, fill: dark }),
    ];
  return [
    element(
      'rect',
      {
        x,
        y,
        width,
        height,
        rx: 8,
        fill,
        stroke,
        // By this the viewer finds the states that are active.
        'data-node': id,
        'stroke-width': line,
        ...(dashed && { 'stroke-dasharray': '5 3' }),
      },
      ...(words === undefined ? [] : [tooltip(words)]),
    ),
    textElement(
      {
        // The name of a box that holds others stands at its corner: arrows come in at its middle.
        x: children.length > 0 ? x + 12 : x + width / 2,
        y: y + 18,
        'text-anchor': children.length > 0 ? 'start' : 'middle',
        'font-size': nameSize,
        'font-weight': 600,
        fill: colour,
      },
      name,
    ),
    ...lines.map(({ text, colour: own = colour }, at) =>
      textElement(
        { x: x + 12, y: y + nameHeight + 10 + at * lineHeight, 'font-size': lineSize, fill: own },
        text,
      ),
    ),
    ...children.flatMap((child) => nodeMarks(child, placed)),
  ];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function arrowMarks({ lines = [], look = {}, tooltip: words }: GraphArrow, edge: ElkExtendedEdge): string {
  const { stroke = ink, words: colour = dark, dashed = false, line = 1.2 } = look;
  const sections = edge.sections ?? [];
  const paths = sections.map(({ startPoint, bendPoints = [], endPoint }) =>
    rounded([startPoint, ...bendPoints, endPoint]),
  );
  const last = sections.at(-1);
  const label = edge.labels?.[0];
  return element(
    'g',
    {},
    ...(words === undefined ? [] : [tooltip(words)]),
    element('path', {
      d: paths.join(''),
      fill: 'none',
      stroke,
      'stroke-width': line,
      ...(dashed && { 'stroke-dasharray': '5 3' }),
    }),
    ...(last ? [headAt(last.bendPoints?.at(-1) ?? last.startPoint, last.endPoint, stroke)] : []),
    ...lines.map(({ text, colour: own = colour }, at) =>
      textElement(
        {
          x: (label?.x ?? 0) + 3,
          y: (label?.y ?? 0) + 11 + at * lineHeight,
          'font-size': lineSize,
          fill: own,
        },
        text,
      ),
    ),
  );
}

const cornerRadius = 6;

/** A way through points with its corners rounded. */
function rounded(points: readonly Point[]): string {
  const at = ({ x, y }: Point): string => `${svgNumber(x)} ${svgNumber(y)}`;
  const towards = (from: Point, to: Point): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const share = length === 0 ? 0 : Math.min(cornerRadius, length / 2) / length;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  };
  const corners = points
    .slice(1, -1)
    .map(
      (corner, index) =>
        `L${at(towards(corner, points[index]!))}Q${at(corner)} ${at(towards(corner, points[index + 2]!))}`,
    );
  return `M${at(points[0]!)}${corners.join('')}L${at(points.at(-1)!)}`;
}

/** The head of an arrow that ends at `to`. */
function headAt(from: Point, to: Point, fill: string): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const corner = (side: number): string =>
    `${svgNumber(to.x - 8 * dx - side * 4 * dy)},${svgNumber(to.y - 8 * dy + side * 4 * dx)}`;
  return element('polygon', {
    points: `${svgNumber(to.x)},${svgNumber(to.y)} ${corner(1)} ${corner(-1)}`,
    fill,
  });
}
