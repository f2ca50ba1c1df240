import type { Descriptor } from '../../../actors/tca/descriptor.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Piece, piecesOf } from '../context.ts';
import {
  isBytes,
  isThere,
  type PlainPart,
  type PlainSetting,
  placeIn,
  type Send,
  type Taken,
  u,
} from './plain-part.ts';

/** A read whose bytes are coming, and what becomes of them. */
interface Reading {
  readonly tag: number;
  readonly dst: number;
  readonly bytes: Uint8Array;
  left: number;
  readonly isInternal: boolean;
}

/** Writes of a channel that the router may have before it takes them. */
const unacceptedMost = 4;

/** What is wrong with a chain that past the driver came to a channel (TCA specification 7, 17). */
export function wrongIn(chain: readonly Descriptor[]): 'EALIGN' | 'ECHAIN' | null {
  if (chain.length < 1 || chain.length > 1024) return 'ECHAIN';
  for (const { size, count, src, dst, srcStride, dstStride, data } of chain) {
    if (size < 1 || count < 1) return 'ECHAIN';
    const apart = (a: number, b: number): boolean => (a - b) % 16 !== 0;
    if (
      data === undefined &&
      (size % 4 !== 0 || apart(src, dst) || (count > 1 && apart(srcStride, dstStride)))
    )
      return 'EALIGN';
  }
  return null;
}

