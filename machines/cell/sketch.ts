import { roundStep } from './cycle-scale.ts';
import type { CellLogEvent, CellLogHeader } from './log-events.ts';
import { ringIndex } from './ring-occupation.ts';
import { ringName, runFigures, transferLabel } from './transfer-words.ts';
import { type LoggedRun, type LoggedTransfer, transfersOfLog } from './transfers-of-log.ts';

/** Lines that a sketch has at most. */
const LINES_MOST = 30;
/** Rows of nodes above which a ring is one row. */
const NODE_ROWS_MOST = 16;
/** Rows of rings that are shown at most. */
const RING_ROWS_MOST = 16;
/** Rows of rings and waiting together at most; the rest is for the table. */
const ROWS_MOST = 20;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** How the cycles of a run fall into the columns of a sketch. */
interface Columns {
  readonly count: number;
  /** Cycles in one column, from 1. */
  readonly cycles: number;
  /** Characters of one column: 2 with a blank between, or 1. */
  readonly characters: number;
}

/** One row: its name and which transfers touch it when. */
interface Row {
  readonly name: string;
  readonly spans: readonly Span[];
}

interface Span {
  readonly transfer: LoggedTransfer;
  readonly first: number;
  readonly last: number;
}

/**
 * Sketches a run in text for a terminal: rows are the nodes of the rings, or the rings themselves when there are many nodes;
 * columns are cycles; then the waiting of the requests and a table of the transfers (Cell specification 5, 9 and 14).
 *
 * Details: `width` characters for the picture, taken as 40 when less; at most 30 lines. A letter is the one transfer that
 * touches the cell, a digit the number of several (`+` for ten and more), `.` none. When the table has no room for all
 * transfers it shows the longest waits. Letters repeat after 52 transfers.
 */
export function sketch(header: CellLogHeader, events: readonly CellLogEvent[], width: number): string {
  const run = transfersOfLog(header, events);
  const rings = ringRows(header, run);
  const waits = waitingRows(header, run, ROWS_MOST - rings.length);
  const rows = [...rings, ...waits];
  const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const columns = columnsOf(run.cycles, Math.max(40, width) - nameWidth);
  const lines = rows.map((row) => cells(row, columns));
  const picture = [
    `${header.name}: ${runFigures(run).join(', ')} (N=${header.N}, K=${header.K}, ${header.policy})`,
    ...key(columns, lines),
    axis(columns, nameWidth),
    ...rows.map(({ name }, index) => name.padEnd(nameWidth) + lines[index]!),
  ];
  return `${[...picture, ...table(run, LINES_MOST - picture.length)].join('\n')}\n`;
}

/** Explains what is not plain: columns of several cycles, and digits. */
function key({ cycles }: Columns, lines: readonly string[]): string[] {
  const words = cycles > 1 ? [`one column = ${cycles} cycles`] : [];
  if (lines.some((line) => /[0-9+]/.test(line)))
    words.push('a digit counts the transfers that meet in a cell');
  return words.length === 0 ? [] : [words.join('; ')];
}

/** Rows of the rings: each node of each ring, or each ring, direction 0 first. */
function ringRows(header: CellLogHeader, { transfers }: LoggedRun): Row[] {
  const { N, K } = header;
  const held: Span[][] = Array.from({ length: 2 * K }, () => []);
  for (const transfer of transfers) {
    const { occupation } = transfer;
    const index = occupation === null ? null : ringIndex(header, occupation.dir, occupation.ring);
    if (occupation !== null && index !== null) {
      held[index]?.push({ transfer, first: occupation.first, last: occupation.last });
    }
  }
  const names = held.map((_, index) => ringName(Math.floor(index / K), index % K));
  if (2 * K * N <= NODE_ROWS_MOST) {
    return held.flatMap((spans, index) =>
      Array.from({ length: N }, (_, node) => ({
        name: `${node === 0 ? names[index]! : ''.padEnd(names[index]!.length)}  S${node}`,
        spans: spans.filter(({ transfer }) => transfer.occupation?.nodes.includes(node)),
      })),
    );
  }
  const rows = held.map((spans, index) => ({ name: names[index]!, spans }));
  if (rows.length <= RING_ROWS_MOST) return rows;
  const rest = rows.splice(RING_ROWS_MOST - 1);
  return [...rows, { name: `${rest.length} more`, spans: rest.flatMap(({ spans }) => spans) }];
}

