import { element, escapeXml, page, textElement } from '../svg.ts';
import type { SystemLogHeader } from './system-log.ts';

/** Something that a chiplet did from one cycle of the network to another: a kernel, or an exchange with its mailbox. */
export interface SpanRecord {
  /** Number of the chiplet in the configuration. */
  readonly chiplet: number;
  /** Who did it: `kernel`, `host`, or a warp: `core 0 warp 3`. */
  readonly row: string;
  /** The kernel, or what the exchange was: `send`, `receive`. */
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** One row of a timeline. */
interface Row {
  readonly label: string;
  readonly spans: readonly SpanRecord[];
}

/** Rows of chiplets in their order; of each first its kernels, then its host, then its warps. */
function rowsOf({ chiplets }: SystemLogHeader, spans: readonly SpanRecord[]): readonly Row[] {
  const rank = (row: string): number => {
    const [, core = -1, warp = 0] = /^core (\d+) warp (\d+)$/.exec(row) ?? [];
    return row === 'kernel' ? -2 : Number(core) * 1024 + Number(warp);
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
    if (last && last.what === span.what && last.row !== 'kernel' && span.from - last.to <= gapCycles)
      all[all.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else all.push(span);
  }
  return all;
}

/** Cycles between two exchanges that belong together. */
const gapCycles = 64;

const labelWidth = 150;
const plotWidth = 760;
const rowHeight = 18;
const top = 56;

const colours: Readonly<Record<string, string>> = { send: '#d97706', receive: '#2563eb' };
const kernelColours = ['#15803d', '#7c3aed', '#be123c', '#0f766e', '#a16207', '#4338ca'];

/** Draws what chiplets did over time: kernels and exchanges of messages; `below` is another picture, already written. */
export function timelinePicture(
  header: SystemLogHeader,
  spans: readonly SpanRecord[],
  below?: string,
): string {
  const rows = rowsOf(header, spans);
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const kernels = [...new Set(spans.filter(({ row }) => row === 'kernel').map(({ what }) => what))].sort();
  const colourOf = ({ row, what }: SpanRecord): string =>
    row === 'kernel' ? kernelColours[kernels.indexOf(what) % kernelColours.length]! : colours[what]!;
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
          element('title', {}, escapeXml(`${span.what}: cycle ${span.from} to ${span.to}`)),
        ),
      ),
    ];
  });
  const legend = [...kernels.map((one, at) => [one, kernelColours[at % kernelColours.length]!] as const)];
  const marks = [...legend, ...Object.entries(colours)].map(([what, fill], index) =>
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

/** The same as text: a line for each row; `#` a kernel, `>` sends, `<` receives. */
export function timelineSketch(header: SystemLogHeader, spans: readonly SpanRecord[], width: number): string {
  const rows = rowsOf(header, spans);
  const end = Math.max(1, ...spans.map(({ to }) => to));
  const labels = Math.max(0, ...rows.map(({ label }) => label.length)) + 1;
  const columns = Math.max(10, width - labels);
  const lines = rows.map(({ label, spans: own }) => {
    const line = new Array<string>(columns).fill('.');
    for (const { row, what, from, to } of own) {
      const first = Math.min(columns - 1, Math.floor((from * columns) / end));
      const last = Math.max(first, Math.ceil((to * columns) / end) - 1);
      line.fill(row === 'kernel' ? '#' : what === 'send' ? '>' : '<', first, last + 1);
    }
    return `${label.padEnd(labels)}${line.join('')}\n`;
  });
  return `chiplets over ${Math.ceil(end)} cycles: # kernel, > send, < receive\n${lines.join('')}`;
}
