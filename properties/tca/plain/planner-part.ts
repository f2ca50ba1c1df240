import type { Descriptor } from '../../../actors/tca/descriptor.ts';
import type { Address } from '../../../kernel/message.ts';
import { alike } from './alike.ts';
import {
  hasFreed,
  headerBytes,
  headerIn,
  PlainLayout,
  ringNames,
  wireOf,
  wordOf,
  words,
} from './gasnet-layout.ts';
import {
  isBytes,
  type PlainPart,
  type PlainSetting,
  placeIn,
  type Send,
  type Taken,
  u,
} from './plain-part.ts';
import {
  one,
  type PlainJob,
  piecesOfJob,
  type Rows,
  rowAt,
  rowsIn,
  type Sending,
} from './transfer-pieces.ts';

/** A number of own notifications on a channel. */
interface Told {
  readonly channel: number;
  readonly count: number;
}
interface Part {
  readonly channel: number;
  readonly data: readonly Descriptor[];
}
/** Descriptors that channels may be reading. */
interface Reading {
  readonly key: string;
  readonly channels: readonly number[];
}
interface Timed {
  readonly pattern: string;
  readonly split: readonly number[];
  readonly begun: number[];
  readonly ended: number[];
  readonly awaited: Told[];
  readonly parts: number;
}

/** A reading of the clock: 25 ns (TCA specification 12.8). */
const clockRead = 100;

/** What a channel moves. */
interface Moved {
  readonly src: number;
  readonly dst: number;
  readonly rows: Rows;
}

/** A message that a transfer waits for, and the tick in which it has come. */
type Come = readonly [event: Taken, now: number];
type Steps = Generator<undefined, void, Come>;

