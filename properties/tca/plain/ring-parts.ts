import type { Address } from '../../../kernel/message.ts';
import { alike } from './alike.ts';
import {
  headerBytes,
  headerOf,
  type PlainHeader,
  PlainLayout,
  type Ring,
  ringNames,
  wordOf,
  words,
} from './gasnet-layout.ts';
import { isBytes, type PlainPart, type PlainSetting, type Send, type Taken, u } from './plain-part.ts';

/** The words of the board of a node, handed to those whom they concern (TCA specification 9, 11). */
export const plainBoard = ({ of }: PlainSetting, node: number): PlainPart => ({
  take(event, _now, _from, send) {
    const { source, slot, value } = event;
    const [runtime, planner] = [of(node, 'Gasnet'), of(node, 'Planner')];
    if (slot < 4) {
      const fields = { channel: slot, count: value };
      if (source === node) for (const to of [planner, runtime]) send(to, 0, 'self.notified', fields);
      else
        for (const ring of ringNames) send(of(node, `PacketRx[${source}].${ring}`), 0, 'ring.part', fields);
    } else if (slot === words.exit) send(runtime, 0, 'job.exit', { code: value - 1 });
    for (const ring of [0, 1] as const) {
      const name = `[${source}].${ringNames[ring]}`;
      if (slot === words.head(ring)) send(of(node, `PacketRx${name}`), 0, 'ring.head', { head: value });
      if (slot === words.freed(ring)) send(of(node, `PacketTx${name}`), 0, 'ring.freed', { freed: value });
    }
  },
});

/** The sending side of a ring (TCA specification 11): a slot is given while the receiver has not more packets than slots. */
export class PlainSender implements PlainPart {
  readonly #of: PlainSetting['of'];
  readonly #node: number;
  readonly #peer: number;
  readonly #ring: Ring;
  readonly #slots: number;
  #head = 0;
  #freed = 0;
  /** Packets on channels, as long as a packet by PIO could overtake them. */
  #carried: { readonly number: number; readonly channels: readonly number[] }[] = [];

  constructor({ of, config }: PlainSetting, node: number, peer: number, ring: Ring) {
    this.#of = of;
    this.#node = node;
    this.#peer = peer;
    this.#ring = ring;
    this.#slots = config.gasnet!.slots;
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'tx.reserve': {
        const sequence = this.#head;
        const planner = this.#of(this.#node, 'Planner');
        if (this.#head - this.#freed >= this.#slots) send(planner, 0, 'tx.full', { sequence });
        else {
          const behind = [0, 1, 2, 3].filter((channel) =>
            this.#carried.some(({ channels }) => channels.includes(channel)),
          );
          send(planner, 0, 'tx.slot', { sequence, behind: alike(behind) });
        }
        return;
      }
      case 'tx.posted': {
        const channels: readonly number[] = event.channels;
        if (channels.length === 0) this.#carried = [];
        else this.#carried.push({ number: this.#head, channels });
        this.#head++;
        return;
      }
      case 'ring.freed':
        this.#freed = Math.max(this.#freed, event.freed);
        this.#carried = this.#carried.filter(({ number }) => number >= this.#freed);
        send(this.#of(this.#node, 'Gasnet'), 0, 'tx.freed', {
          peer: this.#peer,
          ring: this.#ring,
          freed: this.#freed,
        });
    }
  }
}

