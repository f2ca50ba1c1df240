import type { z } from 'zod';
import type { gasnetConfig, TcaConfig } from '../../../machines/tca/config.ts';
import { addressAt, wordAt } from './plain-driver.ts';

/** What can be chosen about GASNet. */
export type GasnetOptions = z.output<typeof gasnetConfig>;

/** Requests and replies have rings of their own (TCA specification 11). */
export const ringNames = ['Requests', 'Replies'] as const;
export type Ring = 0 | 1;

const page = 4096;
const pages = (bytes: number): number => Math.ceil(bytes / page) * page;

/** Bytes of a header, and of the part that more than 8 arguments add (TCA specification 12.2). */
export const headerBytes = 64;
export const wireOf = (args: number): number => (args > 8 ? 128 : headerBytes);

/** Words that a node writes on the board of another one: parts by channel, packets announced and slots freed by ring, the end of the job. */
export const words = {
  part: (channel: number) => channel,
  head: (ring: Ring) => 4 + ring,
  freed: (ring: Ring) => 6 + ring,
  exit: 8,
};

/** A count as a word of a board. */
export const wordOf = (count: number): Uint8Array =>
  Uint8Array.from({ length: 8 }, (_, k) => (k < 4 ? Math.floor(count / 256 ** k) % 256 : 0));

/** Where the things of the runtime lie in the memory of nodes (TCA specification 11, 12.1): rings by peer, two send buffers, two places to prepare messages, the segment. */
export class PlainLayout {
  readonly #config: TcaConfig;
  readonly options: GasnetOptions;

  constructor(config: TcaConfig) {
    this.#config = config;
    this.options = config.gasnet!;
  }

  /** The slot of a packet between a node and its peer: where it sends from, or where it receives. */
  slot(node: number, peer: number, ring: Ring, side: 'send' | 'receive', number: number): number {
    const { slots, slotBytes } = this.options;
    const before = 4 * peer + 2 * ring + (side === 'receive' ? 1 : 0);
    return addressAt(node, 'cpu', slotBytes * (slots * before + (number % slots)));
  }

  sendBuffer(node: number, which: number): number {
    return addressAt(node, 'cpu', this.#ringBytes + which * this.options.sendBufferBytes);
  }

  word(target: number, source: number, slot: number): number {
    return wordAt(target, source, slot, this.#config);
  }

  /** First byte behind rings and buffers, and the first byte of the segment, in CPU memory. */
  get prepared(): readonly [first: number, segment: number] {
    const first = pages(this.#ringBytes + 2 * this.options.sendBufferBytes);
    return [first, first + 2 * pages(this.options.slotBytes)];
  }

  /** Bytes of the largest segments. */
  get segments(): { readonly cpu: number; readonly gpu: number } {
    const { cpuBytes, gpuBytes } = this.#config;
    return {
      cpu: Math.floor((cpuBytes - this.prepared[1]) / 2 / page) * page,
      gpu: Math.floor(gpuBytes / page) * page,
    };
  }

  get #ringBytes(): number {
    const { slots, slotBytes } = this.options;
    return this.#config.nodes * 4 * slots * slotBytes;
  }
}

/** Kinds of packets by their number. */
export const kinds = [
  'put',
  'fragment',
  'get',
  'gotten',
  'value',
  'memset',
  'short',
  'medium',
  'long',
  'barrier',
  'attach',
] as const;

/** A header as packets begin with it. */
export interface PlainHeader {
  readonly kind: string;
  readonly handler: number;
  readonly args: readonly number[];
  readonly bytes: number;
  readonly offset: number;
  readonly address: number;
  readonly source: number;
  readonly sequence: number;
  readonly token: number;
  readonly total: number;
  readonly reply: boolean;
  readonly last: boolean;
  readonly urgent: boolean;
  readonly freed?: readonly number[] | undefined;
}

/** Where counts of freed slots lie in a header: in its last 8 bytes, if no argument lies there. */
const freedPlace = (args: number): number | undefined =>
  32 + 4 * args <= wireOf(args) - 8 ? wireOf(args) - 8 : undefined;

/** Whether there is room for them. */
export const hasFreed = (args: readonly number[]): boolean => freedPlace(args.length) !== undefined;

/** Writes a number, its lowest byte first. */
function putNumber(bytes: Uint8Array, at: number, size: number, value: number): void {
  let rest = value;
  for (let k = 0; k < size; k++) {
    bytes[at + k] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The number that lies there. */
function numberIn(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let k = size - 1; k >= 0; k--) value = 256 * value + bytes[at + k]!;
  return value;
}

/** The bytes of a header. */
export function headerIn(header: PlainHeader): Uint8Array {
  const bytes = new Uint8Array(wireOf(header.args.length));
  const place = header.freed && freedPlace(header.args.length);
  putNumber(bytes, 0, 1, kinds.indexOf(header.kind as (typeof kinds)[number]));
  putNumber(bytes, 1, 1, header.handler);
  putNumber(bytes, 2, 1, header.args.length);
  putNumber(
    bytes,
    3,
    1,
    (header.reply ? 1 : 0) + (header.last ? 2 : 0) + (header.urgent ? 4 : 0) + (place === undefined ? 0 : 8),
  );
  putNumber(bytes, 4, 4, header.bytes);
  putNumber(bytes, 8, 8, header.address);
  putNumber(bytes, 16, 2, header.source);
  putNumber(bytes, 18, 2, header.offset);
  putNumber(bytes, 20, 4, header.sequence);
  putNumber(bytes, 24, 4, header.token);
  putNumber(bytes, 28, 4, header.total);
  for (const [k, arg] of header.args.entries())
    putNumber(bytes, 32 + 4 * k, 4, arg < 0 ? arg + 2 ** 32 : arg);
  if (place !== undefined)
    for (const [k, count] of header.freed!.entries()) putNumber(bytes, place + 4 * k, 4, count);
  return bytes;
}

/** The header that bytes begin with. */
export function headerOf(bytes: Uint8Array): PlainHeader {
  const args = Array.from({ length: numberIn(bytes, 2, 1) }, (_, k) => numberIn(bytes, 32 + 4 * k, 4));
  const flags = numberIn(bytes, 3, 1);
  const place = flags & 8 ? freedPlace(args.length) : undefined;
  return {
    kind: kinds[numberIn(bytes, 0, 1)]!,
    handler: numberIn(bytes, 1, 1),
    args,
    bytes: numberIn(bytes, 4, 4),
    address: numberIn(bytes, 8, 8),
    source: numberIn(bytes, 16, 2),
    offset: numberIn(bytes, 18, 2),
    sequence: numberIn(bytes, 20, 4),
    token: numberIn(bytes, 24, 4),
    total: numberIn(bytes, 28, 4),
    reply: (flags & 1) > 0,
    last: (flags & 2) > 0,
    urgent: (flags & 4) > 0,
    ...(place !== undefined && { freed: [numberIn(bytes, place, 4), numberIn(bytes, place + 4, 4)] }),
  };
}