/** The planner of a node (TCA specification 12.3, 12.7, 12.8): a transfer is one step after the other; one that finds its ring full waits below those that are begun meanwhile. */
export class PlainPlanner implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #layout: PlainLayout;
  readonly #node: number;
  readonly #self: Address;
  readonly #transfers: Steps[] = [];
  /** A send buffer may be filled again behind these notifications. */
  readonly #buffers: Told[][] = [[], []];
  #buffer = 0;
  readonly #selfSent = [0, 0, 0, 0];
  readonly #selfSeen = [0, 0, 0, 0];
  readonly #partsTo: number[][];
  readonly #doneFrom: [number, number][];
  #reading: Reading[] = [];
  #timed: Timed[] = [];
  #debt = 0;
  readonly #expected = [0, 0, 0, 0];
  #waitsForBuffer = false;
  #send: Send = () => {};
  #now = 0;

  constructor(setting: PlainSetting, node: number) {
    this.#setting = setting;
    this.#layout = new PlainLayout(setting.config);
    this.#node = node;
    this.#self = setting.of(node, 'Planner');
    const { nodes } = setting.config;
    this.#partsTo = Array.from({ length: nodes }, () => [0, 0, 0, 0]);
    this.#doneFrom = Array.from({ length: nodes }, () => [0, 0]);
  }

  take(event: Taken, now: number, _from: Address, send: Send): void {
    this.#send = send;
    this.#now = now;
    switch (event.type) {
      case 'ring.done':
        this.#doneFrom[event.peer]![event.ring as 0 | 1] = event.done;
        return;
      case 'self.notified': {
        const { channel, count } = event;
        this.#selfSeen[channel] = Math.max(this.#selfSeen[channel]!, count);
        this.#noteTimes({ channel, count });
        if (this.#waitsForBuffer) this.#feed(event);
        return;
      }
      case 'transfer.begin':
        this.#transfers.push(this.#transfer(event.job as PlainJob));
        this.#feed(event);
        return;
      default:
        this.#feed(event);
    }
  }

  #feed(event: Taken): void {
    const step = this.#transfers.at(-1)!.next([event, this.#now]);
    if (step.done === true) this.#transfers.pop();
  }

  *#transfer(job: PlainJob): Steps {
    const { config } = this.#setting;
    const { parameters } = config;
    const runtime = this.#part('Gasnet');
    const sender = this.#part(`PacketTx[${job.target}].${ringNames[job.ring]}`);
    const left: Told[] = [];
    let slot = -1;
    let behind: readonly number[] = [];
    let sequence = -1;
    this.#turn(u * parameters.gasnetPutSoftware + this.#debt);
    this.#debt = 0;
    yield;
    const pieces = piecesOfJob(job, this.#layout.options);
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index]!;
      if (piece.kind !== null && slot < 0) {
        this.#send(sender, 0, 'tx.reserve');
        let [given] = yield;
        while (given.type === 'tx.full') {
          const full = { peer: job.target, ring: job.ring, sequence: given.sequence };
          this.#send(runtime, 0, 'transfer.blocked', full);
          yield;
          this.#send(sender, 0, 'tx.reserve');
          [given] = yield;
        }
        slot = given.sequence;
        behind = given.behind;
      }
      const sending = new OnePiece(this.#layout, this.#node, job, piece, index, slot, this.#buffer);
      const posted = yield* this.#piece(sending, behind, left);
      if (posted === 'later') {
        // The packet of a message whose data went by several channels follows when they have stopped.
        behind = [...new Set([...behind, ...sending.parts.map(({ channel }) => channel)])];
        pieces.splice(index + 1, 0, { ...piece, way: 'packet', rows: one(0) });
        pieces[index] = { ...piece, kind: null };
      } else if (piece.kind !== null) {
        this.#send(sender, 0, 'tx.posted', { channels: alike(posted) });
        sequence = slot;
        slot = -1;
        for (const [ring, done] of (sending.told ?? []).entries())
          this.#send(this.#part(`PacketRx[${job.target}].${ringNames[ring as 0 | 1]}`), 0, 'ring.told', {
            done,
          });
      }
      if (piece.way === 'BtoM') this.#buffer = 1 - this.#buffer;
    }
    this.#send(runtime, 0, 'transfer.started', { sequence, left: alike(left) });
  }

  /** Sends a piece; gives the channel that carries its packet, none for PIO, or `later` for a packet that is still to follow. */
  *#piece(
    sending: OnePiece,
    behind: readonly number[],
    left: Told[],
  ): Generator<undefined, readonly number[] | 'later', Come> {
    const { piece } = sending;
    const { src, dst, rows, way } = piece;
    const memory = this.#part('CpuMemory');
    switch (way) {
      case 'PIO': {
        this.#send(memory, 0, 'memory.load', { addr: src, bytes: rows.size });
        const [{ data }] = (yield) as unknown as [{ data: Uint8Array }];
        yield* this.#behind(behind);
        const stores = [{ address: dst, data }];
        const packet =
          piece.kind === null
            ? []
            : storesOf(sending.slotThere, this.#header(sending, this.#partsTo[sending.job.target]!));
        yield* this.#store([...stores, ...packet], sending);
        return [];
      }
      case 'BtoM': {
        const isFree = (): boolean =>
          this.#buffers[sending.buffer]!.every(({ channel, count }) => this.#selfSeen[channel]! >= count);
        if (!isFree()) {
          this.#waitsForBuffer = true;
          do yield;
          while (!isFree());
          this.#waitsForBuffer = false;
          this.#turn(u * this.#setting.config.parameters.pollDetect);
          yield;
        }
        this.#buffers[sending.buffer] = [];
        yield* this.#copy(src, sending.bufferAt, rows.size);
        break;
      }
      case 'BtoB':
        yield* this.#copy(src, sending.slotHere + sending.wire, rows.size);
        break;
      case 'packet':
        if (rows.size > 0) {
          const data = isBytes(sending.job.payload.slice(src, src + rows.size));
          this.#send(memory, 0, 'memory.store', { addr: sending.slotHere + sending.wire, data });
          yield;
        }
    }
    if (way === 'BtoB' || way === 'packet') {
      const header = this.#header(sending, undefined);
      this.#send(memory, 0, 'memory.store', { addr: sending.slotHere, data: isBytes(header) });
      yield;
      if (sending.packetBytes <= 2 * 64) {
        this.#send(memory, 0, 'memory.load', { addr: sending.slotHere, bytes: sending.packetWords });
        const [{ data }] = (yield) as unknown as [{ data: Uint8Array }];
        yield* this.#behind(behind);
        yield* this.#store(storesOf(sending.slotThere, data), sending);
        return [];
      }
    }
    return yield* this.#byChannels(sending, behind, left);
  }

  *#byChannels(
    sending: OnePiece,
    behind: readonly number[],
    left: Told[],
  ): Generator<undefined, readonly number[] | 'later', Come> {
    const { piece, job } = sending;
    const { channels: enabled, splitMin, scheduler, parallelPackets, cacheEntries } = this.#layout.options;
    const { parameters } = this.#setting.config;
    const { moved } = sending;
    const isData = piece.way === 'MtoM' || piece.way === 'BtoM' || piece.way === 'MtoB';
    const mayBeSplit = piece.way === 'MtoM' || piece.way === 'BtoM' || (parallelPackets && !isData);
    const isRows = rowsIn(moved.rows) > 1;
    const amount = isRows ? rowsIn(moved.rows) : moved.rows.size;
    const pattern = [
      job.target,
      nameOf(moved.rows),
      `${piece.way} ${placeIn(moved.src).memory} ${placeIn(moved.dst).memory}`,
    ].join(' ');
    let split: readonly number[];
    let isTimed = false;
    if (
      mayBeSplit &&
      scheduler === 'split' &&
      enabled.length > 1 &&
      piece.rows.size * rowsIn(piece.rows) >= splitMin
    ) {
      this.#send(this.#part('WeightTable'), 0, 'weights.ask', { pattern, amount, unit: isRows ? 1 : 128 });
      const [answer] = yield;
      split = answer.split;
      isTimed = answer.tuning;
    } else {
      const isFree = scheduler === 'perRequest' && isData && piece.way !== 'MtoB';
      const channel = isFree ? this.#soonest(moved.rows.size * rowsIn(moved.rows)) : enabled[0]!;
      split = [0, 1, 2, 3].map((k) => (k === channel ? amount : 0));
    }
    const key = [job.target, moved.src, moved.dst, nameOf(moved.rows), split].join(' ');
    const isKept = !isTimed && cacheEntries > 0;
    let found: readonly Part[] | null = null;
    if (isKept) {
      this.#send(this.#part('DescriptorCache'), 0, 'cache.find', { key });
      [{ parts: found }] = (yield) as unknown as [{ parts: readonly Part[] | null }];
    }
    const parts = partsOf(moved, split);
    if (!found) {
      this.#turn(u * parameters.descriptorBuildOnMiss * parts.length);
      yield;
      if (isKept) this.#send(this.#part('DescriptorCache'), 0, 'cache.keep', { key, parts: alike(parts) });
    }
    sending.parts = parts;
    const used = parts.map(({ channel }) => channel);
    if (isKept) this.#reading.push({ key, channels: used });
    const stops = this.#part('StopDetector');
    this.#send(stops, 0, 'stop.ask', { channels: alike(used), taken: false });
    yield;
    const isOver = (other: Reading): boolean =>
      other.key !== key && other.channels.every((channel) => used.includes(channel));
    const keys = this.#reading.filter(isOver).map((other) => other.key);
    this.#reading = this.#reading.filter((other) => !isOver(other));
    if (keys.length > 0) this.#send(this.#part('DescriptorCache'), 0, 'cache.release', { keys: alike(keys) });
    const isLater = parts.length > 1 && (piece.kind === 'long' || !isData);
    // A packet that one channel carries must not overtake those that others do.
    if (piece.kind !== null && !isLater) yield* this.#behind(behind.filter((channel) => channel !== used[0]));
    this.#send(stops, 0, 'stop.started', { channels: alike(used) });
    const timed: Timed | undefined = isTimed
      ? {
          pattern,
          split,
          begun: [0, 1, 2, 3].map(() => this.#now + clockRead),
          ended: [0, 0, 0, 0],
          awaited: [],
          parts: parts.length,
        }
      : undefined;
    if (timed) this.#timed.push(timed);
    for (const index of parts.keys()) {
      const read = timed ? clockRead : 0;
      const { channel } = parts[index]!;
      if (timed) timed.begun[channel] = this.#now + read;
      const chain = this.#chain(sending, index, isLater, timed, left);
      this.#send(this.#part(`Dmac[${channel}]`), read + u * parameters.mmioWriteLatency, 'dmac.doorbell', {
        chain: alike(chain),
      });
      this.#turn(read + u * parameters.doorbellGap);
      yield;
    }
    if (!isLater) return used.slice(0, 1);
    if (isData) return 'later';
    yield* this.#behind([...new Set([...behind, ...used])]);
    yield* this.#store([], sending);
    return [];
  }

  /** The chain of a part: its data, the packet behind the first one and the word that announces it, a word for each other part, a word for this node. */
  #chain(
    sending: OnePiece,
    index: number,
    isLater: boolean,
    timed: Timed | undefined,
    left: Told[],
  ): Descriptor[] {
    const { piece, job, parts } = sending;
    const { channel, data } = parts[index]!;
    const isData = piece.way !== 'BtoB' && piece.way !== 'packet';
    const partsTo = this.#partsTo[job.target]!;
    const chain = [...data];
    if (index === 0 && piece.kind !== null && !isLater) {
      if (isData) {
        const others = parts.slice(1).map((part) => part.channel);
        const counts = partsTo.map((count, other) => (others.includes(other) ? count + 1 : count));
        chain.push(wordsTo(sending.slotThere, this.#header(sending, counts)));
      }
      chain.push(wordsTo(sending.headAddress, wordOf(sending.slot + 1)));
    } else if (isData && job.target !== this.#node) {
      const count = ++partsTo[channel]!;
      chain.push(wordsTo(this.#layout.word(job.target, this.#node, words.part(channel)), wordOf(count)));
    }
    if (job.tellsLeft || timed || piece.way === 'BtoM') {
      const count = ++this.#selfSent[channel]!;
      chain.push(wordsTo(this.#layout.word(this.#node, this.#node, words.part(channel)), wordOf(count)));
      const told = { channel, count };
      if (job.tellsLeft) left.push(told);
      if (piece.way === 'BtoM') this.#buffers[sending.buffer]!.push(told);
      timed?.awaited.push(told);
    }
    return chain;
  }

  /** The header of a packet; data that went by channels is told by how many parts there were. */
  #header(sending: OnePiece, counts: readonly number[] | undefined): Uint8Array {
    const { piece, job, slot, wire } = sending;
    const { way, kind, src, dst, rows, last } = piece;
    const isCounted = counts !== undefined && (kind === 'put' || kind === 'gotten');
    const isInPacket = way === 'BtoB' || way === 'MtoB' || way === 'packet';
    const args = isCounted ? [...counts] : sending.args;
    const [requests, replies] = this.#doneFrom[job.target]!;
    const isTold = this.#layout.options.update === 'half' && hasFreed(args);
    sending.told = isTold ? [requests, job.ring === 1 ? replies : 0] : undefined;
    const goesToMemory = (kind === 'fragment' || kind === 'gotten') && (way === 'BtoB' || way === 'MtoB');
    return headerIn({
      ...job.header,
      kind: kind!,
      args,
      address: goesToMemory ? dst : job.header.address,
      bytes: isInPacket ? rows.size : 0,
      offset: way === 'MtoB' ? headerBytes + (src % 16) : wire,
      token: kind === 'fragment' ? 0 : job.header.token,
      total: isCounted ? sending.parts.length : job.header.total,
      source: this.#node,
      sequence: slot,
      last,
      urgent: job.urgent && last,
      freed: sending.told,
    });
  }

  /** The channel that is done first with so many bytes (TCA specification 12.8, method 2). */
  #soonest(bytes: number): number {
    const { tagsPerChannel, bytesPerTag, gpuReadLatency, tagHold } = this.#setting.config.parameters;
    let best = -1;
    let bestAt = Number.POSITIVE_INFINITY;
    for (const channel of this.#layout.options.channels) {
      const windows = bytes / (tagsPerChannel[channel]! * bytesPerTag);
      const at =
        Math.max(this.#now, this.#expected[channel]!) + Math.ceil(windows * u * (gpuReadLatency + tagHold));
      if (at < bestAt) [best, bestAt] = [channel, at];
    }
    this.#expected[best] = bestAt;
    return best;
  }

  #noteTimes({ channel, count }: Told): void {
    for (const one of this.#timed)
      if (one.awaited.some((told) => told.channel === channel && told.count === count)) {
        one.ended[channel] = this.#now;
        this.#debt += clockRead;
      }
    const isOver = ({ awaited, parts }: Timed): boolean =>
      awaited.length === parts && awaited.every((told) => this.#selfSeen[told.channel]! >= told.count);
    for (const { pattern, split, begun, ended, awaited } of this.#timed.filter(isOver)) {
      const used = awaited.map((told) => told.channel);
      const total = Math.max(...used.map((k) => ended[k]!)) - Math.min(...used.map((k) => begun[k]!));
      const channelNs = (found: readonly number[]): boolean =>
        used.every((k) => found[k] === Math.max(1, ended[k]! - begun[k]!) / 4);
      const round = (found: { split: unknown; totalNs: unknown; channelNs: readonly number[] }): boolean =>
        alike(split)(found.split) && found.totalNs === total / 4 && channelNs(found.channelNs);
      this.#send(this.#part('WeightTable'), 0, 'weights.note', { pattern, round });
    }
    this.#timed = this.#timed.filter((one) => !isOver(one));
  }

  /** PIO does not overtake what channels of the ring still have before the router. */
  *#behind(channels: readonly number[]): Steps {
    if (channels.length === 0) return;
    this.#send(this.#part('StopDetector'), 0, 'stop.ask', { channels: alike(channels), taken: true });
    yield;
  }

  *#copy(src: number, dst: number, bytes: number): Steps {
    this.#send(this.#part('Copier'), 0, 'copy.job', { src, dst, bytes });
    yield;
  }

  *#store(stores: readonly object[], sending: OnePiece): Steps {
    const head =
      sending.piece.kind === null ? [] : [{ address: sending.headAddress, data: wordOf(sending.slot + 1) }];
    this.#send(this.#part('Pio'), 0, 'pio.store', { stores: alike([...stores, ...head]) });
    yield;
  }

  #turn(delay: number): void {
    this.#send(this.#self, delay, 'planner.turn');
  }

  #part(name: string): Address {
    return this.#setting.of(this.#node, name);
  }
}

