import { type GasnetOptions, headerBytes, wireOf } from './gasnet-layout.ts';
import { placeIn } from './plain-part.ts';

/** Equal rows at equal distances, in one or several planes. */
export interface Rows {
  readonly size: number;
  readonly count: number;
  readonly srcStride: number;
  readonly dstStride: number;
  readonly planes?: { readonly count: number; readonly srcStride: number; readonly dstStride: number };
}

/** Bytes from memory to memory, with what channels may do at each end. */
export interface Moving {
  readonly src: number;
  readonly dst: number;
  readonly shape: Rows;
  readonly srcDmaAble: boolean;
  readonly dstDmaAble: boolean;
}

/** What a node sends to another one. */
export interface PlainJob {
  readonly target: number;
  readonly ring: 0 | 1;
  readonly data: Moving | null;
  readonly payload: Uint8Array;
  readonly header: {
    readonly kind: string;
    readonly handler: number;
    readonly args: readonly number[];
    readonly address: number;
    readonly token: number;
    readonly total: number;
    readonly reply: boolean;
  };
  readonly loopback?: boolean;
  readonly tellsLeft: boolean;
  readonly urgent: boolean;
}

/** A piece of a job: its way, and the kind of the packet that goes with it if one does. */
export interface Sending {
  readonly way: 'MtoM' | 'BtoM' | 'MtoB' | 'BtoB' | 'PIO' | 'packet';
  readonly src: number;
  readonly dst: number;
  readonly rows: Rows;
  readonly kind: string | null;
  readonly last: boolean;
}

export const one = (size: number): Rows => ({ size, count: 1, srcStride: 0, dstStride: 0 });
export const rowsIn = ({ count, planes }: Rows): number => count * (planes ? planes.count : 1);

/** Where row number k begins at both ends. */
export function rowAt(
  { count, srcStride, dstStride, planes }: Rows,
  k: number,
): readonly [src: number, dst: number] {
  const plane = Math.floor(k / count);
  const row = k - plane * count;
  return [
    row * srcStride + plane * (planes?.srcStride ?? 0),
    row * dstStride + plane * (planes?.dstStride ?? 0),
  ];
}

/** Whether all rows lie alike modulo 16 at both ends (TCA specification 7). */
function liesAlike({ src, dst, shape }: Moving): boolean {
  const apart = [
    src - dst,
    shape.count > 1 ? shape.srcStride - shape.dstStride : 0,
    shape.planes ? shape.planes.srcStride - shape.planes.dstStride : 0,
  ];
  return apart.every((bytes) => bytes % 16 === 0);
}

/** The mode of contiguous bytes by the table of TCA specification 12.3, or the one that is forced where it is legal. */
function modeFor(move: Moving, { forceMode }: GasnetOptions): 'MtoM' | 'BtoM' | 'MtoB' | 'BtoB' {
  const legal: ('MtoM' | 'BtoM' | 'MtoB' | 'BtoB')[] = [];
  if (move.srcDmaAble && move.dstDmaAble && liesAlike(move)) legal.push('MtoM');
  if (move.dstDmaAble) legal.push('BtoM');
  if (move.srcDmaAble) legal.push('MtoB');
  legal.push('BtoB');
  return legal.find((mode) => mode === forceMode) ?? legal[0]!;
}

/** Descriptors of a chain less the three words that may go with the data. */
const planesMost = 1024 - 3;

/** The pieces of contiguous bytes, before it is known what packet ends them. */
function contiguousPieces(move: Moving, options: GasnetOptions): Sending[] {
  const { src, dst, shape, dstDmaAble } = move;
  const { size } = shape;
  if (size === 0) return [];
  const isAuto = options.forceMode === 'auto';
  const fitsStore = size <= 64 && size % 4 === 0 && dst % 4 === 0;
  if (isAuto && dstDmaAble && fitsStore && placeIn(src).memory === 'cpu')
    return [{ way: 'PIO', src, dst, rows: one(size), kind: null, last: false }];
  const mode = modeFor(move, options);
  const most = {
    MtoM: Number.POSITIVE_INFINITY,
    BtoM: options.sendBufferBytes - 16,
    MtoB: options.slotBytes - headerBytes - 32,
    BtoB: options.slotBytes - headerBytes,
  }[mode];
  const inPackets = mode === 'MtoB' || mode === 'BtoB';
  // Up to three bytes at the end go ahead.
  const whole = inPackets ? size : size - (size % 4);
  const pieces: Sending[] = [];
  if (whole < size)
    pieces.push({
      way: 'BtoB',
      src: src + whole,
      dst: dst + whole,
      rows: one(size - whole),
      kind: 'fragment',
      last: false,
    });
  for (let at = 0; at < whole; at += most)
    pieces.push({
      way: mode,
      src: src + at,
      dst: dst + at,
      rows: one(Math.min(most, whole - at)),
      kind: inPackets ? 'fragment' : null,
      last: false,
    });
  return pieces;
}

function dataPieces(move: Moving, options: GasnetOptions): Sending[] {
  const { src, dst, shape } = move;
  if (rowsIn(shape) === 1) return contiguousPieces(move, options);
  const isEngine =
    (options.forceMode === 'auto' || options.forceMode === 'MtoM') &&
    move.srcDmaAble &&
    move.dstDmaAble &&
    liesAlike(move) &&
    shape.size % 4 === 0 &&
    (shape.planes?.count ?? 1) <= planesMost;
  if (isEngine) return [{ way: 'MtoM', src, dst, rows: shape, kind: null, last: false }];
  const pieces: Sending[] = [];
  for (let k = 0; k < rowsIn(shape); k++) {
    const [from, to] = rowAt(shape, k);
    pieces.push(
      ...contiguousPieces({ ...move, src: src + from, dst: dst + to, shape: one(shape.size) }, options),
    );
  }
  return pieces;
}

/** All pieces of a job in their order; the last one brings what it is about (TCA specification 12.2 to 12.4). */
export function piecesOfJob(job: PlainJob, options: GasnetOptions): Sending[] {
  const { data, header, payload, loopback } = job;
  const { kind } = header;
  if (loopback)
    return [{ way: 'MtoM', src: data!.src, dst: data!.dst, rows: data!.shape, kind: null, last: true }];
  if (kind === 'medium' || kind === 'value') {
    const total = data ? data.shape.size : payload.length;
    const pieces: Sending[] = [];
    let done = 0;
    do {
      // The first packet has the arguments.
      const room = options.slotBytes - (pieces.length === 0 ? wireOf(header.args.length) : headerBytes);
      const size = Math.min(room, total - done);
      pieces.push({
        way: data ? 'BtoB' : 'packet',
        src: (data ? data.src : 0) + done,
        dst: 0,
        rows: one(size),
        kind,
        last: done + size === total,
      });
      done += size;
    } while (done < total);
    return pieces;
  }
  const packet: Sending = { way: 'packet', src: 0, dst: 0, rows: one(payload.length), kind, last: true };
  const pieces = data ? dataPieces(data, options) : [];
  const end = pieces.pop();
  if (!end) return [packet];
  if (end.kind === null) return [...pieces, { ...end, kind, last: true }];
  // An active message keeps a packet of its own.
  if (kind === 'long') return [...pieces, end, packet];
  return [...pieces, { ...end, kind: kind === 'put' ? 'fragment' : kind, last: true }];
}
