import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { placeOf } from '../address-map.ts';
import type { Descriptor } from '../descriptor.ts';
import type {
  CopyDone,
  CopyJob,
  Doorbell,
  MemoryLoad,
  MemoryLoaded,
  MemoryStore,
  MemoryStored,
  PioDone,
  PioStore,
} from '../messages.ts';
import { channels, inSubTicks, nanoseconds, type TcaParameters } from '../parameters.ts';
import type { Split } from '../split.ts';
import { amountOf, partsOf, words } from './chains.ts';
import { contiguous, type Job } from './job.ts';
import {
  boardAddress,
  boardSlots,
  boardWord,
  headerBytes,
  type LayoutInput,
  sendBufferAddress,
  slotAddress,
} from './layout.ts';
import type * as messages from './messages.ts';
import type { GasnetOptions } from './options.ts';
import { encodeHeader, wireBytesOf } from './packet.ts';
import { pioBytes } from './pio-window.ts';
import { type Piece, planOf } from './transfer-plan.ts';

/** Whom the planner knows; senders by peer and class of ring. */
export interface PlannerInput {
  readonly self: Address;
  readonly node: number;
  readonly layout: LayoutInput;
  readonly options: GasnetOptions;
  readonly parameters: TcaParameters;
  readonly senders: readonly (readonly Address[])[];
  readonly dmacs: readonly Address[];
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
  readonly copier: Address;
  readonly pio: Address;
  readonly cache: Address;
  readonly weights: Address;
  readonly stops: Address;
  readonly runtime: Address;
}

/** A number of own notifications on a channel. */
interface SelfCount {
  readonly channel: number;
  readonly count: number;
}

/** A job that is being sent. */
interface Work {
  readonly job: Job;
  pieces: readonly Piece[];
  next: number;
  /** Number of the packet whose slot is reserved; -1 without one. */
  slot: number;
  /** Channels that a packet by PIO must not overtake. */
  behind: readonly number[];
  /** Number of the last packet sent. */
  sequence: number;
  left: SelfCount[];
}

/** A transfer whose channels are timed (TCA specification 12.8). */
interface Timed {
  readonly pattern: string;
  readonly split: Split;
  readonly begun: number[];
  readonly ended: number[];
  readonly awaited: SelfCount[];
}

/** What is being sent, and what is known of what was. */
export interface PlannerContext {
  readonly spec: PlannerInput;
  now: number;
  /** Jobs, the one at hand last: one that waits for space may be below it. */
  works: Work[];
  /** By buffer: the notifications after which it may be filled again. */
  buffers: SelfCount[][];
  buffer: number;
  /** Own notifications asked for and come, by channel. */
  selfSent: number[];
  selfSeen: number[];
  /** Parts told to each node, by channel. */
  partsSent: number[][];
  /** Descriptors that channels may be reading. */
  inFlight: { readonly key: string; readonly channels: readonly number[] }[];
  timed: Timed[];
  /** When each channel is expected to have done its work, for the scheduler that gives it one request at a time. */
  expected: number[];
  /** The transfer at hand: its split, whether it is timed, its descriptors and those whose channel is still to be started. */
  split: Split;
  tuning: boolean;
  parts: readonly messages.ChannelPart[];
  started: number;
  /** What the processor stores by PIO. */
  bytes: Uint8Array;
}

interface PlannerTurn {
  readonly type: 'planner.turn';
  readonly at: number;
}

type PlannerEvent =
  | messages.TransferBegin
  | messages.TransferResume
  | messages.TxSlot
  | messages.TxFull
  | messages.CacheFound
  | messages.WeightsSplit
  | messages.StopKnown
  | messages.SelfNotified
  | CopyDone
  | MemoryStored
  | MemoryLoaded
  | PioDone
  | PlannerTurn;

type PlannerSends =
  | messages.TransferStarted
  | messages.TransferBlocked
  | messages.TxReserve
  | messages.TxPosted
  | messages.CacheFind
  | messages.CacheKeep
  | messages.CacheRelease
  | messages.WeightsAsk
  | messages.WeightsNote
  | messages.StopAsk
  | messages.StopStarted
  | CopyJob
  | MemoryLoad
  | MemoryStore
  | PioStore
  | Doorbell
  | PlannerTurn;

