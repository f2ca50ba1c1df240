import { placeOf } from '../address-map.ts';
import type { Descriptor } from '../descriptor.ts';
import { channels, inSubTicks, nanoseconds } from '../parameters.ts';
import type { TcaMessage } from '../protocol.ts';
import type { Split } from '../split.ts';
import { words } from './chains.ts';
import { blocksIn, contiguous, shapeKey } from './job.ts';
import {
  boardAddress,
  boardSlots,
  boardWord,
  headerBytes,
  replies,
  sendBufferAddress,
  slotAddress,
} from './layout.ts';
import { encodeHeader, tellsFreed, wireBytesOf } from './packet.ts';
import {
  isLeft,
  type Out,
  type PlannerContext,
  pieceOf,
  senderOf,
  type Timed,
  workOf,
} from './planner-context.ts';
import type { Piece } from './transfer-plan.ts';
import { pioBytes } from './write-combiner.ts';

/** Packets of at most two stores go by PIO (TCA specification 12.2). */
export const isSmall = (c: PlannerContext): boolean => packetBytes(c) <= 2 * pioBytes;

export const usesDma = ({ way }: Piece): boolean => way === 'MtoM' || way === 'BtoM' || way === 'MtoB';

/** Arguments go with the first packet of a message, and not with its data. */
export const argsOf = (c: PlannerContext): readonly number[] => {
  const { job, next } = workOf(c);
  const { kind } = pieceOf(c)!;
  return kind === 'fragment' || (next > 0 && kind === 'medium') ? [] : job.header.args;
};

export const wireBytes = (c: PlannerContext): number => wireBytesOf({ args: argsOf(c) });

export const packetBytes = (c: PlannerContext): number => {
  const { way, shape } = pieceOf(c)!;
  return wireBytes(c) + (way === 'PIO' ? 0 : shape.size);
};

/** Slots of the ring at hand, here and there. */
export const slotHere = (c: PlannerContext): number => {
  const { job, slot } = workOf(c);
  return slotAddress(c.spec.layout, c.spec.node, job.target, job.ring, 'send', slot);
};
export const slotThere = (c: PlannerContext): number => {
  const { job, slot } = workOf(c);
  return slotAddress(c.spec.layout, job.target, c.spec.node, job.ring, 'receive', slot);
};

/** Where in a slot a channel puts bytes of this address, which it reads from the word before (TCA specification 12.3). */
export const slotOffset = (src: number): number => headerBytes + (src % 16);

/** The header of the packet at hand; data in DMA modes is told by how many parts there are of it. */
export function headerBytesOf(c: PlannerContext, parts: readonly number[] | undefined): Uint8Array {
  const { job, slot } = workOf(c);
  const { way, kind, src, dst, shape, last } = pieceOf(c)!;
  const { header, urgent } = job;
  const carries = way === 'BtoB' || way === 'MtoB' || way === 'packet';
  const inFragment = kind === 'fragment' || kind === 'gotten';
  const counted = parts !== undefined && (kind === 'put' || kind === 'gotten');
  const work = workOf(c);
  const [requestsDone, repliesDone] = c.doneFrom[job.target]!;
  // Who waits for room in a ring of replies takes replies alone: no request may be the only one to tell of it.
  const told = [requestsDone, job.ring === replies ? repliesDone : 0] as const;
  const args = counted ? parts : argsOf(c);
  // What finds no room is told by another packet, or by a message of its own.
  work.told = c.spec.options.update === 'half' && tellsFreed(args) ? told : null;
  return encodeHeader({
    ...header,
    kind: kind!,
    args,
    address: inFragment && carries && way !== 'packet' ? dst : header.address,
    bytes: carries ? shape.size : 0,
    offset: way === 'MtoB' ? slotOffset(src) : wireBytes(c),
    token: kind === 'fragment' ? 0 : header.token,
    // What has come over several channels is noticed flag by flag; what a store brings has none.
    total: !counted ? header.total : way === 'PIO' ? 0 : c.parts.length,
    source: c.spec.node,
    sequence: slot,
    last,
    urgent: urgent && last,
    ...(work.told && { freed: work.told }),
  });
}

export const headWord = (c: PlannerContext): { address: number; data: Uint8Array } => {
  const { job, slot } = workOf(c);
  const { layout, node } = c.spec;
  const address = boardAddress(layout, node, job.target, boardSlots.head(job.ring));
  return { address, data: boardWord(slot + 1) };
};

/** Everything on the first channel of those that may be used. */
export const onOne = (channel: number, amount: number): Split =>
  Array.from({ length: channels }, (_, one) => (one === channel ? amount : 0));

