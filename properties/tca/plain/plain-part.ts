import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import type { TcaConfig } from '../../../machines/tca/config.ts';

/** What a part must send, and when it must arrive. Of the message only what is named here is looked at; a function says of a field whether it is right. */
export interface Expected {
  readonly from: Address;
  readonly to: Address;
  readonly due: number;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Takes what a part sends at the moment: to whom, after how many sub-ticks, of what type, and with what. */
export type Send = (to: Address, delay: number, type: string, fields?: Expected['fields']) => void;

/** What messages carry; each part knows what is in those that it takes. */
type Field =
  | 'addr'
  | 'address'
  | 'amount'
  | 'answer'
  | 'args'
  | 'behind'
  | 'busy'
  | 'bytes'
  | 'call'
  | 'channel'
  | 'channelNs'
  | 'channels'
  | 'chain'
  | 'code'
  | 'count'
  | 'data'
  | 'done'
  | 'dst'
  | 'error'
  | 'freed'
  | 'handler'
  | 'head'
  | 'header'
  | 'headers'
  | 'job'
  | 'key'
  | 'keys'
  | 'kind'
  | 'left'
  | 'ns'
  | 'offset'
  | 'parts'
  | 'pattern'
  | 'payload'
  | 'peer'
  | 'port'
  | 'register'
  | 'requester'
  | 'ring'
  | 'round'
  | 'sequence'
  | 'seq'
  | 'slot'
  | 'source'
  | 'split'
  | 'src'
  | 'stores'
  | 'status'
  | 'tag'
  | 'taken'
  | 'totalNs'
  | 'tuning'
  | 'unit'
  | 'units'
  | 'value';

/** A message as a plain part takes it. */
// biome-ignore lint/suspicious/noExplicitAny: what is in a message depends on its type, which a plain part looks at first
export type Taken = LockstepEvent & { readonly [Name in Field]: any };

/**
 * A part of a node as plain as the specification has it: says of each message that it takes what it sends.
 *
 * Details: it shares nothing with the part of the machine. What it sends is compared with what the messages of the machine's part have as their cause.
 */
export interface PlainPart {
  take(event: Taken, now: number, from: Address, send: Send): void;
  /** What it sends of these types is its own business: how it sees to it that it looks again. */
  readonly own?: readonly string[];
  /** What is wrong with the part before it takes something: it could have gone on in an earlier tick. */
  late?(now: number): string | undefined;
}

/** What plain parts know: the configuration, and who is who. */
export interface PlainSetting {
  readonly config: TcaConfig;
  /** The address of a part of a node: `of(2, 'Link.Up')`. */
  readonly of: (node: number, part: string) => Address;
}

/** Sub-ticks of a cycle of 4 ns (TCA specification 3). */
export const u = 16;

/** Bytes of the window of a node, and where its memories begin (TCA specification 2). */
const window = 2 ** 35;
const gpuAt = 2 ** 33;
const chipAt = 3 * 2 ** 33;

/** The node and the memory of an address, and the place in it; beyond both memories it is the chip. */
export function placeIn(address: number): {
  readonly node: number;
  readonly memory: 'cpu' | 'gpu' | 'chip';
  readonly offset: number;
} {
  const node = Math.floor(address / window);
  const inside = address - node * window;
  if (inside >= chipAt) return { node, memory: 'chip', offset: inside - chipAt };
  if (inside >= gpuAt) return { node, memory: 'gpu', offset: inside - gpuAt };
  return { node, memory: 'cpu', offset: inside };
}

/** Where in CPU memory the words begin that other nodes write to notify (TCA specification 9), and how many bytes they are. */
export const wordsPerSource = 256;
export const boardBytes = ({ nodes }: Pick<TcaConfig, 'nodes'>): number => 8 * wordsPerSource * nodes;

/** Whether bytes lie in memory of a node, its board included. */
export function isThere(address: number, bytes: number, config: TcaConfig): boolean {
  if (!(address >= 0)) return false;
  const { node, memory, offset } = placeIn(address);
  if (node >= config.nodes || memory === 'chip') return false;
  return offset + bytes <= (memory === 'gpu' ? config.gpuBytes : config.cpuBytes + boardBytes(config));
}

/** Looks for these bytes. */
export const isBytes =
  (bytes: Uint8Array) =>
  (found: unknown): boolean => {
    if (found === bytes) return true;
    const other = found as Uint8Array;
    if (other.length !== bytes.length) return false;
    for (let k = 0; k < bytes.length; k++) if (other[k] !== bytes[k]) return false;
    return true;
  };

/** Looks for so many bytes. */
export const isLong =
  (bytes: number) =>
  (found: unknown): boolean =>
    (found as Uint8Array).length === bytes;