type Out = Outbox<PlannerSends>;

const { update, when, act } = component<PlannerContext, PlannerEvent, PlannerSends>();

const workOf = (c: PlannerContext): Work => c.works.at(-1)!;
const pieceOf = (c: PlannerContext): Piece | undefined => {
  const work = c.works.at(-1);
  return work?.pieces[work.next];
};
const senderOf = (c: PlannerContext): Address => {
  const { target, ring } = workOf(c).job;
  return c.spec.senders[target]![ring]!;
};
const isLeft = (c: PlannerContext, counts: readonly SelfCount[]): boolean =>
  counts.every(({ channel, count }) => c.selfSeen[channel]! >= count);

/** Packets of at most two stores go by PIO (TCA specification 12.2). */
const isSmall = (c: PlannerContext): boolean => packetBytes(c) <= 2 * pioBytes;

const usesDma = ({ way }: Piece): boolean => way === 'MtoM' || way === 'BtoM' || way === 'MtoB';

/** Arguments go with the first packet of a message, and not with its data. */
const argsOf = (c: PlannerContext): readonly number[] => {
  const { job, next } = workOf(c);
  const { kind } = pieceOf(c)!;
  return kind === 'fragment' || (next > 0 && kind === 'medium') ? [] : job.header.args;
};

const wireBytes = (c: PlannerContext): number => wireBytesOf({ args: argsOf(c) });

const packetBytes = (c: PlannerContext): number => {
  const { way, shape } = pieceOf(c)!;
  return wireBytes(c) + (way === 'PIO' ? 0 : shape.size);
};

/** Slots of the ring at hand, here and there. */
const slotHere = (c: PlannerContext): number => {
  const { job, slot } = workOf(c);
  return slotAddress(c.spec.layout, c.spec.node, job.target, job.ring, 'send', slot);
};
const slotThere = (c: PlannerContext): number => {
  const { job, slot } = workOf(c);
  return slotAddress(c.spec.layout, job.target, c.spec.node, job.ring, 'receive', slot);
};

/** Where in a slot a channel puts bytes of this address, which it reads from the word before (TCA specification 12.3). */
const slotOffset = (src: number): number => headerBytes + (src % 16);

/** The header of the packet at hand; data in DMA modes is told by how many parts there are of it. */
function headerBytesOf(c: PlannerContext, parts: readonly number[] | undefined): Uint8Array {
  const { job, slot } = workOf(c);
  const { way, kind, src, dst, shape, last } = pieceOf(c)!;
  const { header, urgent } = job;
  const carries = way === 'BtoB' || way === 'MtoB' || way === 'packet';
  const inFragment = kind === 'fragment' || kind === 'gotten';
  const counted = parts !== undefined && (kind === 'put' || kind === 'gotten');
  return encodeHeader({
    ...header,
    kind: kind!,
    args: counted ? parts : argsOf(c),
    address: inFragment && carries && way !== 'packet' ? dst : header.address,
    bytes: carries ? shape.size : 0,
    offset: way === 'MtoB' ? slotOffset(src) : wireBytes(c),
    token: kind === 'fragment' ? 0 : header.token,
    // What has come over several channels is noticed flag by flag.
    total: counted ? c.parts.length : header.total,
    source: c.spec.node,
    sequence: slot,
    last,
    urgent: urgent && last,
  });
}

const headWord = (c: PlannerContext): { address: number; data: Uint8Array } => {
  const { job, slot } = workOf(c);
  const { layout, node } = c.spec;
  const address = boardAddress(layout, node, job.target, boardSlots.head(job.ring));
  return { address, data: boardWord(slot + 1) };
};

/** Everything on the first channel of those that may be used. */
const onOne = (channel: number, amount: number): Split =>
  Array.from({ length: channels }, (_, one) => (one === channel ? amount : 0));