/** A channel of the DMA controller by its state table (TCA specification 7, 8). */
export class PlainChannel implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #node: number;
  readonly #pool: Address;
  readonly #router: Address;
  readonly #channel: number;
  readonly #self: Address;
  readonly #driver: Address;
  readonly #hears: (early: number) => boolean;
  readonly #all: number;
  #does:
    | 'rest'
    | 'start'
    | 'ask'
    | 'pause'
    | 'stall'
    | 'settle'
    | 'fetch'
    | 'drain'
    | 'stop'
    | 'error'
    | 'clear' = 'rest';
  #chain: readonly Descriptor[] = [];
  #at = 0;
  #pieces: readonly Piece[] = [];
  #error: string | null = null;
  #free: number;
  #turns = 0;
  #early = 0;
  #done = 0;
  #writes = 0;
  #unaccepted = 0;
  #isAsked = false;
  readonly #readings: Reading[] = [];

  /** `hears` says whether a doorbell of a number that comes too early is heard. */
  constructor(setting: PlainSetting, node: number, channel: number, hears: (early: number) => boolean) {
    const { of, config } = setting;
    this.#setting = setting;
    this.#node = node;
    this.#channel = channel;
    this.#self = of(node, `Dmac[${channel}]`);
    this.#pool = of(node, 'TagPool');
    this.#router = of(node, 'Router');
    this.#driver = of(node, config.gasnet ? 'StopDetector' : 'Cpu');
    this.#hears = hears;
    this.#all = config.parameters.tagsPerChannel[channel]!;
    this.#free = this.#all;
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'dmac.doorbell':
        this.#rung(event.chain, send);
        return;
      case 'dmac.turn':
        this.#turns--;
        this.#goOn(send);
        return;
      case 'tag.grant':
        this.#granted(event.tag, send);
        return;
      case 'tag.free':
        this.#free++;
        if (this.#does === 'stall') this.#issue(send);
        else this.#look(send);
        return;
      case 'tlp.completion':
        this.#bring(event.tag, event.offset, event.data, send);
        return;
      case 'dmac.internal':
        this.#bring(event.tag, 0, event.data, send);
        return;
      case 'write.accepted':
        this.#unaccepted--;
        this.#retire(send);
        this.#answer(send);
        return;
      case 'writes.ask':
        this.#isAsked = true;
        this.#answer(send);
        return;
      case 'dmac.reset':
        if (this.#does !== 'error') return;
        this.#error = null;
        this.#does = 'clear';
        this.#look(send);
    }
  }

  #rung(chain: readonly Descriptor[], send: Send): void {
    const { strict, parameters } = this.#setting.config;
    const refuse = () => send(this.#driver, 0, 'channel.error', { channel: this.#channel, code: 'EBUSY' });
    if (this.#does === 'error' || this.#does === 'clear') refuse();
    else if (this.#does !== 'rest') {
      if (strict) refuse();
      else if (this.#hears(this.#early++)) this.#fail('EBUSY', send);
    } else {
      this.#chain = chain;
      this.#at = 0;
      this.#error = strict ? wrongIn(chain) : null;
      this.#does = 'start';
      this.#tellBusy(true, send);
      this.#wait(parameters.dmacStart + this.#fetchOf(0), send);
    }
  }

  #goOn(send: Send): void {
    switch (this.#does) {
      case 'start':
        if (this.#error !== null) this.#fail(this.#error, send);
        else {
          this.#load();
          this.#issue(send);
        }
        return;
      case 'pause':
        this.#issue(send);
        return;
      case 'fetch':
        if (this.#at + 1 < this.#chain.length) {
          this.#at++;
          this.#load();
          this.#issue(send);
        } else {
          this.#does = 'drain';
          this.#look(send);
        }
        return;
      case 'stop':
        this.#end(send);
        return;
      default:
        this.#look(send);
    }
  }

  /** Goes on where it only waits for tags. */
  #look(send: Send): void {
    if (this.#free < this.#all) return;
    if (this.#does === 'settle') this.#fetch(send);
    else if (this.#does === 'drain') {
      const { stopTail } = this.#setting.config.parameters;
      if (stopTail === 0) {
        this.#end(send);
        return;
      }
      this.#does = 'stop';
      this.#wait(stopTail, send);
    } else if (this.#does === 'clear' && this.#turns === 0) this.#does = 'rest';
  }

  /** A free tag is needed before anything else, also before the next descriptor is fetched. */
  #issue(send: Send): void {
    if (this.#free === 0) this.#does = 'stall';
    else if (this.#pieces.length > 0) {
      this.#free--;
      this.#does = 'ask';
      send(this.#pool, 0, 'tag.take', { channel: this.#channel });
    } else if (this.#chain[this.#at]!.pipeline === false && this.#free < this.#all) this.#does = 'settle';
    else this.#fetch(send);
  }

  #fetch(send: Send): void {
    this.#does = 'fetch';
    this.#wait(this.#setting.config.parameters.descriptorFetch + this.#fetchOf(this.#at + 1), send);
  }

  #granted(tag: number, send: Send): void {
    const { config } = this.#setting;
    const { internalReadLatency, readIssueInterval, blockOverhead } = config.parameters;
    const giveBack = () => this.#release(tag, 0, send);
    if (this.#does !== 'ask') {
      giveBack();
      return;
    }
    const [{ src, dst, bytes, first, descriptor }, ...rest] = this.#pieces as [Piece, ...Piece[]];
    const isInternal = descriptor.data !== undefined;
    // RDMA writes only: what is read lies on this node.
    const isReadable = isInternal || (placeIn(src).node === this.#node && isThere(src, bytes, config));
    if (!isReadable || !isThere(dst, bytes, config)) {
      giveBack();
      this.#fail('EUR', send);
      return;
    }
    this.#pieces = rest;
    this.#readings.push({ tag, dst, bytes: new Uint8Array(bytes), left: bytes, isInternal });
    const { channel } = { channel: this.#channel };
    if (isInternal)
      send(this.#self, u * internalReadLatency, 'dmac.internal', { tag, data: isBytes(descriptor.data!) });
    else
      send(this.#router, 0, 'tlp.read', {
        addr: src,
        bytes,
        tag,
        channel,
        requester: this.#self,
      });
    this.#does = 'pause';
    this.#wait(readIssueInterval + (first && descriptor.count > 1 ? blockOverhead : 0), send);
  }

  #bring(tag: number, offset: number, data: Uint8Array, send: Send): void {
    const reading = this.#readings.find((one) => one.tag === tag && one.left > 0);
    if (!reading) return;
    reading.bytes.set(data, offset);
    reading.left -= data.length;
    this.#retire(send);
  }

  /** In the order of the requests; a tag is free again a while after its write was sent. */
  #retire(send: Send): void {
    const { config } = this.#setting;
    while (this.#unaccepted < unacceptedMost && this.#readings[0]?.left === 0) {
      const { tag, dst, bytes, isInternal } = this.#readings.shift()!;
      this.#unaccepted++;
      send(this.#router, 0, 'tlp.write', {
        addr: dst,
        data: isBytes(bytes),
        source: this.#node,
        channel: this.#channel,
        seq: this.#writes++,
      });
      this.#release(tag, u * (isInternal ? 1 : config.parameters.tagHold), send);
    }
  }

  #end(send: Send): void {
    this.#does = 'rest';
    this.#done++;
    send(this.#driver, 0, 'chain.done', { channel: this.#channel, count: this.#done });
    this.#tellBusy(false, send);
  }

  #fail(code: string, send: Send): void {
    this.#does = 'error';
    this.#error = code;
    this.#tellBusy(false, send);
    send(this.#driver, 0, 'channel.error', { channel: this.#channel, code });
  }

  #answer(send: Send): void {
    if (!this.#isAsked || this.#unaccepted > 0) return;
    this.#isAsked = false;
    send(this.#driver, 0, 'writes.taken', { channel: this.#channel });
  }

  #release(tag: number, delay: number, send: Send): void {
    send(this.#pool, delay, 'tag.release', { channel: this.#channel, tag });
  }

  #tellBusy(busy: boolean, send: Send): void {
    const registers = this.#setting.of(this.#node, 'RegisterFile');
    send(registers, 0, 'dmac.busy', { channel: this.#channel, busy, error: this.#error });
  }

  #load(): void {
    this.#pieces = piecesOf(this.#chain[this.#at]!, this.#setting.config.parameters.bytesPerTag);
  }

  #wait(cycles: number, send: Send): void {
    this.#turns++;
    send(this.#self, u * cycles, 'dmac.turn');
  }

  /** A descriptor in CPU memory takes longer to fetch. */
  #fetchOf(index: number): number {
    return this.#chain[index]?.useInternal === false ? this.#setting.config.parameters.cpuReadLatency : 0;
  }
}
