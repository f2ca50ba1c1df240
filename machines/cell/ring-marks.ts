import { element, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { type CycleScale, cycleLeft, roundStep } from './cycle-scale.ts';
import type { CellLogHeader } from './log-events.ts';
import { gridLines, rowName } from './picture-grid.ts';
import { colourIndex } from './picture-style.ts';
import { occupiedShare, percent } from './ring-occupation.ts';
import { panelBottom, type RingPanel } from './space-time-layout.ts';
import { ringName, transferLabel, transferStory } from './transfer-words.ts';
import type { LoggedTransfer, Occupation } from './transfers-of-log.ts';

/** Font size in px of the labels inside areas; the style sheet says the same. */
const LABEL_SIZE = 11;
/** Most px that the arrow from sender to receiver takes of an area's width. */
const WAY_WIDTH = 14;

/** Draws one ring: its name, its node rows and the transfers that held parts of it (Cell specification 5 and 9). */
export function ringMarks(panel: RingPanel, header: CellLogHeader, scale: CycleScale): string {
  const { dir, ring, occupation, top, rowHeight, transfers } = panel;
  const name = textElement({ class: 'panel-name', x: 12, y: top + 14 }, ringName(dir, ring));
  const way = dir === 0 ? 'bytes move down the rows' : 'bytes move up the rows';
  const share = `${way} · ${percent(occupiedShare(occupation))} of the node-cycles used`;
  const use = textElement(
    { class: 'small', x: 84, y: top + 14 },
    rowHeight > 0 ? share : occupation.used > 0 ? `${share}, none in these cycles` : 'not used',
  );
  const attributes = { class: 'ring-panel', 'data-dir': dir, 'data-ring': ring };
  if (rowHeight === 0) return element('g', attributes, name, use);
  return element(
    'g',
    attributes,
    name,
    use,
    nodeRows(panel, header.N, scale),
    ...transfers.map((transfer) => transferMarks(transfer, transfer.occupation!, panel, header.N, scale)),
  );
}

/** The striped background of a ring with the names of its nodes. */
function nodeRows(panel: RingPanel, N: number, scale: CycleScale): string {
  const { rowsTop, rowHeight } = panel;
  const step = roundStep(12 / rowHeight);
  const width = scale.right - scale.left;
  const parts: string[] = [];
  for (let node = 0; node < N; node += step) {
    const y = rowsTop + node * rowHeight;
    const rows = Math.min(step, N - node);
    const shade = (node / step) % 2 === 1 ? 'row odd' : 'row';
    parts.push(element('rect', { class: shade, x: scale.left, y, width, height: rows * rowHeight }));
    parts.push(rowName(node, scale.left, y + rowHeight / 2));
  }
  const bottom = panelBottom(panel, N);
  parts.push(gridLines(scale, rowsTop, bottom));
  parts.push(element('rect', { class: 'frame', x: scale.left, y: rowsTop, width, height: bottom - rowsTop }));
  return parts.join('');
}

/** The data of a mark, for readers that are programs: whose it is and what it covers. */
function dataOf(transfer: LoggedTransfer, { first, last }: Occupation, nodes: readonly number[]) {
  return {
    'data-spu': transfer.spu,
    'data-id': transfer.id,
    'data-first': first,
    'data-last': last,
    'data-node': nodes.join(','),
  };
}

function transferMarks(
  transfer: LoggedTransfer,
  occupation: Occupation,
  panel: RingPanel,
  N: number,
  scale: CycleScale,
): string {
  const pieces = consecutivePieces(occupation.nodes);
  const inset = Math.min(0.75, scale.cycleWidth * 0.12);
  const left = cycleLeft(scale, occupation.first) + inset;
  const right = cycleLeft(scale, occupation.last + 1) - inset;
  const areas = pieces.map((piece) => areaOf(piece, panel, left, right));
  const open = transfer.state === 'running' ? ' open' : '';
  const blocks = areas.map((area, index) =>
    element('rect', {
      class: `block${open}`,
      ...dataOf(transfer, occupation, pieces[index]!),
      x: area.left,
      y: area.top,
      width: area.right - area.left,
      height: area.bottom - area.top,
      rx: Math.min(3, (area.right - area.left) / 4, panel.rowHeight / 4),
    }),
  );
  return element(
    'g',
    { class: `transfer c${colourIndex(transfer.order)}` },
    tooltip(transferStory(transfer)),
    ...blocks,
    byteLines(areas, occupation, scale),
    wayMarks(transfer, occupation, pieces, panel, N, left, right),
    labelMark(transfer, areas),
  );
}

/** Splits a node list where the ring wraps around: 3,0,1 becomes 3 and 0,1. */
function consecutivePieces(nodes: readonly number[]): number[][] {
  const pieces: number[][] = [];
  for (const [index, node] of nodes.entries()) {
    const neighbour = index > 0 && Math.abs(node - nodes[index - 1]!) === 1;
    if (neighbour) pieces.at(-1)!.push(node);
    else pieces.push([node]);
  }
  return pieces;
}

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function areaOf(piece: readonly number[], panel: RingPanel, left: number, right: number): Area {
  const inset = Math.min(1, panel.rowHeight * 0.08);
  return {
    left,
    right,
    top: panel.rowsTop + Math.min(...piece) * panel.rowHeight + inset,
    bottom: panel.rowsTop + (Math.max(...piece) + 1) * panel.rowHeight - inset,
  };
}

/** Lines between the bytes: one byte moves a cycle (Cell specification 9, T2). */
function byteLines(areas: readonly Area[], { first, last }: Occupation, scale: CycleScale): string {
  if (scale.cycleWidth < 5) return '';
  const from = Math.max(first, scale.window.first) + 1;
  const to = Math.min(last, scale.window.last);
  let path = '';
  for (let cycle = from; cycle <= to; cycle += 1) {
    const x = svgNumber(cycleLeft(scale, cycle));
    for (const { top, bottom } of areas) path += `M${x} ${svgNumber(top + 1)}V${svgNumber(bottom - 1)}`;
  }
  return path === '' ? '' : element('path', { class: 'byte', d: path });
}

/** The way of the bytes: a dot at the sender, a line through the nodes, an arrow head at the receiver. */
function wayMarks(
  transfer: LoggedTransfer,
  occupation: Occupation,
  pieces: readonly (readonly number[])[],
  panel: RingPanel,
  N: number,
  left: number,
  right: number,
): string {
  const { nodes, dir } = occupation;
  const sender = nodes[0];
  const receiver = nodes.at(-1);
  if (sender === undefined || receiver === undefined) return '';
  const room = Math.min(WAY_WIDTH, right - left);
  const x = left + room / 2;
  // Where rows are thin, a mark may be higher than its row, but never higher than its area.
  const shortest = Math.min(...pieces.map((piece) => piece.length)) * panel.rowHeight;
  const highest = Math.max(panel.rowHeight * 0.26, Math.min(2.2, shortest * 0.2));
  const radius = Math.min(4, room * 0.3, highest);
  const middle = (node: number) => panel.rowsTop + (node + 0.5) * panel.rowHeight;
  const dot = element('circle', {
    class: 'mark sender',
    ...dataOf(transfer, occupation, [sender]),
    cx: x,
    cy: middle(sender),
    r: nodes.length === 1 ? radius * 0.7 : radius,
  });
  if (nodes.length === 1) {
    // Sender and receiver are the same node: the dot inside the mark of its own target.
    const target = {
      cx: x,
      cy: middle(receiver),
      r: radius * 1.5,
      'stroke-width': Math.max(0.5, radius / 3),
    };
    return (
      dot +
      element('circle', { class: 'way receiver', ...dataOf(transfer, occupation, [receiver]), ...target })
    );
  }
  const down = dir === 0 ? 1 : -1;
  const tip = middle(receiver) + down * radius;
  const base = middle(receiver) - down * radius;
  const edge = { in: down > 0 ? 0 : N, out: down > 0 ? N : 0 };
  const lines = pieces.map((piece, index) => {
    const from = index === 0 ? middle(piece[0]!) : panel.rowsTop + edge.in * panel.rowHeight;
    const to = index === pieces.length - 1 ? base : panel.rowsTop + edge.out * panel.rowHeight;
    return `M${svgNumber(x)} ${svgNumber(from)}V${svgNumber(to)}`;
  });
  const half = radius * 1.15;
  const head = `M${svgNumber(x - half)} ${svgNumber(base)}h${svgNumber(2 * half)}L${svgNumber(x)} ${svgNumber(tip)}z`;
  return (
    element('path', { class: 'way', 'stroke-width': Math.max(0.5, radius * 0.4), d: lines.join('') }) +
    dot +
    element('path', { class: 'mark receiver', ...dataOf(transfer, occupation, [receiver]), d: head })
  );
}

/** The label in the largest area in the longest wording that fits; nothing when none fits. */
function labelMark(transfer: LoggedTransfer, areas: readonly Area[]): string {
  const area = areas.reduce<Area | null>(
    (largest, next) =>
      largest === null || next.bottom - next.top > largest.bottom - largest.top ? next : largest,
    null,
  );
  if (area === null) return '';
  const left = area.left + Math.min(WAY_WIDTH, area.right - area.left);
  const { sender, receiver, kind, size } = transfer;
  const route = `S${sender}→S${receiver}`;
  const wordings = [
    [transferLabel(transfer)],
    [route, `${kind} ${size} B`],
    [route],
    [`${sender}→${receiver}`],
  ];
  const lineHeight = LABEL_SIZE + 3;
  const fitting = wordings.find(
    (lines) =>
      Math.max(...lines.map((line) => textWidth(line, LABEL_SIZE))) <= area.right - left - 3 &&
      lines.length * lineHeight <= area.bottom - area.top,
  );
  if (fitting === undefined) return '';
  const middle = (area.top + area.bottom) / 2;
  return fitting
    .map((line, index) => {
      const y = middle + 4 + (index - (fitting.length - 1) / 2) * lineHeight;
      return textElement({ class: 'label', x: (left + area.right) / 2, y, 'text-anchor': 'middle' }, line);
    })
    .join('');
}
