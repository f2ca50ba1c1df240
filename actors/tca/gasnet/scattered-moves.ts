import { placeOf } from '../address-map.ts';
import { copySubTicks } from '../copier.ts';
import { nanoseconds } from '../parameters.ts';
import type { Gasnet } from './gasnet.ts';
import type { Handle } from './handle.ts';
import type { Handler } from './handler.ts';
import { blocksIn, type Shape } from './job.ts';
import { libraryHandlers } from './library-handlers.ts';
import type { Task } from './task.ts';
import { planesMax } from './transfer-plan.ts';

/** Bytes at an address. */
export interface Extent {
  readonly address: number;
  readonly bytes: number;
}

/** A block of memory with several levels of repetition: `count[0]` bytes, level k `count[k]` times at a distance of `strides[k - 1]` bytes. */
export interface Strided {
  readonly address: number;
  /** Bytes from one block to the next, by level. */
  readonly strides: readonly number[];
}

/** Moves under way, to be waited for with `waitMoves`. */
export interface Moves {
  readonly handles: readonly Handle[];
  /** Packets of scattered bytes that are to be answered, by their numbers. */
  readonly asked: readonly number[];
}

/** A piece that lies in one at both ends. */
interface Piece {
  readonly src: number;
  readonly dst: number;
  readonly bytes: number;
}

/** Bytes that tell of a piece in a packet: address and length. */
const entryBytes = 12;

/** The same bytes as pieces that lie in one at both ends; neighbours at both ends become one. Errors: throws when the lists differ in total. */
export function piecesOf(sources: readonly Extent[], targets: readonly Extent[]): readonly Piece[] {
  const total = (list: readonly Extent[]) => list.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total(sources) !== total(targets))
    throw new Error(
      `found ${total(sources)} bytes to be read and ${total(targets)} to be written, expected as many`,
    );
  const pieces: Piece[] = [];
  const [from, to] = [sources, targets].map((list) => list.filter(({ bytes }) => bytes > 0)) as [
    Extent[],
    Extent[],
  ];
  let [source, target, read, written] = [0, 0, 0, 0];
  while (source < from.length) {
    const [a, b] = [from[source]!, to[target]!];
    const bytes = Math.min(a.bytes - read, b.bytes - written);
    const piece = { src: a.address + read, dst: b.address + written, bytes };
    const last = pieces.at(-1);
    if (last && last.src + last.bytes === piece.src && last.dst + last.bytes === piece.dst)
      pieces[pieces.length - 1] = { ...last, bytes: last.bytes + bytes };
    else pieces.push(piece);
    read += bytes;
    written += bytes;
    if (read === a.bytes) [source, read] = [source + 1, 0];
    if (written === b.bytes) [target, written] = [target + 1, 0];
  }
  return pieces;
}

/** The blocks of a strided piece of memory in order. */
export function blocksOf({ address, strides }: Strided, count: readonly number[]): readonly Extent[] {
  let addresses: readonly number[] = [address];
  for (let level = count.length - 1; level >= 1; level--)
    addresses = addresses.flatMap((one) =>
      Array.from({ length: count[level]! }, (_, k) => one + k * strides[level - 1]!),
    );
  return count[0] === 0 ? [] : addresses.map((one) => ({ address: one, bytes: count[0]! }));
}

/** Pieces as rows of one shape for the block-stride engine, if they are that: equal lengths at equal distances. */
export function asShape(pieces: readonly Piece[]): Shape | undefined {
  const [first, second] = pieces;
  if (!first) return undefined;
  if (!second) return { size: first.bytes, count: 1, srcStride: 0, dstStride: 0 };
  const [srcStride, dstStride] = [second.src - first.src, second.dst - first.dst];
  const regular = pieces.every(
    ({ src, dst, bytes }, k) =>
      bytes === first.bytes && src === first.src + k * srcStride && dst === first.dst + k * dstStride,
  );
  return regular && srcStride >= 0 && dstStride >= 0
    ? { size: first.bytes, count: pieces.length, srcStride, dstStride }
    : undefined;
}

const agree = (a: number, b: number): boolean => (a - b) % 16 === 0;

/** Whether the block-stride engine moves a shape, and should (TCA specification 12.5). */
const fitsEngine = (src: number, dst: number, shape: Shape, smallest: number): boolean =>
  blocksIn(shape) === 1 ||
  (shape.size >= smallest &&
    shape.size % 4 === 0 &&
    agree(src, dst) &&
    agree(shape.srcStride, shape.dstStride) &&
    (!shape.planes || agree(shape.planes.srcStride, shape.planes.dstStride)));