/** Rows of the initiators that wait: one each, or one for all when there are more than `most`. */
function waitingRows({ N }: CellLogHeader, { transfers }: LoggedRun, most: number): Row[] {
  const spans = transfers
    .filter(({ wait }) => wait > 0)
    .map((transfer) => ({ transfer, first: transfer.issue + 1, last: transfer.issue + transfer.wait }));
  const bySpu = Array.from({ length: N }, (_, spu) => spans.filter(({ transfer }) => transfer.spu === spu));
  const waiting = [...bySpu.entries()].filter(([, own]) => own.length > 0);
  if (waiting.length > most) return [{ name: 'waiting all', spans }];
  return waiting.map(([spu, own], index) => ({
    name: `${index === 0 ? 'waiting ' : '        '}  S${spu}`,
    spans: own,
  }));
}

function columnsOf(cycles: number, room: number): Columns {
  if (2 * cycles - 1 <= room) return { count: cycles, cycles: 1, characters: 2 };
  const perColumn = Math.ceil(cycles / room);
  return { count: Math.ceil(cycles / perColumn), cycles: perColumn, characters: 1 };
}

/** The numbers of the cycles, each over its column. */
function axis({ count, cycles, characters }: Columns, nameWidth: number): string {
  const longest = String(Math.max(0, count - 1) * cycles).length;
  const step = roundStep((longest + 1) / characters);
  let line = 'cycle'.padEnd(nameWidth);
  for (let column = 0; column < count; column += step) {
    const next = line.padEnd(nameWidth + column * characters) + String(column * cycles);
    // A number that would reach over the last column is left out.
    if (column > 0 && next.length > nameWidth + count * characters) break;
    line = next;
  }
  return line;
}

function cells({ spans }: Row, { count, cycles, characters }: Columns): string {
  const touching = new Array<number>(count).fill(0);
  const letters = new Array<string>(count).fill('.');
  for (const { transfer, first, last } of spans) {
    const from = Math.floor(first / cycles);
    const to = Math.min(count - 1, Math.floor(last / cycles));
    for (let column = from; column <= to; column += 1) {
      touching[column] = (touching[column] ?? 0) + 1;
      letters[column] = letterOf(transfer);
    }
  }
  return touching
    .map((number, column) => (number <= 1 ? letters[column] : number < 10 ? String(number) : '+'))
    .join(' '.repeat(characters - 1));
}

function letterOf({ order }: LoggedTransfer): string {
  return LETTERS[order % LETTERS.length]!;
}

/** The table of the transfers in at most `room` lines. */
function table({ transfers }: LoggedRun, room: number): string[] {
  if (transfers.length === 0) return ['no transfers'];
  const all = transfers.length <= room - 1;
  const shown = all ? transfers : longestWaits(transfers).slice(0, room - 2);
  const lines = shown.map((transfer) => [
    letterOf(transfer),
    `S${transfer.spu} #${transfer.id}`,
    transferLabel(transfer),
    String(transfer.issue),
    transfer.start === null ? '-' : String(transfer.start),
    transfer.state === 'waiting' ? `${transfer.wait}+` : String(transfer.wait),
    whereOf(transfer),
  ]);
  const head = ['', 'who', 'transfer', 'issue', 'start', 'wait', 'where'];
  const more = `${transfers.length - shown.length} more; these are the longest waits`;
  return [...aligned([head, ...lines]), ...(all ? [] : [more])];
}

function longestWaits(transfers: readonly LoggedTransfer[]): LoggedTransfer[] {
  return [...transfers].sort((one, other) => other.wait - one.wait || one.order - other.order);
}

function whereOf({ state, occupation }: LoggedTransfer): string {
  if (state === 'empty') return 'no bytes, no ring';
  if (occupation === null) return 'not started';
  const { dir, ring, last } = occupation;
  return state === 'running'
    ? `${ringName(dir, ring)}, unfinished`
    : `${ringName(dir, ring)}, last cycle ${last}`;
}

/** Columns of the table that hold numbers stand to the right. */
const RIGHT = new Set([3, 4, 5]);

function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => {
    const parts = line.map((word, column) =>
      RIGHT.has(column) ? word.padStart(widths[column]!) : word.padEnd(widths[column]!),
    );
    return parts.join('  ').trimEnd();
  });
}
