import { element, escapeXml, page, textElement } from '../svg.ts';

/** What a timeline is of. */
export interface TimelineHeader {
  readonly name: string;
  readonly mode: string;
  readonly chiplets: readonly { readonly at: readonly number[]; readonly kind: string }[];
}

/** Something that a chiplet did from one cycle of the network to another: a kernel, instructions of a warp, an exchange with its mailbox, a transaction of its process. */
export interface SpanRecord {
  /** Number of the chiplet in the configuration. */
  readonly chiplet: number;
  /** Who did it: `kernel`, `host`, a warp: `core 0 warp 3`; or in which round: `round 2`. */
  readonly row: string;
  /** The kernel, or one of `doings`. */
  readonly what: string;
  readonly from: number;
  readonly to: number;
  /** Of instructions: how many, and the first of them. */
  readonly instructions?: number;
  readonly text?: string;
}

/** What is no kernel: its colour, and its letter in a text. */
const doings: Readonly<Record<string, { readonly colour: string; readonly letter: string }>> = {
  send: { colour: '#d97706', letter: '>' },
  receive: { colour: '#2563eb', letter: '<' },
  barrier: { colour: '#7c3aed', letter: '|' },
  lock: { colour: '#be123c', letter: '[' },
  unlock: { colour: '#0f766e', letter: ']' },
  launch: { colour: '#15803d', letter: '!' },
  integer: { colour: '#94a3b8', letter: 'i' },
  real: { colour: '#a78bfa', letter: 'f' },
  special: { colour: '#f472b6', letter: 's' },
  memory: { colour: '#34d399', letter: 'm' },
  control: { colour: '#64748b', letter: 'c' },
};

/** One row of a timeline. */
interface Row {
  readonly label: string;
  readonly spans: readonly SpanRecord[];
}

/** Rows of chiplets in their order; of each first its kernels, then its host, then its warps. */
function rowsOf({ chiplets }: TimelineHeader, spans: readonly SpanRecord[]): readonly Row[] {
  const rank = (row: string): number => {
    const [first = -1, second = 0] = (row.match(/\d+/g) ?? []).map(Number);
    return row === 'kernel' ? -2 : first * 1024 + second;
  };
  return chiplets.flatMap(({ at, kind }, index) => {
    const own = spans.filter(({ chiplet }) => chiplet === index);
    const rows = [...new Set(own.map(({ row }) => row))].sort((a, b) => rank(a) - rank(b));
    return rows.map((row) => ({
      label: `${kind} ${at.join(',')} ${row}`,
      spans: joined(own.filter((one) => one.row === row)),
    }));
  });
}

