import { placeOf } from '../address-map.ts';
import { chainMax } from '../descriptor.ts';
import { blocksIn, contiguous, type Job, type Movement, offsetOf, type Shape } from './job.ts';
import { headerBytes } from './layout.ts';
import type { GasnetOptions, Mode } from './options.ts';
import { type PacketKind, wireBytesOf } from './packet.ts';
import { pioBytes } from './write-combiner.ts';

/** How one piece of a job goes: in a mode, by programmed I/O from memory to memory, or as a packet without data from memory. */
export type Way = Mode | 'PIO' | 'packet';

/** A part of a job that is sent by itself. */
export interface Piece {
  readonly way: Way;
  readonly src: number;
  readonly dst: number;
  readonly shape: Shape;
  /** What the packet that goes with it is about; null when none goes. */
  readonly kind: PacketKind | null;
  /** The last packet of its job. */
  readonly last: boolean;
}

type Chosen = Pick<GasnetOptions, 'forceMode' | 'slotBytes' | 'sendBufferBytes'>;

/** Bytes of DMA alignment: low bits of both addresses must agree (TCA specification 7). */
const alignment = 16;
const word = 4;
/** Planes of a chain at most: the packet behind them, and a word each for the other node and for this one, belong to it, too. */
export const planesMax = chainMax - 3;

const apart = (a: number, b: number): number => (((a - b) % alignment) + alignment) % alignment;

/** Whether the addresses of all blocks agree in their low four bits (TCA specification 7). */
const agrees = ({ src, dst, shape: { count, srcStride, dstStride, planes } }: Movement): boolean =>
  apart(src, dst) === 0 &&
  (count <= 1 || apart(srcStride, dstStride) === 0) &&
  (planes === undefined || apart(planes.srcStride, planes.dstStride) === 0);

/** The modes that may carry a contiguous piece, apart from up to three bytes at its end (TCA specification 12.3). */
export function legalModes(move: Movement): readonly Mode[] {
  const { srcDmaAble, dstDmaAble } = move;
  return [
    ...(srcDmaAble && dstDmaAble && agrees(move) ? (['MtoM'] as const) : []),
    ...(dstDmaAble ? (['BtoM'] as const) : []),
    ...(srcDmaAble ? (['MtoB'] as const) : []),
    'BtoB',
  ];
}

/** The mode of a contiguous piece: the first of the table that is legal, unless another one is forced that is. */
export function modeOf(move: Movement, { forceMode }: Pick<Chosen, 'forceMode'>): Mode {
  const legal = legalModes(move);
  return forceMode !== 'auto' && legal.includes(forceMode) ? forceMode : legal[0]!;
}

/** Whether a store of the processor carries it: at most 64 bytes from CPU memory, in words (TCA specification 9, 12.3). */
const fitsPio = ({ src, dst, shape, dstDmaAble }: Movement, { forceMode }: Chosen): boolean =>
  forceMode === 'auto' &&
  dstDmaAble &&
  shape.count === 1 &&
  shape.size <= pioBytes &&
  shape.size % word === 0 &&
  dst % word === 0 &&
  placeOf(src).region === 'cpu';

/** Pieces of at most `most` bytes, in order of address. */
function cut(
  way: Way,
  src: number,
  dst: number,
  size: number,
  most: number,
  kind: PacketKind | null,
): Piece[] {
  const pieces: Piece[] = [];
  for (let done = 0; done < size; done += most)
    pieces.push({
      way,
      src: src + done,
      dst: dst + done,
      shape: contiguous(Math.min(most, size - done)),
      kind,
      last: false,
    });
  return pieces;
}

/** Largest piece of a mode: what fits a slot or a send buffer at any alignment. */
const largest = (way: Mode, { slotBytes, sendBufferBytes }: Chosen): number =>
  ({
    MtoM: Number.MAX_SAFE_INTEGER,
    BtoM: sendBufferBytes - alignment,
    MtoB: slotBytes - headerBytes - 2 * alignment,
    BtoB: slotBytes - headerBytes,
  })[way];