/** A piece with its places. */
class OnePiece {
  parts: readonly Part[] = [];
  told: readonly number[] | undefined;
  readonly slotHere: number;
  readonly slotThere: number;
  readonly headAddress: number;
  readonly args: readonly number[];
  readonly bufferAt: number;

  constructor(
    layout: PlainLayout,
    node: number,
    readonly job: PlainJob,
    readonly piece: Sending,
    index: number,
    readonly slot: number,
    readonly buffer: number,
  ) {
    const { target, ring, header } = job;
    this.slotHere = layout.slot(node, target, ring, 'send', slot);
    this.slotThere = layout.slot(target, node, ring, 'receive', slot);
    this.headAddress = layout.word(target, node, words.head(ring));
    this.bufferAt = layout.sendBuffer(node, buffer) + (piece.dst % 16);
    // Arguments go with the first packet of a message, not with its data.
    this.args = piece.kind === 'fragment' || (index > 0 && piece.kind === 'medium') ? [] : header.args;
  }

  get wire(): number {
    return wireOf(this.args.length);
  }

  get packetBytes(): number {
    return this.wire + this.piece.rows.size;
  }

  get packetWords(): number {
    return 4 * Math.ceil(this.packetBytes / 4);
  }

  get moved(): Moved {
    const { way, src, dst, rows } = this.piece;
    if (way === 'MtoM') return { src, dst, rows };
    if (way === 'BtoM') return { src: this.bufferAt, dst, rows };
    if (way === 'MtoB') {
      // Whole words, from the one in which the bytes begin.
      const from = 4 * Math.floor(src / 4);
      const end = 4 * Math.ceil((src + rows.size) / 4);
      return { src: from, dst: this.slotThere + headerBytes + (from % 16), rows: one(end - from) };
    }
    return { src: this.slotHere, dst: this.slotThere, rows: one(this.packetWords) };
  }
}