/** The channel that would be done first with these bytes (TCA specification 12.8, method 2). */
function soonest(c: PlannerContext, bytes: number): number {
  const { options, parameters } = c.spec;
  const { tagsPerChannel, bytesPerTag, gpuReadLatency, tagHold } = parameters;
  const turnAround = inSubTicks(gpuReadLatency + tagHold);
  const doneAt = options.channels.map((channel) => {
    const windows = bytes / Math.max(1, tagsPerChannel[channel]! * bytesPerTag);
    return Math.max(c.now, c.expected[channel]!) + Math.ceil(windows * turnAround);
  });
  const best = doneAt.indexOf(Math.min(...doneAt));
  const channel = options.channels[best]!;
  c.expected[channel] = doneAt[best]!;
  return channel;
}

/** What a DMA channel moves for the piece at hand: from where, to where, how much. */
function movedBy(c: PlannerContext): Pick<Piece, 'src' | 'dst' | 'shape'> {
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

const isPacketOnly = (c: PlannerContext): boolean => !usesDma(pieceOf(c)!);

const maySplit = (c: PlannerContext): boolean => {
  const { way, shape } = pieceOf(c)!;
  const { channels: enabled, splitMin, scheduler, parallelPackets } = c.spec.options;
  const splits = way === 'MtoM' || way === 'BtoM' || (parallelPackets && isPacketOnly(c));
  return splits && scheduler === 'split' && enabled.length > 1 && shape.size * shape.count >= splitMin;
};

const patternOf = (c: PlannerContext): string => {
  const { src, dst, shape } = movedBy(c);
  const { target } = workOf(c).job;
  const { size, count, srcStride, dstStride } = shape;
  const kinds = `${pieceOf(c)!.way} ${placeOf(src).region} ${placeOf(dst).region}`;
  return [target, size, count, srcStride, dstStride, kinds].join(' ');
};

const keyOf = (c: PlannerContext): string => {
  const { src, dst, shape } = movedBy(c);
  const { size, count, srcStride, dstStride } = shape;
  return [workOf(c).job.target, src, dst, size, count, srcStride, dstStride, c.split].join(' ');
};

/** Whether the packet is written only when all channels have stopped (TCA specification 1.19, 12.2, 12.8). */
const isDeferred = (c: PlannerContext): boolean =>
  c.parts.length > 1 && (pieceOf(c)!.kind === 'long' || isPacketOnly(c));

/** The chain of a part (TCA specification 12.8): data, the packet behind the first one, a word that tells of it, one for this node itself. */
function chainOf(c: PlannerContext, index: number): readonly Descriptor[] {
  const { channel, data } = c.parts[index]!;
  const { layout, node } = c.spec;
  const work = workOf(c);
  const { target, tellsLeft } = work.job;
  const piece = pieceOf(c)!;
  const chain: Descriptor[] = [data];
  const carries = index === 0 && piece.kind !== null && !isDeferred(c);
  if (carries) {
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

function ring(c: PlannerContext, out: Out): void {
  const { parameters, dmacs } = c.spec;
  const { channel } = c.parts[c.started]!;
  if (c.tuning && c.started === 0)
    c.timed.push({
      pattern: patternOf(c),
      split: c.split,
      begun: new Array<number>(channels).fill(c.now),
      ended: new Array<number>(channels).fill(0),
      awaited: [],
    });
  if (c.tuning) c.timed.at(-1)!.begun[channel] = c.now;
  const chain = chainOf(c, c.started);
  c.started++;
  const delay = inSubTicks(parameters.mmioWriteLatency);
  out.post({ to: dmacs[channel]!, type: 'dmac.doorbell', chain, at: c.now + delay, delay });
  // Reading the clock before and after costs 2 x 25 ns (TCA specification 12.8).
  const timing = c.tuning ? clockReadsSubTicks : 0;
  turnIn(c, inSubTicks(parameters.doorbellGap) + timing, out);
}

const clockReadsSubTicks = 2 * 25 * 4;

const turnIn = (c: PlannerContext, delay: number, out: Out): void =>
  out.post({ to: c.spec.self, type: 'planner.turn', at: c.now + delay, delay });

/** Notes when the channels of timed transfers are done; a transfer of which all are teaches the weights. */
function noteTimes(c: PlannerContext, { channel, count, at }: messages.SelfNotified, out: Out): void {
  for (const timed of c.timed)
    if (timed.awaited.some((one) => one.channel === channel && one.count === count))
      timed.ended[channel] = at;
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
    out.post({ to: c.spec.weights, type: 'weights.note', pattern, round, at });
  }
  c.timed = c.timed.filter((timed) => !measured.includes(timed));
}

const channelsOf = (c: PlannerContext): readonly number[] => c.parts.map(({ channel }) => channel);

function copy(c: PlannerContext, src: number, dst: number, bytes: number, out: Out): void {
  const { copier, self } = c.spec;
  out.post({ to: copier, type: 'copy.job', src, dst, bytes, requester: self, at: c.now });
}

function store(c: PlannerContext, addr: number, data: Uint8Array, out: Out): void {
  const { memories, self } = c.spec;
  out.post({ to: memories.cpu, type: 'memory.store', addr, data, requester: self, at: c.now });
}

function load(c: PlannerContext, addr: number, bytes: number, out: Out): void {
  const { memories, self } = c.spec;
  out.post({ to: memories.cpu, type: 'memory.load', addr, bytes, requester: self, at: c.now });
}

/** Bytes as stores of at most 64. */
const inStores = (address: number, bytes: Uint8Array): PioStore['stores'] =>
  Array.from({ length: Math.ceil(bytes.length / pioBytes) }, (_, k) => ({
    address: address + k * pioBytes,
    data: bytes.slice(k * pioBytes, (k + 1) * pioBytes),
  }));

/** Stores by PIO, and behind them the word that announces the packet at hand if there is one. */
function storeByPio(c: PlannerContext, stores: PioStore['stores'], out: Out): void {
  const { pio, self } = c.spec;
  const head = pieceOf(c)!.kind === null ? [] : [headWord(c)];
  out.post({ to: pio, type: 'pio.store', stores: [...stores, ...head], requester: self, at: c.now });
}

const stopAsked = (c: PlannerContext, asked: readonly number[], out: Out): void =>
  out.post({ to: c.spec.stops, type: 'stop.ask', channels: [...asked], at: c.now });

/** The packet of the piece at hand, if there is one, is on its way on these channels, or by PIO. */
function sent(c: PlannerContext, carriers: readonly number[], out: Out): void {
  if (pieceOf(c)!.kind === null) return;
  const work = workOf(c);
  out.post({ to: senderOf(c), type: 'tx.posted', channels: [...carriers], at: c.now });
  work.sequence = work.slot;
  work.slot = -1;
}

/** What decides how the bytes of jobs go over the wires (TCA specification 12.3, 12.8, 15). */
export const planner = setup({
  types: {} as { context: PlannerContext; events: PlannerEvent; input: PlannerInput },
  guards: {
    over: when((c) => pieceOf(c) === undefined),
    needsSlot: when((c) => pieceOf(c)!.kind !== null && workOf(c).slot < 0),
    bounces: when((c) => pieceOf(c)!.way === 'BtoM'),
    bouncesNow: when((c) => pieceOf(c)!.way === 'BtoM' && isLeft(c, c.buffers[c.buffer]!)),
    bufferFree: when((c) => isLeft(c, c.buffers[c.buffer]!)),
    copiesPacket: when((c) => pieceOf(c)!.way === 'BtoB'),
    isPacket: when((c) => pieceOf(c)!.way === 'packet'),
    isPio: when((c) => pieceOf(c)!.way === 'PIO'),
    hasPayload: when((c) => pieceOf(c)!.shape.size > 0),
    small: when(isSmall),
    mayOvertake: when((c) => workOf(c).behind.length > 0),
    maySplit: when(maySplit),
    uncached: when((c) => c.tuning || c.spec.options.cacheEntries === 0),
    hit: when<'cache.found'>((_c, { parts }) => parts !== null),
    moreChannels: when((c) => c.started < c.parts.length),
    deferred: when(isDeferred),
    defersMessage: when((c) => isDeferred(c) && !isPacketOnly(c)),
  },
  actions: {
    begin: act<'transfer.begin'>((c, { job, at }, out) => {
      c.now = at;
      c.works.push({
        job,
        pieces: planOf(job, c.spec.options),
        next: 0,
        slot: -1,
        behind: [],
        sequence: -1,
        left: [],
      });
      turnIn(c, inSubTicks(c.spec.parameters.gasnetPutSoftware), out);
    }),
    turn: update((c, { at }) => {
      c.now = at;
    }),
    finish: act((c, _event, out) => {
      const { sequence, left } = c.works.pop()!;
      out.post({ to: c.spec.runtime, type: 'transfer.started', sequence, left, at: c.now });
    }),
    reserve: act((c, _event, out) => out.post({ to: senderOf(c), type: 'tx.reserve', at: c.now })),
    noteSlot: update<'tx.slot'>((c, { sequence, behind }) => {
      const work = workOf(c);
      work.slot = sequence;
      work.behind = behind;
    }),
    tellBlocked: act<'tx.full'>((c, { sequence, at }, out) => {
      const { target, ring: full } = workOf(c).job;
      out.post({ to: c.spec.runtime, type: 'transfer.blocked', peer: target, ring: full, sequence, at });
    }),
    fillBuffer: act((c, _event, out) => {
      const { src, dst, shape } = pieceOf(c)!;
      const { layout, node } = c.spec;
      c.buffers[c.buffer] = [];
      copy(c, src, sendBufferAddress(layout, node, c.buffer) + (dst % 16), shape.size, out);
    }),
    fillSlot: act((c, _event, out) => {
      const { src, shape } = pieceOf(c)!;
      copy(c, src, slotHere(c) + wireBytes(c), shape.size, out);
    }),
    storePayload: act((c, _event, out) => {
      const { job } = workOf(c);
      const { src, shape } = pieceOf(c)!;
      store(c, slotHere(c) + wireBytes(c), job.payload.slice(src, src + shape.size), out);
    }),
    storeHeader: act((c, _event, out) => store(c, slotHere(c), headerBytesOf(c, undefined), out)),
    loadPacket: act((c, _event, out) => load(c, slotHere(c), 4 * Math.ceil(packetBytes(c) / 4), out)),
    loadSource: act((c, _event, out) => {
      const { src, shape } = pieceOf(c)!;
      load(c, src, shape.size, out);
    }),
    hold: update<'memory.loaded'>((c, { data }) => {
      c.bytes = data;
    }),
    storePacket: act((c, _event, out) => storeByPio(c, inStores(slotThere(c), c.bytes), out)),
    storeDirect: act((c, _event, out) => {
      const { dst, kind } = pieceOf(c)!;
      const { target } = workOf(c).job;
      const data = [{ address: dst, data: c.bytes }];
      const packet = kind === null ? [] : inStores(slotThere(c), headerBytesOf(c, [...c.partsSent[target]!]));
      storeByPio(c, [...data, ...packet], out);
    }),
    storeHead: act((c, _event, out) => storeByPio(c, [], out)),
    keepOneChannel: update((c) => {
      const { shape } = movedBy(c);
      const { scheduler, channels: enabled } = c.spec.options;
      const own = usesDma(pieceOf(c)!) && pieceOf(c)!.way !== 'MtoB';
      const channel = scheduler === 'perRequest' && own ? soonest(c, shape.size * shape.count) : enabled[0]!;
      c.split = onOne(channel, amountOf(shape).amount);
      c.tuning = false;
    }),
    askWeights: act((c, _event, out) => {
      const { amount, unit } = amountOf(movedBy(c).shape);
      const pattern = patternOf(c);
      out.post({ to: c.spec.weights, type: 'weights.ask', pattern, amount, unit, at: c.now });
    }),
    noteSplit: update<'weights.split'>((c, { split, tuning }) => {
      c.split = split;
      c.tuning = tuning;
    }),
    lookInCache: act((c, _event, out) =>
      out.post({ to: c.spec.cache, type: 'cache.find', key: keyOf(c), at: c.now }),
    ),
    takeFound: update<'cache.found'>((c, { parts }) => {
      c.parts = parts!;
      c.inFlight.push({ key: keyOf(c), channels: channelsOf(c) });
    }),
    build: act((c, _event, out) => {
      const { src, dst, shape } = movedBy(c);
      c.parts = partsOf(src, dst, shape, c.split);
      const cycles = c.spec.parameters.descriptorBuildOnMiss * c.parts.length;
      turnIn(c, inSubTicks(cycles), out);
    }),
    keepBuilt: act((c, _event, out) => {
      if (c.tuning || c.spec.options.cacheEntries === 0) return;
      const key = keyOf(c);
      c.inFlight.push({ key, channels: channelsOf(c) });
      out.post({ to: c.spec.cache, type: 'cache.keep', key, parts: c.parts, at: c.now });
    }),
    askStop: act((c, _event, out) => stopAsked(c, channelsOf(c), out)),
    askStopBehind: act((c, _event, out) => stopAsked(c, workOf(c).behind, out)),
    releaseDescriptors: act((c, _event, out) => {
      // The channels that are to be started have stopped: nobody reads the descriptors that they had.
      const stopped = channelsOf(c);
      const own = keyOf(c);
      const isOver = (one: { key: string; channels: readonly number[] }) =>
        one.key !== own && one.channels.every((channel) => stopped.includes(channel));
      const keys = c.inFlight.filter(isOver).map(({ key }) => key);
      c.inFlight = c.inFlight.filter((one) => !isOver(one));
      if (keys.length > 0) out.post({ to: c.spec.cache, type: 'cache.release', keys, at: c.now });
    }),
    tellStarted: act((c, _event, out) => {
      c.started = 0;
      out.post({ to: c.spec.stops, type: 'stop.started', channels: channelsOf(c), at: c.now });
    }),
    ring: act((c, _event, out) => ring(c, out)),
    // The message follows by itself when all channels have stopped; its slot is kept for it.
    deferMessage: update((c) => {
      const work = workOf(c);
      const piece = pieceOf(c)!;
      const packet: Piece = { ...piece, way: 'packet', shape: contiguous(0) };
      work.behind = channelsOf(c);
      work.pieces = [...work.pieces.slice(0, work.next), { ...piece, kind: null }, packet];
    }),
    advance: update((c) => {
      if (pieceOf(c)!.way === 'BtoM') c.buffer = 1 - c.buffer;
      workOf(c).next++;
    }),
    seeBuffer: act((c, _event, out) => turnIn(c, inSubTicks(c.spec.parameters.pollDetect), out)),
    sentByChannels: act((c, _event, out) => sent(c, channelsOf(c).slice(0, 1), out)),
    sentByPio: act((c, _event, out) => sent(c, [], out)),
    noteSelf: act<'self.notified'>((c, event, out) => {
      c.selfSeen[event.channel] = Math.max(c.selfSeen[event.channel]!, event.count);
      c.now = Math.max(c.now, event.at);
      noteTimes(c, event, out);
    }),
  },
}).createMachine({
  id: 'planner',
  context: ({ input }) => ({
    spec: input,
    now: 0,
    works: [],
    buffers: [[], []],
    buffer: 0,
    selfSent: new Array<number>(channels).fill(0),
    selfSeen: new Array<number>(channels).fill(0),
    partsSent: input.senders.map(() => new Array<number>(channels).fill(0)),
    inFlight: [],
    timed: [],
    expected: new Array<number>(channels).fill(0),
    split: [],
    tuning: false,
    parts: [],
    started: 0,
    bytes: new Uint8Array(0),
  }),
  on: { 'self.notified': { actions: 'noteSelf' } },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'transfer.begin': { target: 'chooseMode', actions: 'begin' },
        'transfer.resume': { target: 'reserving', actions: 'turn' },
      },
    },
    chooseMode: { on: { 'planner.turn': { target: 'nextPiece', actions: 'turn' } } },
    nextPiece: {
      always: [
        { guard: 'over', target: 'idle', actions: 'finish' },
        { guard: 'needsSlot', target: 'reserving' },
        { target: 'prepare' },
      ],
    },
    reserving: {
      entry: 'reserve',
      on: {
        'tx.slot': { target: 'prepare', actions: 'noteSlot' },
        'tx.full': { target: 'idle', actions: 'tellBlocked' },
      },
    },
    prepare: {
      always: [
        { guard: 'bouncesNow', target: 'bouncing', actions: 'fillBuffer' },
        { guard: 'bounces', target: 'buffering' },
        { guard: 'copiesPacket', target: 'filling', actions: 'fillSlot' },
        { guard: 'isPacket', target: 'payload' },
        { guard: 'isPio', target: 'fetching', actions: 'loadSource' },
        { target: 'split' },
      ],
    },
    buffering: { always: { guard: 'bufferFree', target: 'seeing', actions: 'seeBuffer' } },
    seeing: { on: { 'planner.turn': { target: 'bouncing', actions: ['turn', 'fillBuffer'] } } },
    bouncing: { on: { 'copy.done': { target: 'split', actions: 'turn' } } },
    filling: { on: { 'copy.done': { target: 'heading', actions: 'turn' } } },
    payload: {
      always: [{ guard: 'hasPayload', target: 'storing', actions: 'storePayload' }, { target: 'heading' }],
    },
    storing: { on: { 'memory.stored': { target: 'heading', actions: 'turn' } } },
    heading: {
      entry: 'storeHeader',
      on: {
        'memory.stored': [
          { guard: 'small', target: 'loading', actions: ['turn', 'loadPacket'] },
          { target: 'split', actions: 'turn' },
        ],
      },
    },
    loading: {
      on: {
        'memory.loaded': [
          { guard: 'mayOvertake', target: 'ordering', actions: ['hold', 'askStopBehind'] },
          { target: 'pushing', actions: ['hold', 'storePacket'] },
        ],
      },
    },
    ordering: { on: { 'stop.known': { target: 'pushing', actions: ['turn', 'storePacket'] } } },
    pushing: { on: { 'pio.done': { target: 'posted', actions: ['turn', 'sentByPio'] } } },
    fetching: {
      on: {
        'memory.loaded': [
          { guard: 'mayOvertake', target: 'orderingData', actions: ['hold', 'askStopBehind'] },
          { target: 'pushing', actions: ['hold', 'storeDirect'] },
        ],
      },
    },
    orderingData: { on: { 'stop.known': { target: 'pushing', actions: ['turn', 'storeDirect'] } } },
    split: {
      always: [
        { guard: 'maySplit', target: 'weighing', actions: 'askWeights' },
        { target: 'lookUp', actions: 'keepOneChannel' },
      ],
    },
    weighing: { on: { 'weights.split': { target: 'lookUp', actions: 'noteSplit' } } },
    lookUp: {
      always: [
        { guard: 'uncached', target: 'build' },
        { target: 'asking', actions: 'lookInCache' },
      ],
    },
    asking: {
      on: {
        'cache.found': [{ guard: 'hit', target: 'waitStop', actions: 'takeFound' }, { target: 'build' }],
      },
    },
    build: {
      entry: 'build',
      on: { 'planner.turn': { target: 'waitStop', actions: ['turn', 'keepBuilt'] } },
    },
    waitStop: {
      entry: 'askStop',
      on: { 'stop.known': { target: 'start', actions: ['turn', 'releaseDescriptors', 'tellStarted'] } },
    },
    start: {
      entry: 'ring',
      on: {
        'planner.turn': [
          { guard: 'moreChannels', target: 'start', actions: 'turn', reenter: true },
          { guard: 'defersMessage', target: 'posted', actions: ['turn', 'deferMessage'] },
          { guard: 'deferred', target: 'gathering', actions: ['turn', 'askStop'] },
          { target: 'posted', actions: ['turn', 'sentByChannels'] },
        ],
      },
    },
    // A packet that was split is announced when all channels have stopped.
    gathering: { on: { 'stop.known': { target: 'announcing', actions: ['turn', 'storeHead'] } } },
    announcing: { on: { 'pio.done': { target: 'posted', actions: ['turn', 'sentByPio'] } } },
    posted: { always: { target: 'nextPiece', actions: 'advance' } },
  },
});
