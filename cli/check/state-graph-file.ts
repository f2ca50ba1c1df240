import type { DecodedState } from '../../kernel/explore/decode.ts';
import type { TickDelivery } from '../../kernel/explore/explorer.ts';

/** The ticks of an exploration as a graph between its states, each pair of states once, with the deliveries of the first tick that leads from one to the other. */
export class TickGraph {
  readonly #edges = new Map<string, { readonly from: number; readonly to: number; readonly label: string }>();

  /** Takes up a tick. */
  add(from: number, to: number, deliveries: readonly TickDelivery[]): void {
    const key = `${from} ${to}`;
    if (this.#edges.has(key)) return;
    const label = deliveries.map((one) => `${one.from} -> ${one.to}: ${one.type}`).join('\n');
    this.#edges.set(key, { from, to, label });
  }

  /** The graph in the language of Graphviz. `wrong` are states in which something is found. */
  dot(states: readonly DecodedState[], wrong: ReadonlySet<number>): string {
    const nodes = states.map((state, index) => {
      const look = wrong.has(index) ? ', color="#b00020", penwidth=2' : '';
      return `  s${index} [label=${quoted(`${index}\n${stateText(state)}`)}${look}];`;
    });
    const edges = [...this.#edges.values()].map(
      ({ from, to, label }) => `  s${from} -> s${to} [label=${quoted(label)}];`,
    );
    return [
      'digraph states {',
      '  node [shape=box, fontname="sans-serif", fontsize=10];',
      '  edge [fontname="sans-serif", fontsize=8];',
      ...nodes,
      ...edges,
      '}',
      '',
    ].join('\n');
  }

  /** The graph as a picture: a row for each number of ticks from the start. Titles, which browsers show under the pointer, spell out states and ticks. */
  svg(states: readonly DecodedState[], wrong: ReadonlySet<number>, title: string): string {
    const edges = [...this.#edges.values()];
    const rows = this.#rows(states.length, edges);
    const widest = Math.max(1, ...rows.map((row) => row.length));
    const width = margin * 2 + widest * columnWidth;
    const height = margin * 2 + rows.length * rowHeight;
    const at = new Map<number, readonly [x: number, y: number]>();
    rows.forEach((row, y) => {
      const left = (width - row.length * columnWidth) / 2;
      row.forEach((state, x) => {
        at.set(state, [left + (x + 0.5) * columnWidth, margin + (y + 0.5) * rowHeight]);
      });
    });
    const lines = edges.map(({ from, to, label }) => {
      const path = from === to ? loopAt(at.get(from)!) : curve(at.get(from)!, at.get(to)!);
      return `<path d="${path}" marker-end="url(#tip)"><title>${escaped(`${from} to ${to}\n${label}`)}</title></path>`;
    });
    const nodes = states.map((state, index) => {
      const [x, y] = at.get(index)!;
      const quiet = state.messages.length === 0;
      const kind = wrong.has(index) ? 'wrong' : quiet ? 'quiet' : 'plain';
      return `<g class="${kind}"><title>${escaped(`${index}\n${stateText(state)}`)}</title><circle cx="${x}" cy="${y}" r="${radius}"/><text x="${x}" y="${y + 4}">${index}</text></g>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 11px sans-serif; text-anchor: middle; }
path { fill: none; stroke: #667; stroke-width: 1; }
circle { fill: #fff; stroke: #334; }
.quiet circle { fill: #dde; }
.wrong circle { fill: #fdd; stroke: #b00020; stroke-width: 2; }
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" style="fill:#667;stroke:none"/></marker></defs>
${lines.join('\n')}
${nodes.join('\n')}
</svg>
`;
  }

  /** The states by their distance from the first ones, which no tick leads to from an earlier one. */
  #rows(
    count: number,
    edges: readonly { readonly from: number; readonly to: number }[],
  ): readonly (readonly number[])[] {
    const rowOf = new Array<number>(count).fill(0);
    // States are numbered breadth first, so the first tick that leads to one comes from the row above it.
    const found = new Array<boolean>(count).fill(false);
    for (const { from, to } of edges)
      if (!found[to] && from < to) {
        found[to] = true;
        rowOf[to] = rowOf[from]! + 1;
      }
    const rows: number[][] = [];
    rowOf.forEach((row, state) => {
      rows[row] ??= [];
      rows[row].push(state);
    });
    return rows;
  }
}

const margin = 20;
const columnWidth = 56;
const rowHeight = 80;
const radius = 16;

type Point = readonly [x: number, y: number];

/** A curve from the edge of one circle to that of another. */
function curve([fromX, fromY]: Point, [toX, toY]: Point): string {
  const length = Math.hypot(toX - fromX, toY - fromY);
  const [dx, dy] = [((toX - fromX) / length) * radius, ((toY - fromY) / length) * radius];
  const [x1, y1, x2, y2] = [fromX + dx, fromY + dy, toX - dx, toY - dy];
  // Back and forth between two states are two lines.
  const bend = toY > fromY ? 0 : 0.25;
  const [midX, midY] = [(x1 + x2) / 2 + (y2 - y1) * bend, (y1 + y2) / 2 - (x2 - x1) * bend];
  return `M${rounded(x1)} ${rounded(y1)} Q${rounded(midX)} ${rounded(midY)} ${rounded(x2)} ${rounded(y2)}`;
}

const loopAt = ([x, y]: Point): string =>
  `M${x + 11} ${y - 11} C${x + 34} ${y - 34} ${x + 34} ${y + 34} ${x + 12} ${y + 12}`;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A state in a few lines: who is in which state, and what is under way. */
const stateText = ({ actors, messages }: DecodedState): string =>
  [
    ...actors.map(({ name, state }) => `${name}: ${state}`),
    ...messages.map(
      ({ from, to, event, due }) => `${from} -> ${to}: ${event.type}${due > 0 ? ` in ${due}` : ''}`,
    ),
  ].join('\n');

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, (one) => `\\${one}`).replace(/\n/g, '\\n')}"`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!);
