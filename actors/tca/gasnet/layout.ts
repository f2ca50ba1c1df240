import { addressOf, notifyOffset, placeOf } from '../address-map.ts';
import type { GasnetOptions } from './options.ts';

/** Page of segments (TCA specification 12.1). */
export const pageBytes = 4096;

/** Bytes of the header of a packet with up to 8 arguments, and what more arguments add (TCA specification 11, 12.2). */
export const headerBytes = 64;
export const moreArgumentBytes = 64;

/** Requests and replies have rings of their own: a reply must always find space (TCA specification 11). */
export type RingClass = 0 | 1;
export const requests: RingClass = 0;
export const replies: RingClass = 1;

/** The classes of rings. */
export const ringClasses: readonly RingClass[] = [requests, replies];

/** Words of the notify board that a node writes at another one (TCA specification 9). The first four count parts by channel. */
export const boardSlots = {
  part: (channel: number): number => channel,
  head: (ring: RingClass): number => 4 + ring,
  freed: (ring: RingClass): number => 6 + ring,
  exit: 8,
} as const;

/** What decides where things lie in the memories of every node. */
export interface LayoutInput {
  readonly nodes: number;
  readonly cpuBytes: number;
  readonly gpuBytes: number;
  readonly options: Pick<GasnetOptions, 'slots' | 'slotBytes' | 'sendBufferBytes' | 'minHwBlock'>;
}

/** Bytes of segments by kind of memory. */
export interface SegmentBytes {
  readonly cpu: number;
  readonly gpu: number;
}

const wholePages = (bytes: number): number => pageBytes * Math.floor(bytes / pageBytes);

const ringBytes = ({ options }: LayoutInput): number => options.slots * options.slotBytes;

/** Bytes at the beginning of CPU memory that belong to the runtime: rings and send buffers. */
export const runtimeBytes = (input: LayoutInput): number =>
  wholePages(input.nodes * 4 * ringBytes(input) + 2 * input.options.sendBufferBytes + pageBytes - 1);

/** Bytes in which a call of the library prepares a message, and as many for a handler of it: registered memory between that of the runtime and the segment. */
export const scratchBytes = ({ options }: Pick<LayoutInput, 'options'>): number =>
  wholePages(options.slotBytes + pageBytes - 1);

/** Largest segments: half of what the runtime leaves of CPU memory, all GPU memory (TCA specification 12.1). */
export const segmentBytesMax = (input: LayoutInput): SegmentBytes => ({
  cpu: Math.max(0, wholePages((input.cpuBytes - runtimeBytes(input) - 2 * scratchBytes(input)) / 2)),
  gpu: wholePages(input.gpuBytes),
});

/** Where the segment of a node begins; behind it lies memory of which no other node knows. */
export const segmentBase = (input: LayoutInput, node: number, region: 'cpu' | 'gpu'): number =>
  addressOf(node, region, region === 'cpu' ? segmentOffset(input) : 0);

const segmentOffset = (input: LayoutInput): number => runtimeBytes(input) + 2 * scratchBytes(input);

/** True when all bytes lie where the library prepares messages. */
export function inScratch(input: LayoutInput, address: number, bytes: number): boolean {
  const { region, offset } = placeOf(address);
  return region === 'cpu' && offset >= runtimeBytes(input) && offset + bytes <= segmentOffset(input);
}

/** The slot in which `owner` keeps packet number `sequence` between it and `peer`: where it sends from, or where it receives. */
export function slotAddress(
  input: LayoutInput,
  owner: number,
  peer: number,
  ring: RingClass,
  side: 'send' | 'receive',
  sequence: number,
): number {
  const index = (peer * 2 + ring) * 2 + (side === 'send' ? 0 : 1);
  const { slots, slotBytes } = input.options;
  return addressOf(owner, 'cpu', index * ringBytes(input) + (sequence % slots) * slotBytes);
}

/** One of the two send buffers of a node. */
export const sendBufferAddress = (input: LayoutInput, node: number, buffer: number): number =>
  addressOf(node, 'cpu', input.nodes * 4 * ringBytes(input) + buffer * input.options.sendBufferBytes);

/** The word that `source` writes on the board of `target`. */
export const boardAddress = (
  { cpuBytes }: LayoutInput,
  source: number,
  target: number,
  slot: number,
): number => addressOf(target, 'cpu', notifyOffset(cpuBytes, source, slot));

/** A word of the notify board. */
export function boardWord(value: number): Uint8Array {
  const word = new Uint8Array(8);
  new DataView(word.buffer).setUint32(0, value, true);
  return word;
}

/** True when all bytes lie in the segment of their node, which has these sizes. */
export function inSegment(
  input: LayoutInput,
  { cpu, gpu }: SegmentBytes,
  address: number,
  bytes: number,
): boolean {
  const { node, region, offset } = placeOf(address);
  if (region === 'chip' || address < 0) return false;
  const first = region === 'cpu' ? segmentOffset(input) : 0;
  const end = first + (region === 'cpu' ? cpu : gpu);
  return node < input.nodes && offset >= first && offset + bytes <= end;
}

/** True when all bytes lie in memory of a node that programs may use. */
export function inMemory(input: LayoutInput, address: number, bytes: number): boolean {
  const { node, region, offset } = placeOf(address);
  if (region === 'chip' || address < 0 || node >= input.nodes) return false;
  const first = region === 'cpu' ? runtimeBytes(input) : 0;
  return offset >= first && offset + bytes <= (region === 'cpu' ? input.cpuBytes : input.gpuBytes);
}
