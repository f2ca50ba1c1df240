import type { Drawing } from '../pictures/drawing.ts';
import { colourOf } from '../pictures/palette.ts';
import { timeline } from '../pictures/timeline.ts';

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
  send: { colour: colourOf(1), letter: '>' },
  receive: { colour: colourOf(0), letter: '<' },
  barrier: { colour: colourOf(3), letter: '|' },
  lock: { colour: colourOf(5), letter: '[' },
  unlock: { colour: colourOf(4), letter: ']' },
  launch: { colour: colourOf(2), letter: '!' },
  integer: { colour: '#a6bddb', letter: 'i' },
  real: { colour: '#b6a3d9', letter: 'f' },
  special: { colour: '#f0a6c8', letter: 's' },
  memory: { colour: '#66c2a5', letter: 'm' },
  control: { colour: '#9aa3ad', letter: 'c' },
};

/** One row of a chiplet. */
interface Row {
  readonly label: string;
  readonly spans: readonly SpanRecord[];
}

/** Chiplets in their order; of each first its kernels, then its host, then its warps. */
function panelsOf({ chiplets }: TimelineHeader, spans: readonly SpanRecord[]) {
  const rank = (row: string): number => {
    const [first = -1, second = 0] = (row.match(/\d+/g) ?? []).map(Number);
    return row === 'kernel' ? -2 : first * 1024 + second;
  };
  return chiplets.flatMap(({ at, kind }, index) => {
    const own = spans.filter(({ chiplet }) => chiplet === index);
    const rows = [...new Set(own.map(({ row }) => row))].sort((a, b) => rank(a) - rank(b));
    if (rows.length === 0) return [];
    return {
      caption: `${kind} ${at.join(',')}`,
      rows: rows.map((row): Row => ({ label: row, spans: joined(own.filter((one) => one.row === row)) })),
    };
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

/** Dark ones, since the other kinds have the light ones. */
const kernelColours = ['#0b2f5b', '#5b2a00', '#00493a', '#5a1a4a', '#3b4350'];

/** Draws what chiplets did over time: a panel for each chiplet; its kernels, its host and its warps are rows. */
export function systemTimeline(header: TimelineHeader, spans: readonly SpanRecord[]): Drawing {
  const kernels = [...new Set(spans.filter(({ row }) => row === 'kernel').map(({ what }) => what))].sort();
  return timeline({
    title: header.name,
    subtitle: `what each chiplet did (${header.mode})`,
    unit: 'cycle of the network',
    panels: panelsOf(header, spans).map(({ caption, rows }) => ({
      caption,
      rows: rows.map(({ label, spans: own }) => ({
        label,
        spans: own.map((span) => ({ ...span, kind: span.what, tooltip: titleOf(span) })),
      })),
    })),
    kinds: [
      ...kernels.map((name, at) => ({ name, colour: kernelColours[at % kernelColours.length]! })),
      ...Object.entries(doings).map(([name, { colour }]) => ({ name, colour })),
    ],
  });
}

/** The same as text: a line for each row. */
export function timelineSketch(header: TimelineHeader, spans: readonly SpanRecord[], width: number): string {
  const rows = panelsOf(header, spans).flatMap(({ caption, rows: own }) =>
    own.map((row) => ({ ...row, label: `${caption} ${row.label}` })),
  );
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
