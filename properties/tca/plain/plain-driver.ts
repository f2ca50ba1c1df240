import type { Descriptor } from '../../../actors/tca/descriptor.ts';
import type { DriverCall } from '../../../machines/tca/driver-operations.ts';
import { wrongIn } from './channel-part.ts';
import type { PlainAnswer, PlainOperation } from './processor-part.ts';

/** Nodes and bytes that a driver must know. */
export interface DriverWorld {
  readonly nodes: number;
  readonly cpuBytes: number;
  readonly gpuBytes: number;
}

type Memory = 'cpu' | 'gpu';
interface Piece {
  readonly offset: number;
  readonly bytes: number;
}
interface Handle extends Piece {
  readonly node: number;
  readonly memory: Memory;
}
interface Chain {
  descriptors: Descriptor[];
  words: { readonly address: number; readonly data: Uint8Array }[];
}
type Copy = Extract<DriverCall, { readonly call: 'memcpy' | 'memcpy2D' }>;

const page = 4096;
const slots = 256;

/** The address of a place (TCA specification 2). */
export const addressAt = (node: number, memory: Memory, offset: number): number =>
  node * 2 ** 35 + (memory === 'gpu' ? 2 ** 33 : 0) + offset;

/** The word of the board of a node that another one writes (TCA specification 9). */
export const wordAt = (node: number, source: number, slot: number, { cpuBytes }: DriverWorld): number =>
  addressAt(node, 'cpu', cpuBytes + 8 * (slots * source + slot));

/** The driver of a node as the tables of TCA specification 10 and 17 have it: what a call has the processor do, and the code with which it is refused. */
export class PlainDriver {
  readonly #world: DriverWorld;
  readonly #rank: number;
  /** What is registered, in the order of the offsets. The first page of CPU memory has the words that do not come from the chip. */
  readonly #pieces: Record<Memory, Piece[]> = { cpu: [{ offset: 0, bytes: page }], gpu: [] };
  readonly #memories: Record<string, Piece & { readonly memory: Memory }> = {};
  readonly #handles: Record<string, Handle> = {};
  readonly #chains: Record<string, Chain> = {};
  readonly #loaded: (readonly Descriptor[] | undefined)[] = [];
  #window: Handle | undefined;
  #stored: { readonly address: number; readonly data: Uint8Array } | undefined;

  constructor(world: DriverWorld, rank: number) {
    this.#world = world;
    this.#rank = rank;
  }

