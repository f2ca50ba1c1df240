import { headerBytes, moreArgumentBytes } from './layout.ts';

/** What a packet is about (TCA specification 11). */
export const packetKinds = [
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

/** What a packet is about: data that is in place or in the packet, a request for data, an active message, a round of a barrier. */
export type PacketKind = (typeof packetKinds)[number];

/** Arguments that an active message has at most (TCA specification 12.1). */
export const argumentsMax = 16;

/** The header of a packet (TCA specification 11). */
export interface Header {
  readonly kind: PacketKind;
  /** Index of the handler of an active message. */
  readonly handler: number;
  /** Unsigned 32-bit numbers, at most 16. */
  readonly args: readonly number[];
  /** Bytes in this packet, and where they begin in its slot. */
  readonly bytes: number;
  readonly offset: number;
  /** Where bytes go, or lie already. */
  readonly address: number;
  readonly source: number;
  readonly sequence: number;
  /** Which operation of the receiver this belongs to, or the sender's when the receiver shall answer. */
  readonly token: number;
  /** Bytes of the whole message. */
  readonly total: number;
  /** The message answers one. */
  readonly reply: boolean;
  /** No more packets of this message follow. */
  readonly last: boolean;
  /** The sender waits for the update message. */
  readonly urgent: boolean;
  /** Packets of the receiver that the sender has handled, by class of ring: an update message that goes along (TCA specification 11). */
  readonly freed?: readonly [requests: number, replies: number];
}

const flagBits = { reply: 1, last: 2, urgent: 4, freed: 8 } as const;
const shortArguments = 8;
const argumentsAt = 32;
const freedBytes = 8;

/** Where counts of freed slots lie, at the end of a header; -1 where arguments lie there. */
function freedAt(args: readonly number[]): number {
  const at = wireBytesOf({ args }) - freedBytes;
  return argumentsAt + 4 * args.length <= at ? at : -1;
}

/** Whether a header with these arguments has room to tell of freed slots: one with 7 or 8 has none. */
export const tellsFreed = (args: readonly number[]): boolean => freedAt(args) >= 0;

/** Bytes of a header on the wire: 64, or 128 with more than 8 arguments. */
export const wireBytesOf = ({ args }: Pick<Header, 'args'>): number =>
  headerBytes + (args.length > shortArguments ? moreArgumentBytes : 0);

/** The bytes of a header. */
export function encodeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(wireBytesOf(header));
  const view = new DataView(bytes.buffer);
  const { kind, handler, args, offset, address, source, sequence, token, total, reply, last, urgent, freed } =
    header;
  const counts = freed === undefined ? -1 : freedAt(args);
  view.setUint8(0, packetKinds.indexOf(kind));
  view.setUint8(1, handler);
  view.setUint8(2, args.length);
  view.setUint8(
    3,
    (reply ? flagBits.reply : 0) |
      (last ? flagBits.last : 0) |
      (urgent ? flagBits.urgent : 0) |
      (counts < 0 ? 0 : flagBits.freed),
  );
  view.setUint32(4, header.bytes, true);
  view.setUint32(8, address % 2 ** 32, true);
  view.setUint32(12, Math.floor(address / 2 ** 32), true);
  view.setUint16(16, source, true);
  view.setUint16(18, offset, true);
  view.setUint32(20, sequence, true);
  view.setUint32(24, token, true);
  view.setUint32(28, total, true);
  for (const [k, arg] of args.entries()) view.setUint32(argumentsAt + 4 * k, arg, true);
  if (counts >= 0) for (const [k, count] of freed!.entries()) view.setUint32(counts + 4 * k, count, true);
  return bytes;
}

/** The header that a slot begins with. */
export function decodeHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const kind = packetKinds[view.getUint8(0)];
  if (kind === undefined)
    throw new Error(`found packet kind ${view.getUint8(0)}, expected 0 to ${packetKinds.length - 1}`);
  const flags = view.getUint8(3);
  const args = Array.from({ length: Math.min(argumentsMax, view.getUint8(2)) }, (_, k) =>
    view.getUint32(argumentsAt + 4 * k, true),
  );
  const counts = (flags & flagBits.freed) === 0 ? -1 : freedAt(args);
  return {
    kind,
    handler: view.getUint8(1),
    args,
    bytes: view.getUint32(4, true),
    offset: view.getUint16(18, true),
    address: view.getUint32(8, true) + 2 ** 32 * view.getUint32(12, true),
    source: view.getUint16(16, true),
    sequence: view.getUint32(20, true),
    token: view.getUint32(24, true),
    total: view.getUint32(28, true),
    reply: (flags & flagBits.reply) !== 0,
    last: (flags & flagBits.last) !== 0,
    urgent: (flags & flagBits.urgent) !== 0,
    ...(counts >= 0 && {
      freed: [view.getUint32(counts, true), view.getUint32(counts + 4, true)] as const,
    }),
  };
}
