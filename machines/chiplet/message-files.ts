import type { TraceEntry } from '../../actors/chiplet/gpu/mailbox.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';

/*
 * Buffer files and trace files as text (chiplet specification 3.1, 3.2). Reading and writing files is not done here.
 */

/** Sender and receiver of a buffer file. */
export interface BufferPair {
  readonly source: ChipletAddress;
  readonly target: ChipletAddress;
}

/** A line that is not what its file should hold: where, what was found, what was expected (E-TRACE, E-FILE). */
export class MessageFileError extends Error {
  override readonly name = 'MessageFileError';
  constructor(
    readonly code: 'E-TRACE' | 'E-FILE',
    readonly file: string,
    readonly line: number,
    readonly found: string,
    readonly expected: string,
  ) {
    super(`${file}:${line} ${code} found ${JSON.stringify(found)}, expected ${expected}`);
  }
}

/** Which address comes first in the name of a buffer file. */
export type BufferNameOrder = 'sender-first' | 'receiver-first';

/** `buffer_0_3_2_2`: written by (0, 3), read by (2, 2). */
export function bufferName({ source, target }: BufferPair, order: BufferNameOrder = 'sender-first'): string {
  const [first, second] = order === 'sender-first' ? [source, target] : [target, source];
  return `buffer_${first.join('_')}_${second.join('_')}`;
}

/** The pair of a buffer file by its name, also in the form `buffer0_3_2_2`; undefined for another name. */
export function bufferPair(name: string, order: BufferNameOrder = 'sender-first'): BufferPair | undefined {
  const [, a, b, c, d] = /^buffer_?(\d{1,2})_(\d{1,2})_(\d{1,2})_(\d{1,2})$/.exec(name) ?? [];
  if (a === undefined) return undefined;
  const first: ChipletAddress = [Number(a), Number(b)];
  const second: ChipletAddress = [Number(c), Number(d)];
  return order === 'sender-first' ? { source: first, target: second } : { source: second, target: first };
}

/** One value a line, in the order in which they were sent. */
export const bufferText = (values: readonly number[]): string => values.map((one) => `${one}\n`).join('');

/** Values of a buffer file. Errors: `MessageFileError` for a line that is no 32-bit integer. */
export function parseBuffer(text: string, file: string): readonly number[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => {
    const value = Number(line);
    if (!/^\s*-?\d+\s*$/.test(line) || value < -(2 ** 31) || value >= 2 ** 32)
      throw new MessageFileError('E-FILE', file, index + 1, line, 'one whole number of 32 bits');
    return value;
  });
}

/** A line of a trace, with the flits of its packet. */
export interface TraceLine {
  /** Cycle of the send; the original also has fractions. */
  readonly time: number;
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  readonly flits: number;
}

/** Flits that a message of one value is charged with, by the rule of the run (chiplet specification 3.2). */
export function messageFlits(rule: number | 'legosim', bytes = 32): number {
  return rule === 'legosim' ? Math.ceil(bytes / 64) + 1 : rule;
}

/** Lines of a mailbox's trace. */
export const traceLines = (trace: readonly TraceEntry[], flits: number): readonly TraceLine[] =>
  trace.map(({ cycle, src, dst }) => ({ time: cycle, src, dst, flits }));

/** `T sx sy dx dy n`, one line each. */
export const traceText = (lines: readonly TraceLine[]): string =>
  lines.map(({ time, src, dst, flits }) => `${time} ${src.join(' ')} ${dst.join(' ')} ${flits}\n`).join('');

/** The lines of all chiplets as one trace: by time, then by source, each chiplet's own order kept (chiplet specification 3.2). */
export function mergedTrace(traces: readonly (readonly TraceLine[])[]): readonly TraceLine[] {
  return traces.flat().sort((a, b) => a.time - b.time || a.src[0] - b.src[0] || a.src[1] - b.src[1]);
}

/** Lines of a trace file. Errors: `MessageFileError` for a missing field, what is no number, a negative or falling time, fewer than one flit. */
export function parseTrace(text: string, file: string): readonly TraceLine[] {
  const lines: TraceLine[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (raw.trim() === '') continue;
    const fields = raw.trim().split(/\s+/).map(Number);
    const [time = Number.NaN, sx = -1, sy = -1, dx = -1, dy = -1, flits = 0] = fields;
    const places = [sx, sy, dx, dy];
    const fits =
      fields.length === 6 &&
      time >= 0 &&
      places.every((one) => Number.isInteger(one) && one >= 0) &&
      Number.isInteger(flits) &&
      flits >= 1;
    if (!fits)
      throw new MessageFileError(
        'E-TRACE',
        file,
        index + 1,
        raw,
        'T sx sy dx dy n: numbers from 0, n at least 1',
      );
    const before = lines.at(-1)?.time ?? 0;
    if (time < before)
      throw new MessageFileError(
        'E-TRACE',
        file,
        index + 1,
        raw,
        `a time of at least ${before}, that of the line before`,
      );
    lines.push({ time, src: [sx, sy], dst: [dx, dy], flits });
  }
  return lines;
}