/** Spans of one kind without a gap between them as one: a loop of receives is one wait. Gaps of a few instructions do not count. */
function joined(spans: readonly SpanRecord[]): readonly SpanRecord[] {
  const ordered = [...spans].sort((a, b) => a.from - b.from || a.to - b.to);
  const all: SpanRecord[] = [];
  for (const span of ordered) {
    const last = all.at(-1);
    if (
      last &&
      last.what === span.what &&
      span.instructions === undefined &&
      last.row !== 'kernel' &&
      span.from - last.to <= gapCycles
    )
      all[all.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else all.push(span);
  }
  return all;
}

const titleOf = ({ what, from, to, instructions, text }: SpanRecord): string =>
  instructions === undefined
    ? `${what}: cycle ${from} to ${to}`
    : `${instructions} ${what} from cycle ${from} to ${to}: ${text}${instructions > 1 ? ' ...' : ''}`;

/** Cycles between two exchanges that belong together. */
const gapCycles = 64;

const labelWidth = 150;
const plotWidth = 760;
const rowHeight = 18;
const top = 56;

const kernelColours = ['#15803d', '#7c3aed', '#be123c', '#0f766e', '#a16207', '#4338ca'];

/** Draws what chiplets did over time: kernels and exchanges of messages; `below` is another picture, already written. */
export function timelinePicture(
  header: TimelineHeader,
  spans: readonly SpanRecord[],
  below?: string,
): string {
  const rows = rowsOf(header, spans);
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const kernels = [...new Set(spans.filter(({ row }) => row === 'kernel').map(({ what }) => what))].sort();
  const colourOf = ({ row, what }: SpanRecord): string =>
    row === 'kernel' ? kernelColours[kernels.indexOf(what) % kernelColours.length]! : doings[what]!.colour;
  const at = (cycle: number): number => labelWidth + (plotWidth * cycle) / end;
  const drawn = rows.flatMap(({ label, spans: own }, index) => {
    const y = top + rowHeight * index;
    return [
      textElement({ x: labelWidth - 8, y: y + 12, 'text-anchor': 'end', 'font-size': 10 }, label),
      ...own.map((span) =>
        element(
          'rect',
          {
            x: at(span.from),
            y: y + 3,
            width: Math.max(0.5, at(span.to) - at(span.from)),
            height: rowHeight - 6,
            fill: colourOf(span),
          },
          element('title', {}, escapeXml(titleOf(span))),
        ),
      ),
    ];
  });
  const legend = [...kernels.map((one, at) => [one, kernelColours[at % kernelColours.length]!] as const)];
  const shown = Object.entries(doings).filter(([doing]) => spans.some(({ what }) => what === doing));
  const others = shown.map(([doing, { colour }]) => [doing, colour] as const);
  const marks = [...legend, ...others].map(([what, fill], index) =>
    element(
      'g',
      { transform: `translate(${labelWidth + index * 110} 34)` },
      element('rect', { x: 0, y: 0, width: 10, height: 10, fill }),
      textElement({ x: 14, y: 9, 'font-size': 10 }, what),
    ),
  );
  const bottom = top + rowHeight * rows.length;
  const size = /width="([\d.]+)" height="([\d.]+)"/.exec(below ?? '');
  return page(
    {
      width: Math.max(labelWidth + plotWidth + 24, Number(size?.[1] ?? 0)),
      height: bottom + 28 + Number(size?.[2] ?? 0),
      title: `${header.name}: chiplets over time`,
    },
    textElement({ x: 12, y: 22, 'font-size': 14 }, `${header.name} (${header.mode})`),
    ...marks,
    ...drawn,
    textElement({ x: labelWidth, y: bottom + 16, 'font-size': 10 }, 'cycle 0'),
    textElement(
      { x: labelWidth + plotWidth, y: bottom + 16, 'text-anchor': 'end', 'font-size': 10 },
      `cycle ${Math.ceil(end)}`,
    ),
    ...(below === undefined ? [] : [element('g', { transform: `translate(0 ${bottom + 24})` }, below)]),
  );
}

/** The same as text: a line for each row. */
export function timelineSketch(header: TimelineHeader, spans: readonly SpanRecord[], width: number): string {
  const rows = rowsOf(header, spans);
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const labels = Math.max(0, ...rows.map(({ label }) => label.length)) + 1;
  const columns = Math.max(10, width - labels);
  const lines = rows.map(({ label, spans: own }) => {
    const line = new Array<string>(columns).fill('.');
    for (const { row, what, from, to } of own) {
      const first = Math.min(columns - 1, Math.floor((from * columns) / end));
      const last = Math.max(first, Math.ceil((to * columns) / end) - 1);
      line.fill(row === 'kernel' ? '#' : doings[what]!.letter, first, last + 1);
    }
    return `${label.padEnd(labels)}${line.join('')}\n`;
  });
  const letters = Object.entries(doings).filter(([doing]) => spans.some(({ what }) => what === doing));
  const kernels = spans.some(({ row }) => row === 'kernel') ? ['# kernel'] : [];
  const legend = [...kernels, ...letters.map(([doing, { letter }]) => `${letter} ${doing}`)].join(', ');
  return `chiplets over ${Math.ceil(end)} cycles: ${legend}\n${lines.join('')}`;
}
