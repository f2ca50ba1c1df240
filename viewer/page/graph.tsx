import { graphlib, layout } from '@dagrejs/dagre';
import { useMemo } from 'preact/hooks';

/** A box of a graph; `lit` ones are what the graph is about. */
export interface GraphBox {
  readonly id: string;
  readonly lines: readonly string[];
  readonly lit?: boolean;
  readonly chosen?: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly lit?: boolean;
  /** Something is on its way along it. */
  readonly busy?: boolean;
  readonly tooltip?: string;
}

const [lineHeight, letter, lineMax, margin] = [16, 7, 36, 8];
const cut = (text: string): string => (text.length <= lineMax ? text : `${text.slice(0, lineMax - 1)}…`);

/** Boxes and arrows, laid out in layers; a click on a box tells whose it is. */
export function Graph({
  boxes,
  edges,
  label,
  across = false,
  onChoose,
}: {
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
  readonly label: string;
  /** Layers from left to right instead of from top to bottom. */
  readonly across?: boolean;
  readonly onChoose?: (id: string) => void;
}) {
  const placed = useMemo(
    () => place(boxes, edges, across),
    [
      JSON.stringify([
        boxes.map(({ id, lines }) => [id, lines]),
        edges.map(({ from, to }) => [from, to]),
        across,
      ]),
    ],
  );
  const { left, top, width, height } = sizeOf(placed, edges);
  const chosen = (id: string) => () => onChoose?.(id);
  return (
    <figure class="scroll" aria-label={label}>
      <svg class="graph" viewBox={`${left} ${top} ${width} ${height}`} width={width} height={height}>
        <title>{label}</title>
        <defs>
          {(['plain', 'lit', 'busy'] as const).map((kind) => (
            <marker
              key={kind}
              id={`head-${kind}`}
              class={`head ${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          ))}
        </defs>
        {edges.map(({ from, to, lit, busy, tooltip }, index) => {
          const edge = placed.edge(from, to, String(index));
          if (!edge?.points) return null;
          const d = (edge.points as readonly Point[])
            .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`)
            .join('');
          return (
            <g key={index} class={`edge${lit ? ' lit' : busy ? ' busy' : ''}`}>
              <path d={d} marker-end={`url(#head-${lit ? 'lit' : busy ? 'busy' : 'plain'})`} />
              {tooltip && <title>{tooltip}</title>}
            </g>
          );
        })}
        {boxes.map(({ id, lines, lit, chosen: isChosen }) => {
          const {
            x,
            y,
            width: own,
            height: tall,
          } = placed.node(id) as { x: number; y: number; width: number; height: number };
          return (
            <g
              key={id}
              class={`box${lit ? ' lit' : ''}${isChosen ? ' chosen' : ''}`}
              transform={`translate(${x - own / 2} ${y - tall / 2})`}
              {...(onChoose && {
                role: 'button',
                tabIndex: 0,
                onClick: chosen(id),
                onKeyDown: (event: KeyboardEvent) => {
                  if (event.key === 'Enter' || event.key === ' ') {
                    event.preventDefault();
                    event.stopPropagation();
                    onChoose(id);
                  }
                },
              })}
            >
              <title>{lines.join('\n')}</title>
              <rect width={own} height={tall} rx="6" />
              {lines.map((line, index) => (
                <text
                  key={index}
                  x={own / 2}
                  y={8 + lineHeight * (index + 0.5)}
                  class={index === 0 ? 'name' : ''}
                  text-anchor="middle"
                  dominant-baseline="middle"
                >
                  {cut(line)}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a graph takes up: arrows may go around its boxes. */
function sizeOf(placed: ReturnType<typeof place>, edges: readonly GraphEdge[]) {
  const { width = 0, height = 0 } = placed.graph();
  const points = edges.flatMap(
    ({ from, to }, index) => (placed.edge(from, to, String(index))?.points ?? []) as readonly Point[],
  );
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(0, ...xs.map((x) => x - margin)), Math.min(0, ...ys.map((y) => y - margin))];
  const right = Math.max(width, ...xs.map((x) => x + margin));
  const bottom = Math.max(height, ...ys.map((y) => y + margin));
  return { left, top, width: right - left, height: bottom - top };
}

function place(boxes: readonly GraphBox[], edges: readonly GraphEdge[], across: boolean) {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: across ? 'LR' : 'TB',
    nodesep: 22,
    edgesep: 12,
    ranksep: across ? 54 : 38,
    marginx: margin,
    marginy: margin,
  });
  for (const { id, lines } of boxes)
    graph.setNode(id, {
      width: 20 + letter * Math.max(...lines.map((line) => cut(line).length)),
      height: 16 + lineHeight * lines.length,
    });
  edges.forEach(({ from, to }, index) => {
    graph.setEdge(from, to, {}, String(index));
  });
  layout(graph);
  return graph;
}