/** The receiving side of a ring (TCA specification 11): packets in their order, each once all parts of what it announces have come and were noticed; how the sender hears of its slot is the policy. */
export class PlainReceiver implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #layout: PlainLayout;
  readonly #node: number;
  readonly #peer: number;
  readonly #ring: Ring;
  readonly #self: Address;
  #does: 'nothing' | 'offer' | 'header' | 'payload' | 'parts' | 'notice' | 'handle' | 'update' = 'nothing';
  #tail = 0;
  #done = 0;
  #told = 0;
  readonly #parts = [0, 0, 0, 0];
  readonly #partsAt = [0, 0, 0, 0];
  #header: PlainHeader | undefined;
  #payload = new Uint8Array(0);

  constructor(setting: PlainSetting, node: number, peer: number, ring: Ring) {
    this.#setting = setting;
    this.#layout = new PlainLayout(setting.config);
    this.#node = node;
    this.#peer = peer;
    this.#ring = ring;
    this.#self = setting.of(node, `PacketRx[${peer}].${ringNames[ring]}`);
  }

  take(event: Taken, now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'ring.head':
        this.#tail = Math.max(this.#tail, event.head);
        this.#offer(send);
        return;
      case 'ring.part': {
        const { channel, count } = event;
        if (count <= this.#parts[channel]!) return;
        this.#parts[channel] = count;
        this.#partsAt[channel] = now;
        if (this.#does === 'parts') this.#gather(now, send);
        return;
      }
      case 'ring.told':
        this.#told = Math.max(this.#told, event.done);
        return;
      case 'packet.take':
        this.#does = 'header';
        this.#load(this.#slot, 2 * headerBytes, send);
        return;
      case 'memory.loaded':
        this.#loaded(event.data, now, send);
        return;
      case 'packet.turn':
        this.#handOver(send);
        return;
      case 'packet.done':
        this.#freed(send);
        return;
      case 'pio.done':
        this.#tellFreed(send);
    }
  }

  get #slot(): number {
    return this.#layout.slot(this.#node, this.#peer, this.#ring, 'receive', this.#done);
  }

  #offer(send: Send): void {
    if (this.#does !== 'nothing' || this.#tail <= this.#done) return;
    this.#does = 'offer';
    send(this.#setting.of(this.#node, 'Gasnet'), 0, 'packet.ready', { peer: this.#peer, ring: this.#ring });
  }

  #load(addr: number, bytes: number, send: Send): void {
    send(this.#setting.of(this.#node, 'CpuMemory'), 0, 'memory.load', { addr, bytes });
  }

  #loaded(data: Uint8Array, now: number, send: Send): void {
    if (this.#does === 'payload') this.#payload = Uint8Array.from(data);
    else {
      this.#header = headerOf(data);
      this.#payload = new Uint8Array(0);
      const { kind, bytes, offset, freed = [] } = this.#header;
      for (const [ring, count] of freed.entries())
        if (count > 0)
          send(this.#setting.of(this.#node, `PacketTx[${this.#peer}].${ringNames[ring]}`), 0, 'ring.freed', {
            freed: count,
          });
      // Bytes that the program gets; others are copied to where they belong.
      if (bytes > 0 && (kind === 'medium' || kind === 'value')) {
        this.#does = 'payload';
        this.#load(this.#slot + offset, bytes, send);
        return;
      }
    }
    this.#does = 'parts';
    this.#gather(now, send);
  }

  #gather(now: number, send: Send): void {
    const { kind, args } = this.#header!;
    let noticedAt = 0;
    if (kind === 'put' || kind === 'gotten') {
      for (let channel = 0; channel < 4; channel++) {
        const own = args[channel] ?? 0;
        if (this.#parts[channel]! < own) return;
        // A part that none of this transfer's is was noticed before.
        if (own > 0 && this.#parts[channel] === own)
          noticedAt = Math.max(
            noticedAt,
            this.#partsAt[channel]! + u * this.#setting.config.parameters.pollDetect,
          );
      }
    }
    if (noticedAt <= now) {
      this.#handOver(send);
      return;
    }
    this.#does = 'notice';
    send(this.#self, noticedAt - now, 'packet.turn');
  }

  #handOver(send: Send): void {
    this.#does = 'handle';
    send(this.#setting.of(this.#node, 'Gasnet'), 0, 'packet.content', {
      peer: this.#peer,
      ring: this.#ring,
      header: alike(this.#header),
      payload: isBytes(this.#payload),
      slot: this.#slot,
    });
  }

  #freed(send: Send): void {
    const { of } = this.#setting;
    const { update, slots } = this.#layout.options;
    this.#done++;
    if (update === 'half')
      send(of(this.#node, 'Planner'), 0, 'ring.done', {
        peer: this.#peer,
        ring: this.#ring,
        done: this.#done,
      });
    const isNow = update === 'eager' || this.#header!.urgent || 2 * (this.#done - this.#told) >= slots;
    if (!isNow) {
      this.#tellFreed(send);
      return;
    }
    this.#does = 'update';
    this.#told = Math.max(this.#told, this.#done);
    const address = this.#layout.word(this.#peer, this.#node, words.freed(this.#ring));
    send(of(this.#node, 'Pio'), 0, 'pio.store', { stores: alike([{ address, data: wordOf(this.#done) }]) });
  }

  #tellFreed(send: Send): void {
    send(this.#setting.of(this.#node, 'Gasnet'), 0, 'packet.freed');
    this.#does = 'nothing';
    this.#offer(send);
  }
}

/** The write-combining buffer of a processor (TCA specification 9): a store goes out when it is flushed, the next one begins then. */
export class PlainCombiner implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #node: number;
  #left: readonly { readonly address: number; readonly data: Uint8Array }[] = [];
  #requester = -1 as Address;
  #stores = 0;

  constructor(setting: PlainSetting, node: number) {
    this.#setting = setting;
    this.#node = node;
  }

  take(event: Taken, _now: number, from: Address, send: Send): void {
    if (event.type === 'pio.store') {
      this.#left = event.stores;
      this.#requester = from;
    } else this.#left = this.#left.slice(1);
    const [first] = this.#left;
    if (!first) {
      send(this.#requester, 0, 'pio.done');
      return;
    }
    const { of, config } = this.#setting;
    const { pioStoreFlush, mmioWriteLatency } = config.parameters;
    send(of(this.#node, 'PioWindow'), u * (pioStoreFlush + mmioWriteLatency), 'tlp.write', {
      addr: first.address,
      data: first.data,
      source: this.#node,
      channel: -1,
      seq: this.#stores++,
    });
    send(of(this.#node, 'Pio'), u * pioStoreFlush, 'pio.turn');
  }
}