/** The channel that would be done first with these bytes (TCA specification 12.8, method 2). */
export function soonest(c: PlannerContext, bytes: number, now: number): number {
  const { options, parameters } = c.spec;
  const { tagsPerChannel, bytesPerTag, gpuReadLatency, tagHold } = parameters;
  const turnAround = inSubTicks(gpuReadLatency + tagHold);
  const doneAt = options.channels.map((channel) => {
    const windows = bytes / Math.max(1, tagsPerChannel[channel]! * bytesPerTag);
    return Math.max(now, c.expected[channel]!) + Math.ceil(windows * turnAround);
  });
  const best = doneAt.indexOf(Math.min(...doneAt));
  const channel = options.channels[best]!;
  c.expected[channel] = doneAt[best]!;
  return channel;
}

/** What a DMA channel moves for the piece at hand: from where, to where, how much. */
export function movedBy(c: PlannerContext): Pick<Piece, 'src' | 'dst' | 'shape'> {
  const { way, src, dst, shape } = pieceOf(c)!;
  const { layout, node } = c.spec;
  switch (way) {
    case 'BtoM':
      return { src: sendBufferAddress(layout, node, c.buffer) + (dst % 16), dst, shape };
    case 'MtoB': {
      // Whole words, so that any bytes can be fetched; what is beside them stays in the slot.
      const from = src - (src % 4);
      const bytes = 4 * Math.ceil((src - from + shape.size) / 4);
      return { src: from, dst: slotThere(c) + headerBytes + (from % 16), shape: contiguous(bytes) };
    }
    case 'MtoM':
      return { src, dst, shape };
    default: {
      const bytes = 4 * Math.ceil(packetBytes(c) / 4);
      return { src: slotHere(c), dst: slotThere(c), shape: contiguous(bytes) };
    }
  }
}

export const isPacketOnly = (c: PlannerContext): boolean => !usesDma(pieceOf(c)!);

export const maySplit = (c: PlannerContext): boolean => {
  const { way, shape } = pieceOf(c)!;
  const { channels: enabled, splitMin, scheduler, parallelPackets } = c.spec.options;
  const splits = way === 'MtoM' || way === 'BtoM' || (parallelPackets && isPacketOnly(c));
  return splits && scheduler === 'split' && enabled.length > 1 && shape.size * blocksIn(shape) >= splitMin;
};

export const patternOf = (c: PlannerContext): string => {
  const { src, dst, shape } = movedBy(c);
  const { target } = workOf(c).job;
  const kinds = `${pieceOf(c)!.way} ${placeOf(src).region} ${placeOf(dst).region}`;
  return [target, shapeKey(shape), kinds].join(' ');
};

export const keyOf = (c: PlannerContext): string => {
  const { src, dst, shape } = movedBy(c);
  return [workOf(c).job.target, src, dst, shapeKey(shape), c.split].join(' ');
};

/** Whether the packet is written only when all channels have stopped (TCA specification 1.19, 12.2, 12.8). */
export const isDeferred = (c: PlannerContext): boolean =>
  c.parts.length > 1 && (pieceOf(c)!.kind === 'long' || isPacketOnly(c));

/** Whether the first channel carries the packet of the piece at hand. */
export const carriesPacket = (c: PlannerContext): boolean => pieceOf(c)!.kind !== null && !isDeferred(c);

/** The chain of a part (TCA specification 12.8): data, the packet behind the first one, a word that tells of it, one for this node itself. */
export function chainOf(c: PlannerContext, index: number): readonly Descriptor[] {
  const { channel, data } = c.parts[index]!;
  const { layout, node } = c.spec;
  const work = workOf(c);
  const { target, tellsLeft } = work.job;
  const piece = pieceOf(c)!;
  const chain: Descriptor[] = [...data];
  if (index === 0 && carriesPacket(c)) {
    if (usesDma(piece)) {
      const parts = c.partsSent[target]!.map((count, other) =>
        c.parts.some((part, k) => k > 0 && part.channel === other) ? count + 1 : count,
      );
      chain.push(words(slotThere(c), headerBytesOf(c, parts)));
    }
    const { address, data: word } = headWord(c);
    chain.push(words(address, word));
  } else if (!isPacketOnly(c) && target !== node) {
    const count = ++c.partsSent[target]![channel]!;
    const address = boardAddress(layout, node, target, boardSlots.part(channel));
    chain.push(words(address, boardWord(count)));
  }
  if (tellsLeft || c.tuning || piece.way === 'BtoM') {
    const count = ++c.selfSent[channel]!;
    const address = boardAddress(layout, node, node, boardSlots.part(channel));
    chain.push(words(address, boardWord(count)));
    if (tellsLeft) work.left.push({ channel, count });
    if (piece.way === 'BtoM') c.buffers[c.buffer]!.push({ channel, count });
    if (c.tuning) c.timed.at(-1)!.awaited.push({ channel, count });
  }
  return chain;
}

