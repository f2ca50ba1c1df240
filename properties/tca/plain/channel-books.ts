import type { Address } from '../../../kernel/message.ts';
import { alike } from './alike.ts';
import { type PlainPart, type PlainSetting, type Send, type Taken, u } from './plain-part.ts';

/** Cycles after which a channel at rest is known to be (TCA specification 8: the settle time). */
const settled = 512;

/** What is known of the stop of channels (TCA specification 8): their counters are read one after the other, those of the last transfer among them. */
export class PlainStops implements PlainPart {
  readonly #setting: PlainSetting;
  readonly #node: number;
  readonly #self: Address;
  readonly #started = [0, 0, 0, 0];
  readonly #finished = [0, 0, 0, 0];
  readonly #finishedAt = [0, 0, 0, 0];
  readonly #seen = [0, 0, 0, 0];
  #last: readonly number[] = [];
  #asked: readonly number[] = [];
  #wantsWrites = false;
  #polls: number[] = [];
  #writes: number[] = [];
  #does: 'rest' | 'stop' | 'sample' | 'sampled' | 'writes' = 'rest';

  constructor(setting: PlainSetting, node: number) {
    this.#setting = setting;
    this.#node = node;
    this.#self = setting.of(node, 'StopDetector');
  }

  take(event: Taken, now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'stop.ask': {
        this.#asked = event.channels;
        this.#wantsWrites = event.taken;
        const isUnknown = (channel: number): boolean => !this.#isKnown(channel, now);
        const all = [0, 1, 2, 3].filter((one) => this.#asked.includes(one) || this.#last.includes(one));
        this.#polls = this.#asked.some(isUnknown) ? all.filter(isUnknown) : [];
        this.#look(send);
        return;
      }
      case 'stop.started':
        this.#last = event.channels;
        for (const channel of this.#last) this.#started[channel]!++;
        return;
      case 'chain.done':
        this.#finished[event.channel] = event.count;
        this.#finishedAt[event.channel] = now;
        if (this.#does === 'stop') this.#awaitStop(send);
        return;
      case 'stop.turn':
        if (this.#does === 'sampled') this.#look(send);
        else {
          const [channel] = this.#polls as [number];
          if (this.#hasStopped(channel)) {
            this.#seen[channel] = this.#started[channel]!;
            this.#polls.shift();
          }
          this.#half('sampled', send);
        }
        return;
      case 'writes.taken':
        this.#writes = this.#writes.filter((channel) => channel !== event.channel);
        if (this.#writes.length === 0) this.#tell(send);
    }
  }

  #hasStopped(channel: number): boolean {
    return this.#finished[channel]! >= this.#started[channel]!;
  }

  #isKnown(channel: number, now: number): boolean {
    if (this.#seen[channel] === this.#started[channel]) return true;
    return this.#hasStopped(channel) && now >= this.#finishedAt[channel]! + u * settled;
  }

  #look(send: Send): void {
    if (this.#polls.length === 0) this.#known(send);
    else if (this.#setting.config.stopDetect === 'counter') this.#half('sample', send);
    else {
      this.#does = 'stop';
      this.#awaitStop(send);
    }
  }

  #half(next: 'sample' | 'sampled', send: Send): void {
    this.#does = next;
    send(this.#self, (u * this.#setting.config.parameters.perfCounterReadRoundTrip) / 2, 'stop.turn');
  }

  #awaitStop(send: Send): void {
    if (this.#asked.every((channel) => this.#hasStopped(channel))) this.#known(send);
  }

  #known(send: Send): void {
    if (!this.#wantsWrites) {
      this.#tell(send);
      return;
    }
    this.#does = 'writes';
    this.#writes = [...this.#asked];
    for (const channel of this.#asked)
      send(this.#setting.of(this.#node, `Dmac[${channel}]`), 0, 'writes.ask');
    if (this.#asked.length === 0) this.#tell(send);
  }

  #tell(send: Send): void {
    this.#does = 'rest';
    for (const channel of this.#asked) this.#seen[channel] = this.#started[channel]!;
    send(this.#setting.of(this.#node, 'Planner'), 0, 'stop.known');
  }
}

/** Descriptors under a key, and whether a channel may be reading them. */
interface Entry {
  readonly key: string;
  readonly parts: unknown;
  isRead: boolean;
}

/** The descriptors that are kept (TCA specification 12.7): the least recently used one goes, none that a channel may be reading. */
export class PlainCache implements PlainPart {
  readonly #planner: Address;
  readonly #size: number;
  /** The least recently used one first. */
  readonly #entries: Entry[] = [];

  constructor({ of, config }: PlainSetting, node: number) {
    this.#planner = of(node, 'Planner');
    this.#size = config.gasnet!.cacheEntries;
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    switch (event.type) {
      case 'cache.find': {
        const at = this.#entries.findIndex(({ key }) => key === event.key);
        if (at < 0) {
          send(this.#planner, 0, 'cache.found', { parts: null });
          return;
        }
        const [{ key, parts }] = this.#entries.splice(at, 1) as [Entry];
        this.#entries.push({ key, parts, isRead: true });
        send(this.#planner, 0, 'cache.found', { parts: alike(parts) });
        return;
      }
      case 'cache.keep':
        if (this.#entries.length >= this.#size) {
          const oldest = this.#entries.findIndex(({ isRead }) => !isRead);
          if (oldest < 0) return;
          this.#entries.splice(oldest, 1);
        }
        this.#entries.push({ key: event.key, parts: event.parts, isRead: true });
        return;
      case 'cache.release': {
        const keys: readonly string[] = event.keys;
        for (const one of this.#entries) if (keys.includes(one.key)) one.isRead = false;
      }
    }
  }
}

/** Rounds of tuning (TCA specification 12.8). */
const rounds = 8;

/** What is known of the transfers of a pattern. */
interface Learned {
  readonly weights: readonly number[];
  readonly count: number;
  readonly best: { readonly split: readonly number[]; readonly ns: number } | undefined;
}

/** How transfers are split over channels (TCA specification 12.8): by weights, which begin as the tags and become bytes by time; the best split of the first rounds is kept. */
export class PlainWeights implements PlainPart {
  readonly #planner: Address;
  readonly #first: readonly number[];
  readonly #learned: Record<string, Learned> = {};

  constructor({ of, config }: PlainSetting, node: number) {
    this.#planner = of(node, 'Planner');
    const { channels } = config.gasnet!;
    this.#first = config.parameters.tagsPerChannel.map((tags, channel) =>
      channels.includes(channel) ? tags : 0,
    );
  }

  take(event: Taken, _now: number, _from: Address, send: Send): void {
    const learned = this.#learned[event.pattern] ?? { weights: this.#first, count: 0, best: undefined };
    const isFrozen = learned.count >= rounds;
    if (event.type === 'weights.ask') {
      const split = isFrozen ? learned.best!.split : sharesOf(event.amount, event.unit, learned.weights);
      send(this.#planner, 0, 'weights.split', { split: alike(split), tuning: !isFrozen });
      return;
    }
    if (isFrozen) return;
    const { split, totalNs: ns, channelNs } = event.round;
    const speeds: number[] = split.map((part: number, k: number) => (part === 0 ? 0 : part / channelNs[k]));
    let sum = 0;
    for (const speed of speeds) sum += speed;
    this.#learned[event.pattern] = {
      weights: speeds.map((speed) => speed / sum),
      count: learned.count + 1,
      best: learned.best && learned.best.ns <= ns ? learned.best : { split, ns },
    };
  }
}

/** Whole units by weight; the first channel that is used gets the rest. */
function sharesOf(amount: number, unit: number, weights: readonly number[]): readonly number[] {
  let sum = 0;
  for (const weight of weights) sum += weight;
  const first = weights.findIndex((weight) => weight > 0);
  const shares = weights.map((weight) => Math.floor((Math.floor(amount / unit) * weight) / sum) * unit);
  shares[first] = amount - shares.reduce((all, share, k) => (k === first ? all : all + share), 0);
  return shares;
}