const nameOf = ({ size, count, srcStride, dstStride, planes }: Rows): string =>
  [
    size,
    count,
    srcStride,
    dstStride,
    ...(planes ? [planes.count, planes.srcStride, planes.dstStride] : []),
  ].join(' ');

const wordsTo = (dst: number, data: Uint8Array): Descriptor => ({
  src: 0,
  dst,
  size: data.length,
  count: 1,
  srcStride: 0,
  dstStride: 0,
  data,
});

/** Bytes in stores of at most 64. */
function storesOf(
  address: number,
  bytes: Uint8Array,
): readonly { readonly address: number; readonly data: Uint8Array }[] {
  const stores = [];
  for (let at = 0; at < bytes.length; at += 64)
    stores.push({ address: address + at, data: bytes.slice(at, at + 64) });
  return stores;
}

/** Consecutive parts, channel by channel; rows with a descriptor for each plane. */
function partsOf({ src, dst, rows }: Moved, split: readonly number[]): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [channel, share] of split.entries()) {
    if (share === 0) continue;
    const data: Descriptor[] = [];
    if (rowsIn(rows) === 1)
      data.push({ src: src + at, dst: dst + at, size: share, count: 1, srcStride: 0, dstStride: 0 });
    else
      for (let row = at; row < at + share; ) {
        const inPlane = Math.min(at + share - row, rows.count - (row % rows.count));
        const [from, to] = rowAt(rows, row);
        const { size, srcStride, dstStride } = rows;
        data.push({ src: src + from, dst: dst + to, size, count: inPlane, srcStride, dstStride });
        row += inPlane;
      }
    parts.push({ channel, data });
    at += share;
  }
  return parts;
}