  /** Carries a call out; gives `OK` or the code of its refusal. */
  *carriedOut(one: DriverCall): Generator<PlainOperation, string, PlainAnswer> {
    if ('channel' in one && !(Number.isInteger(one.channel) && one.channel >= 0 && one.channel <= 3))
      return 'ERANGE';
    switch (one.call) {
      case 'malloc': {
        const offset = this.#gapFor(one.bytes, one.kind);
        if (offset === undefined) return 'RESOURCE';
        this.#pieces[one.kind].push({ offset, bytes: one.bytes });
        this.#pieces[one.kind].sort((a, b) => a.offset - b.offset);
        this.#memories[one.as] = { memory: one.kind, offset, bytes: one.bytes };
        return 'OK';
      }
      case 'free': {
        const { memory, offset } = this.#memories[one.memory]!;
        return this.#isFreed(memory, offset) ? 'OK' : 'ENOTREG';
      }
      case 'handle': {
        const piece = this.#memories[one.memory]!;
        if (!this.#isRegistered(piece.memory, piece)) return 'ENOTREG';
        this.#handles[one.as] = { ...piece, node: this.#rank };
        return 'OK';
      }
      case 'import': {
        const { node, kind: memory, offset, bytes } = one;
        if (!this.#isNode(node)) return 'EUNREACH';
        this.#handles[one.as] = { node, memory, offset, bytes };
        return 'OK';
      }
      case 'destroy': {
        const { node, memory, offset } = this.#handles[one.handle]!;
        if (node !== this.#rank) return 'ENOTREG';
        this.#isFreed(memory, offset);
        return 'OK';
      }
      case 'chain':
        this.#chains[one.as] = { descriptors: [], words: [] };
        return 'OK';
      case 'drop':
        this.#chains[one.chain] = { descriptors: [], words: [] };
        return 'OK';
      case 'memcpy':
      case 'memcpy2D':
        return this.#append(one);
      case 'load': {
        const { descriptors, words } = this.#chains[one.chain]!;
        const wrong = wrongIn(descriptors);
        if (wrong !== null) return wrong;
        const busy = yield { op: 'load', channel: one.channel };
        if (busy !== undefined) return codeOf(busy);
        for (const { address, data } of words) yield { op: 'write', address, data };
        this.#loaded[one.channel] = [...descriptors];
        return 'OK';
      }
      case 'start': {
        const chain = this.#loaded[one.channel];
        if (!chain) return 'ECHAIN';
        return codeOf(yield { op: 'start', channel: one.channel, chain });
      }
      case 'receive': {
        const { node: source, slot, tag } = one;
        if (!isSlot(slot)) return 'ERANGE';
        yield { op: 'wait', flags: [{ source, slot, tag }] };
        return 'OK';
      }
      case 'stop':
        return codeOf(yield { op: 'stopped', channels: [one.channel] });
      case 'busy':
      case 'error':
        yield { op: 'register', register: one.call, channel: one.channel };
        return 'OK';
      case 'reset':
        yield { op: 'reset', channel: one.channel };
        return 'OK';
      case 'window': {
        const handle = this.#handles[one.handle]!;
        this.#window = handle;
        return 'OK';
      }
      case 'store': {
        if (!this.#window) return 'ENOTREG';
        const { node, memory, offset, bytes } = this.#window;
        const { length } = one.bytes;
        if (length < 1 || length > 64 || one.offset < 0 || one.offset + length > bytes) return 'ERANGE';
        if (length % 4 !== 0 || one.offset % 4 !== 0) return 'EALIGN';
        if (this.#stored) return 'EBUSY';
        this.#stored = {
          address: addressAt(node, memory, offset + one.offset),
          data: Uint8Array.from(one.bytes),
        };
        return 'OK';
      }
      case 'commit': {
        const stored = this.#stored;
        if (!stored) return 'ECHAIN';
        this.#stored = undefined;
        return codeOf(yield { op: 'pio', ...stored });
      }
      case 'compute':
        yield { op: 'compute', ns: one.ns };
        return 'OK';
    }
  }

  #append(one: Copy): string {
    const [source, target] = [this.#handles[one.from[0]]!, this.#handles[one.to[0]]!];
    const [from, to] = [one.from[1], one.to[1]];
    if (source.node !== this.#rank || !this.#isRegistered(source.memory, source)) return 'ENOTREG';
    const isPlane = one.call === 'memcpy2D';
    const size = isPlane ? one.width : one.bytes;
    const count = isPlane ? one.height : 1;
    const [srcStride, dstStride] = isPlane ? [one.fromPitch, one.toPitch] : [0, 0];
    const isInside = (first: number, stride: number, { bytes }: Handle): boolean => {
      const last = first + stride * (count - 1);
      return Math.min(first, last) >= 0 && Math.max(first, last) + size <= bytes;
    };
    if (!isInside(from, srcStride, source) || !isInside(to, dstStride, target) || !isSlot(one.slot))
      return 'ERANGE';
    const useInternal = one.useInternal === undefined ? {} : { useInternal: one.useInternal };
    const pipeline = one.pipeline === undefined ? {} : { pipeline: one.pipeline };
    const added: Descriptor[] = [
      {
        src: addressAt(this.#rank, source.memory, source.offset + from),
        dst: addressAt(target.node, target.memory, target.offset + to),
        size,
        count,
        srcStride,
        dstStride,
        ...useInternal,
        ...pipeline,
      },
    ];
    const words: Chain['words'] = [];
    const told = [...(one.notify ? [target.node] : []), ...(one.notifySelf ? [this.#rank] : [])];
    for (const node of told) {
      const dst = wordAt(node, this.#rank, one.slot, this.#world);
      const data = Uint8Array.from({ length: 8 }, (_, k) =>
        k < 4 ? Math.floor(one.tag / 256 ** k) % 256 : 0,
      );
      const ofChip = one.notifyInternal !== false;
      // A word in CPU memory lies in the first page, as far from a multiple of 16 as where it goes.
      const src = ofChip ? 0 : addressAt(this.#rank, 'cpu', 16 * one.slot + (dst % 16));
      if (!ofChip) words.push({ address: src, data });
      added.push({
        src,
        dst,
        size: 8,
        count: 1,
        srcStride: 0,
        dstStride: 0,
        ...(ofChip && { data }),
        ...useInternal,
      });
    }
    const chain = this.#chains[one.chain]!;
    const wrong = wrongIn([...chain.descriptors, ...added]);
    if (wrong !== null) return wrong;
    chain.descriptors.push(...added);
    chain.words.push(...words);
    return 'OK';
  }

  #isNode(node: number): boolean {
    return node >= 0 && node < this.#world.nodes;
  }

  /** The first page from which on so many bytes are free. */
  #gapFor(bytes: number, memory: Memory): number | undefined {
    if (!(bytes > 0)) return undefined;
    const all = memory === 'cpu' ? this.#world.cpuBytes : this.#world.gpuBytes;
    for (let offset = 0; offset + bytes <= all; offset += page) {
      const meets = this.#pieces[memory].some(
        (piece) =>
          offset < Math.ceil((piece.offset + piece.bytes) / page) * page && piece.offset < offset + bytes,
      );
      if (!meets) return offset;
    }
    return undefined;
  }

  #isFreed(memory: Memory, offset: number): boolean {
    const at = this.#pieces[memory].findIndex((piece) => piece.offset === offset);
    if (at >= 0) this.#pieces[memory].splice(at, 1);
    return at >= 0;
  }

  #isRegistered(memory: Memory, { offset, bytes }: Piece): boolean {
    return this.#pieces[memory].some(
      (piece) => piece.offset <= offset && offset + bytes <= piece.offset + piece.bytes,
    );
  }
}

const isSlot = (slot: number): boolean => Number.isInteger(slot) && slot >= 0 && slot < slots;

const codeOf = (answer: PlainAnswer): string => (typeof answer === 'string' ? answer : 'OK');