export function ring(c: PlannerContext, out: Out): void {
  const { parameters, dmacs } = c.spec;
  const { channel } = c.parts[c.started]!;
  // The clock is read before the doorbell, and once more at the completion (TCA specification 12.8).
  const read = c.tuning ? clockReadSubTicks : 0;
  if (c.tuning && c.started === 0)
    c.timed.push({
      pattern: patternOf(c),
      split: c.split,
      begun: new Array<number>(channels).fill(out.now + read),
      ended: new Array<number>(channels).fill(0),
      awaited: [],
    });
  if (c.tuning) c.timed.at(-1)!.begun[channel] = out.now + read;
  const chain = chainOf(c, c.started);
  c.started++;
  const delay = read + inSubTicks(parameters.mmioWriteLatency);
  out.post({ to: dmacs[channel]!, type: 'dmac.doorbell', chain, delay });
  turnIn(inSubTicks(parameters.doorbellGap) + read, out);
}

/** A reading of the clock takes 25 ns; each timing has two (TCA specification 12.8). */
const clockReadSubTicks = 25 * 4;

export const turnIn = (delay: number, out: Out): void =>
  out.post({ to: out.self, type: 'planner.turn', delay });

/** Notes when the channels of timed transfers are done; a transfer of which all are teaches the weights. */
export function noteTimes(
  c: PlannerContext,
  { channel, count }: TcaMessage<'self.notified'>,
  out: Out,
): void {
  for (const timed of c.timed)
    if (timed.awaited.some((one) => one.channel === channel && one.count === count)) {
      timed.ended[channel] = out.now;
      c.clockDebt += clockReadSubTicks;
    }
  const whole = ({ split, awaited }: Timed): boolean =>
    awaited.length === split.filter((part) => part > 0).length;
  const measured = c.timed.filter((timed) => whole(timed) && isLeft(c, timed.awaited));
  for (const { pattern, split, begun, ended, awaited } of measured) {
    const last = Math.max(...awaited.map((one) => ended[one.channel]!));
    const first = Math.min(...awaited.map((one) => begun[one.channel]!));
    const round = {
      split: [...split],
      totalNs: nanoseconds(last - first),
      channelNs: begun.map((begin, k) => nanoseconds(Math.max(1, ended[k]! - begin))),
    };
    out.post({ to: c.spec.weights, type: 'weights.note', pattern, round });
  }
  c.timed = c.timed.filter((timed) => !measured.includes(timed));
}

export const channelsOf = (c: PlannerContext): readonly number[] => c.parts.map(({ channel }) => channel);

/** Channels that must have stopped before a packet can follow what they carry: those with packets in front of it, and its own. */
export const behindAndOwn = (c: PlannerContext): readonly number[] => [
  ...new Set([...workOf(c).behind, ...channelsOf(c)]),
];

/** Channels with packets in front of one that another channel is to carry. */
export const othersBehind = (c: PlannerContext): readonly number[] =>
  workOf(c).behind.filter((channel) => channel !== c.parts[0]!.channel);

export function copy(c: PlannerContext, src: number, dst: number, bytes: number, out: Out): void {
  const { copier } = c.spec;
  out.post({ to: copier, type: 'copy.job', src, dst, bytes });
}

export function store(c: PlannerContext, addr: number, data: Uint8Array, out: Out): void {
  const { memories } = c.spec;
  out.post({ to: memories.cpu, type: 'memory.store', addr, data });
}

export function load(c: PlannerContext, addr: number, bytes: number, out: Out): void {
  const { memories } = c.spec;
  out.post({ to: memories.cpu, type: 'memory.load', addr, bytes });
}

/** Bytes as stores of at most 64. */
export const inStores = (address: number, bytes: Uint8Array): TcaMessage<'pio.store'>['stores'] =>
  Array.from({ length: Math.ceil(bytes.length / pioBytes) }, (_, k) => ({
    address: address + k * pioBytes,
    data: bytes.slice(k * pioBytes, (k + 1) * pioBytes),
  }));

/** Stores by PIO, and behind them the word that announces the packet at hand if there is one. */
export function storeByPio(c: PlannerContext, stores: TcaMessage<'pio.store'>['stores'], out: Out): void {
  const { pio } = c.spec;
  const head = pieceOf(c)!.kind === null ? [] : [headWord(c)];
  out.post({ to: pio, type: 'pio.store', stores: [...stores, ...head] });
}

/** Asks for a stop of channels: to start them, or because what goes by PIO may not overtake what they have `taken` to the wire. */
export const stopAsked = (c: PlannerContext, asked: readonly number[], taken: boolean, out: Out): void =>
  out.post({ to: c.spec.stops, type: 'stop.ask', channels: [...asked], taken });

/** The packet of the piece at hand, if there is one, is on its way on these channels, or by PIO. */
export function sent(c: PlannerContext, carriers: readonly number[], out: Out): void {
  if (pieceOf(c)!.kind === null) return;
  const work = workOf(c);
  out.post({ to: senderOf(c), type: 'tx.posted', channels: [...carriers] });
  work.sequence = work.slot;
  work.slot = -1;
  for (const [one, done] of (work.told ?? []).entries())
    out.post({ to: c.spec.receivers[work.job.target]![one]!, type: 'ring.told', done });
  work.told = null;
}