/** Scattered bytes between nodes (TCA specification 12.5): by single puts, by the block-stride engine, or packed into messages. */
export class ScatteredMoves {
  readonly #gasnet: Gasnet;
  readonly #smallest: number;
  #asked = 0;
  readonly #answers = new Map<number, Uint8Array>();

  /** `smallest`: smallest rows that the block-stride engine is used for. */
  constructor(gasnet: Gasnet, smallest: number) {
    this.#gasnet = gasnet;
    this.#smallest = smallest;
  }

  /** The handlers of packed bytes. */
  get handlers(): ReadonlyMap<number, Handler> {
    const answered: Handler = (_gasnet, _token, { args: [number], payload }) => {
      this.#answers.set(number!, payload);
    };
    return new Map<number, Handler>([
      [libraryHandlers.unpack, unpack],
      [libraryHandlers.unpacked, answered],
      [libraryHandlers.pack, pack],
      [libraryHandlers.packed, answered],
    ]);
  }

  /** Begins to put scattered bytes into the segment of one node. */
  *put(target: number, sources: readonly Extent[], targets: readonly Extent[]): Task<Moves> {
    const pieces = piecesOf(sources, targets);
    if (pieces.length === 0) return { handles: [], asked: [] };
    const whole = wholeOf(pieces, this.#smallest);
    if (whole) {
      const { src, dst, shape } = whole;
      return { handles: [yield* this.#gasnet.putBlocksNb(dst, src, shape, { bulk: true })], asked: [] };
    }
    const asked: number[] = [];
    for (const load of this.#loads(pieces)) {
      const bytes: number[] = [];
      for (const { src, bytes: size } of load) {
        yield* this.#charge(src, size);
        bytes.push(...(yield* this.#gasnet.read(src, size)));
      }
      const list = entriesOf(load.map(({ dst, bytes: size }) => ({ address: dst, bytes: size })));
      asked.push(this.#asked);
      const args = [this.#asked++, load.length];
      yield* this.#gasnet.sendBytes(target, libraryHandlers.unpack, args, Uint8Array.of(...list, ...bytes));
    }
    return { handles: [], asked };
  }

  /** Gets scattered bytes out of the segment of one node. */
  *get(target: number, sources: readonly Extent[], targets: readonly Extent[]): Task<void> {
    const pieces = piecesOf(sources, targets);
    if (pieces.length === 0) return;
    const whole = wholeOf(pieces, this.#smallest);
    if (whole) {
      yield* this.#gasnet.getBlocks(whole.dst, whole.src, whole.shape);
      return;
    }
    const loads = this.#loads(pieces).map((load) => ({ load, number: this.#asked++ }));
    for (const { load, number } of loads) {
      const list = entriesOf(load.map(({ src, bytes }) => ({ address: src, bytes })));
      yield* this.#gasnet.sendBytes(target, libraryHandlers.pack, [number, load.length], list);
    }
    for (const { load, number } of loads) {
      yield* this.#gasnet.waitUntil(() => this.#answers.has(number));
      const data = this.#answers.get(number)!;
      this.#answers.delete(number);
      let at = 0;
      for (const { dst, bytes } of load) {
        yield* this.#charge(dst, bytes);
        yield* this.#gasnet.write(dst, data.slice(at, at + bytes));
        at += bytes;
      }
    }
  }

  /** Waits for moves. */
  *wait({ handles, asked }: Moves): Task<void> {
    yield* this.#gasnet.waitAll(handles);
    yield* this.#gasnet.waitUntil(() => asked.every((number) => this.#answers.has(number)));
    for (const number of asked) this.#answers.delete(number);
  }

  #charge(address: number, bytes: number): Task<void> {
    return charge(this.#gasnet, address, bytes);
  }

  /** Pieces in loads that fit a message with what tells of them. */
  #loads(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
    const room = this.#gasnet.limits.mediumBytes;
    const loads: Piece[][] = [];
    let left = 0;
    for (const piece of pieces)
      for (let done = 0; done < piece.bytes; ) {
        if (left <= entryBytes) {
          loads.push([]);
          left = room;
        }
        const bytes = Math.min(piece.bytes - done, left - entryBytes);
        loads.at(-1)!.push({ src: piece.src + done, dst: piece.dst + done, bytes });
        done += bytes;
        left -= bytes + entryBytes;
      }
    return loads;
  }
}

/** Pieces that go as they are, and the shape in which they go. */
interface Whole {
  readonly src: number;
  readonly dst: number;
  readonly shape: Shape;
}

/**
 * The one shape that pieces are, if they go as they are (TCA specification 12.5): one that lies in one, one level of strides, or two of them, that fit the
 * engine.
 */
export function wholeOf(pieces: readonly Piece[], smallest: number): Whole | undefined {
  const [first] = pieces;
  const shape = asShape(pieces) ?? asPlanes(pieces);
  return first && shape && fitsEngine(first.src, first.dst, shape, smallest)
    ? { src: first.src, dst: first.dst, shape }
    : undefined;
}

/** Pieces as equal rows at equal distances, if they are that. */
function asPlanes(pieces: readonly Piece[]): Shape | undefined {
  // The first row ends where the distance of its first two pieces does.
  let count = 2;
  while (count < pieces.length && asShape(pieces.slice(0, count + 1))) count++;
  const row = asShape(pieces.slice(0, count));
  const planes = pieces.length / count;
  if (!row || !Number.isInteger(planes) || planes > planesMax) return undefined;
  const heads = Array.from({ length: planes }, (_, plane) => pieces[plane * count]!);
  const pitch = asShape(heads);
  const regular = heads.every(({ src, dst }, plane) =>
    pieces
      .slice(plane * count, (plane + 1) * count)
      .every(
        (piece, k) =>
          piece.bytes === row.size &&
          piece.src === src + k * row.srcStride &&
          piece.dst === dst + k * row.dstStride,
      ),
  );
  return pitch && regular
    ? { ...row, planes: { count: planes, srcStride: pitch.srcStride, dstStride: pitch.dstStride } }
    : undefined;
}

/** The time in which the processor copies a piece to or from a packet. */
function charge(gasnet: Gasnet, address: number, bytes: number): Task<void> {
  return gasnet.compute(nanoseconds(copySubTicks(address, address, bytes)));
}

function entriesOf(list: readonly Extent[]): Uint8Array {
  const bytes = new Uint8Array(entryBytes * list.length);
  const view = new DataView(bytes.buffer);
  for (const [k, one] of list.entries()) {
    view.setUint32(entryBytes * k, one.address % 2 ** 32, true);
    view.setUint32(entryBytes * k + 4, Math.floor(one.address / 2 ** 32), true);
    view.setUint32(entryBytes * k + 8, one.bytes, true);
  }
  return bytes;
}

function readEntries(bytes: Uint8Array, count: number): readonly Extent[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: count }, (_, k) => ({
    address: view.getUint32(entryBytes * k, true) + 2 ** 32 * view.getUint32(entryBytes * k + 4, true),
    bytes: view.getUint32(entryBytes * k + 8, true),
  }));
}

/** Writes the pieces of a packet to their places, and says so. */
const unpack: Handler = function* (gasnet, token, { args: [number, count], payload }) {
  let at = entryBytes * count!;
  for (const { address, bytes } of readEntries(payload, count!)) {
    yield* charge(gasnet, address, bytes);
    yield* gasnet.write(address, payload.slice(at, at + bytes));
    at += bytes;
  }
  yield* token.reply('short', libraryHandlers.unpacked, { args: [number!] });
};

/** Sends the pieces that a packet names. */
const pack: Handler = function* (gasnet, token, { args: [number, count], payload }) {
  const data: number[] = [];
  for (const { address, bytes } of readEntries(payload, count!)) {
    yield* charge(gasnet, address, bytes);
    data.push(...(yield* gasnet.read(address, bytes)));
  }
  // What a handler sends lies apart from what the call has prepared in which it runs.
  yield* gasnet.write(gasnet.handlerScratch, Uint8Array.from(data));
  yield* token.reply('medium', libraryHandlers.packed, {
    args: [number!],
    src: gasnet.handlerScratch,
    bytes: data.length,
  });
};

/** The node in whose memory all these lie; undefined when there are none. Errors: throws when there are several. */
export function nodeOfAll(list: readonly Extent[]): number | undefined {
  const nodes = new Set(list.filter(({ bytes }) => bytes > 0).map(({ address }) => placeOf(address).node));
  if (nodes.size > 1)
    throw new Error(`found memory of nodes ${[...nodes].join(' and ')}, expected that of one`);
  return [...nodes][0];
}