/** The pieces of one contiguous movement, without the packet that ends them. */
function contiguousPieces(move: Movement, chosen: Chosen): Piece[] {
  const { src, dst, shape } = move;
  const { size } = shape;
  if (size === 0) return [];
  if (fitsPio(move, chosen)) return cut('PIO', src, dst, size, size, null);
  const mode = modeOf(move, chosen);
  if (mode === 'BtoB' || mode === 'MtoB') return cut(mode, src, dst, size, largest(mode, chosen), 'fragment');
  // A channel moves whole words; the end goes ahead in a packet of its own, which no chain may be overtaken by.
  const tail = size % word;
  const whole = size - tail;
  return [
    ...cut('BtoB', src + whole, dst + whole, tail, word, 'fragment'),
    ...cut(mode, src, dst, whole, largest(mode, chosen), null),
  ];
}

/** Whether block-stride descriptors move all blocks: one, or a chain of one for each plane (TCA specification 7, 12.5). */
const isBlockStride = (move: Movement, { forceMode }: Chosen): boolean =>
  (forceMode === 'auto' || forceMode === 'MtoM') &&
  move.srcDmaAble &&
  move.dstDmaAble &&
  agrees(move) &&
  move.shape.size % word === 0 &&
  (move.shape.planes?.count ?? 1) <= planesMax;

function dataPieces(move: Movement, chosen: Chosen): Piece[] {
  const { src, dst, shape } = move;
  if (blocksIn(shape) === 1) return contiguousPieces(move, chosen);
  if (isBlockStride(move, chosen)) return [{ way: 'MtoM', src, dst, shape, kind: null, last: false }];
  return Array.from({ length: blocksIn(shape) }, (_, block) =>
    contiguousPieces(
      {
        ...move,
        src: src + offsetOf(shape, block, 'src'),
        dst: dst + offsetOf(shape, block, 'dst'),
        shape: contiguous(shape.size),
      },
      chosen,
    ),
  ).flat();
}

/** Messages whose bytes travel inside of their packets. */
const inPackets: readonly PacketKind[] = ['medium', 'value'];

/** Active messages keep their own packet: the arguments of a `put` tell which parts there are. */
const isMessage = (kind: PacketKind): boolean => kind === 'long';

/**
 * The pieces in which a job is sent, in order (TCA specification 12.2 to 12.4); the last one carries the packet that the job is about.
 *
 * Details: data in DMA modes is followed by a packet in the same chain; data in packets ends with its own last packet, unless an active message
 * follows it.
 */
export function planOf(job: Job, chosen: Chosen): readonly Piece[] {
  const { data, header, payload } = job;
  const { kind } = header;
  if (job.loopback)
    return [{ way: 'MtoM', src: data!.src, dst: data!.dst, shape: data!.shape, kind: null, last: true }];
  if (inPackets.includes(kind)) return messagePieces(job, chosen);
  const only: Piece = {
    way: 'packet',
    src: 0,
    dst: 0,
    shape: contiguous(payload.length),
    kind,
    last: true,
  };
  const pieces = data ? dataPieces(data, chosen) : [];
  const end = pieces.at(-1);
  if (end === undefined) return [only];
  if (end.kind === null) return [...pieces.slice(0, -1), { ...end, kind, last: true }];
  if (isMessage(kind)) return [...pieces, only];
  return [...pieces.slice(0, -1), { ...end, kind: kind === 'put' ? 'fragment' : kind, last: true }];
}

/** A message in packets: the first has the arguments, so that others may hold more. */
function messagePieces({ data, header, payload }: Job, { slotBytes }: Chosen): readonly Piece[] {
  const total = data ? data.shape.size : payload.length;
  const pieces: Piece[] = [];
  for (let done = 0; done < total || pieces.length === 0; ) {
    const room = slotBytes - (pieces.length === 0 ? wireBytesOf(header) : headerBytes);
    const size = Math.min(room, total - done);
    pieces.push({
      way: data ? 'BtoB' : 'packet',
      src: (data?.src ?? 0) + done,
      dst: 0,
      shape: contiguous(size),
      kind: header.kind,
      last: done + size === total,
    });
    done += size;
  }
  return pieces;
}
