import type { NetworkConfig } from '../../../machines/chiplet/config.ts';
import { InHeap, InOrder, type PlainEvents } from './plain-events.ts';
import { PlainRandom } from './plain-random.ts';
import { type PlainShape, type PlainWay, plainShape } from './plain-shape.ts';

/*
 * A network as the specification tells it (chiplet specification 5): one queue of events, all routers visited in every cycle, words of 64 bits where the
 * specification has them. Slow and plain; it shares no code with the actors.
 */

/** A packet to be sent; times may be fractions of a cycle. */
export interface PlainPacket {
  readonly time: number;
  readonly source: number;
  readonly target: number;
  readonly size: number;
  /** Where somebody else decides when its router sees it: the cycle. Its words are drawn just before the turns of this cycle. */
  readonly seen?: number;
}

/** A packet that arrived. */
export interface PlainArrival {
  readonly packet: number;
  readonly cycle: number;
  readonly delay: number;
}

/** What a network did. */
export interface PlainNetworkResult {
  readonly finished: number;
  readonly totalDelay: number;
  readonly avgDelay: number;
  readonly endTime: number;
  readonly counters: Readonly<Record<keyof typeof noCounts, number>>;
  readonly flitHops: number;
  readonly injectedPackets: number;
  readonly injectedFlits: number;
  readonly lostPackets?: number;
  readonly droppedFlits?: number;
  readonly memPower: number;
  readonly crossbarPower: number;
  readonly arbiterPower: number;
  readonly linkPower: number;
  readonly totalPower: number;
}

/** A run of a plain network. */
export interface PlainNetworkRun {
  readonly result: PlainNetworkResult;
  /** In the order of arrival. */
  readonly arrivals: readonly PlainArrival[];
}

const noCounts = {
  bufReadWords: 0,
  bufWriteWords: 0,
  bufWriteToggles: 0,
  xbarInToggles: 0,
  xbarOutToggles: 0,
  xbarCtrlSwitches: 0,
  linkWords: 0,
  linkToggles: 0,
  vcGrants: 0,
  vcReqToggles: 0,
  vcGrantChanges: 0,
};

/** A word of 64 bits: upper and lower half. */
type Word = readonly [upper: number, lower: number];
const zero: Word = [0, 0];

const bitsIn = (half: number): number => {
  let count = 0;
  for (let left = half >>> 0; left > 0; left = (left & (left - 1)) >>> 0) count++;
  return count;
};
const ham = (a: Word, b: Word): number => bitsIn(a[0] ^ b[0]) + bitsIn(a[1] ^ b[1]);
const topBits = 0x80808080;
const hamSigned = (a: Word, b: Word): number =>
  ham(a, b) + 56 * (bitsIn((a[0] ^ b[0]) & topBits) + bitsIn((a[1] ^ b[1]) & topBits));

interface Flit {
  readonly packet: number;
  readonly isHead: boolean;
  isTail: boolean;
  readonly words: readonly Word[];
}

type Doing = 'INIT' | 'ROUTING' | 'VA' | 'SA' | 'ST' | 'HOME';

interface Input {
  readonly fifo: Flit[];
  state: Doing;
  candidates: readonly PlainWay[];
  output: PlainWay;
  /** Where packets may be lost: the packet whose head has entered and whose tail has not. */
  inside: number;
}

interface Router {
  readonly number: number;
  /** Its last turn, -1 before the first. */
  lastTurn: number;
  /** Flits in its queues and at its outputs. */
  flits: number;
  /** By port and channel. */
  readonly inputs: readonly (readonly Input[])[];
  readonly credits: number[][];
  readonly used: boolean[][];
  /** By output port. */
  readonly outputs: (readonly [flit: Flit, channel: number])[][];
  readonly freeSlots: number[];
  readonly pending: number[];
  nextStart: number;
  full: boolean;
  readonly running: number[];
  readonly random: PlainRandom;
  /** Registers of the last words: written by port, into the switch, out of it, on the link. */
  readonly written: Word[][];
  readonly into: Word[][];
  readonly outOf: Word[][];
  readonly onLink: Word[][];
  readonly lastInput: number[];
  readonly lastRequests: bigint[][];
  readonly lastWinner: number[][];
}

type Event =
  | { readonly kind: 'TICK'; readonly routers: readonly number[]; readonly period: number }
  | { readonly kind: 'INJECT' }
  | {
      readonly kind: 'WIRE';
      readonly router: number;
      readonly port: number;
      readonly channel: number;
      readonly flit: Flit;
    }
  | { readonly kind: 'CREDIT'; readonly router: number; readonly port: number; readonly channel: number };

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, one) => one);

/** The bit of a requester; that of number 8 has a second one in the original. */
const requestBit = (id: number): bigint => (id === 8 ? 258n : BigInt.asUintN(64, 1n << BigInt(id)));

/** The seed of the stream of one router, where each has its own: ours, the specification leaves it open. */
const seedOf = (seed: number, router: number): number =>
  Math.imul(seed ^ Math.imul(router + 1, 0x9e3779b1), 0x85ebca6b) & 0x7fffffff;

/** Runs packets through a plain network; they are given by time, as the edition takes them. Undefined when it would take more turns of routers than that. */
export function plainNetwork(
  config: NetworkConfig,
  packets: readonly PlainPacket[],
  turnsMost = Number.POSITIVE_INFINITY,
): PlainNetworkRun | undefined {
  return new PlainNetwork(config, packets).run(turnsMost);
}

class PlainNetwork {
  readonly #config: NetworkConfig;
  readonly #packets: readonly PlainPacket[];
  readonly #shape: PlainShape;
  readonly #routers: readonly Router[];
  readonly #events: PlainEvents<Event>;
  readonly #counts = { ...noCounts };
  readonly #arrivals: PlainArrival[] = [];
  /** Cycles after which all routers have their turns at the same distances again. */
  readonly #allPeriods: number;
  /** By packet: its start for the delay. */
  readonly #starts: readonly number[];
  /** By abandoned packet: the cycle that saw the first loss. */
  readonly #lost = new Map<number, number>();
  #now = 0;
  #next = 0;
  #flits = 0;
  /** Wires and credits under way. */
  #underWay = 0;
  #injectedPackets = 0;
  #injectedFlits = 0;
  #dropped = 0;

  constructor(config: NetworkConfig, packets: readonly PlainPacket[]) {
    this.#config = config;
    this.#packets = packets;
    const shape = plainShape(config);
    this.#shape = shape;
    this.#allPeriods = upTo(shape.routers)
      .map((one) => shape.period(one))
      .reduce((all, one) => (all % one === 0 ? all : all * one), 1);
    const { V, B, O, F, seed, random, loss, ties } = config;
    const shared = new PlainRandom(seed);
    const table = <T>(columns: number, of: () => T): T[][] =>
      upTo(shape.ports).map(() => upTo(columns).map(of));
    this.#routers = upTo(shape.routers).map((number): Router => {
      const own = random === 'perRouter' ? new PlainRandom(seedOf(seed, number)) : shared;
      const pending = upTo(packets.length).filter((one) => packets[one]!.source === number);
      return {
        number,
        lastTurn: -1,
        flits: 0,
        inputs: table(
          V,
          (): Input => ({
            fifo: [],
            state: 'INIT',
            candidates: [],
            output: [0, 0],
            inside: -1,
          }),
        ),
        // A router that may lose flits sends as if there were places without end.
        credits: table(V, () => (loss ? Number.POSITIVE_INFINITY : B)),
        used: table(V, () => false),
        outputs: upTo(shape.ports).map(() => []),
        freeSlots: upTo(shape.ports).map(() => O),
        pending: [...pending],
        nextStart: pending.length > 0 ? packets[pending[0]!]!.time : 0,
        full: false,
        running: upTo(F).map(() => own.word()),
        random: own,
        written: table(F, () => zero),
        into: table(F, () => zero),
        outOf: table(F, () => zero),
        onLink: table(F, () => zero),
        lastInput: upTo(shape.ports).map(() => 0),
        lastRequests: table(V, () => 1n),
        lastWinner: table(V, () => 1),
      };
    });
    const begun = new Set<number>();
    const fromZero = (config.firstStart ?? (ties === 'heap' ? 'zero' : 'trace')) === 'zero';
    this.#starts = packets.map(({ time, source }) => {
      const isFirst = !begun.has(source);
      begun.add(source);
      return fromZero && isFirst ? 0 : time;
    });
    this.#events = ties === 'fifo' ? new InOrder() : new InHeap();
  }

  run(turnsMost: number): PlainNetworkRun | undefined {
    const { T, ties } = this.#config;
    const events = this.#events;
    const all = upTo(this.#shape.routers);
    // Routers of one period have their turns in one event; those that are further apart were planned earlier.
    const periods = [...new Set(all.map((one) => this.#shape.period(one)))].sort((one, other) => other - one);
    for (const period of periods) {
      const routers = all.filter((one) => this.#shape.period(one) === period);
      events.insert(0, { kind: 'TICK', routers, period });
    }
    const given = this.#packets[0];
    if (given && given.seen === undefined) events.insert(given.time, { kind: 'INJECT' });
    // The LegoSim edition looks before every event whether a packet is under way.
    const leaps = (): boolean => ties === 'legosim' && this.#injectedPackets === this.#arrivals.length;
    let turns = 0;
    while (events.size > 0 && this.#now <= T && !(leaps() && !this.#leap())) {
      const [time, event] = events.take();
      this.#now = time;
      this.#process(event);
      if (event.kind !== 'TICK') continue;
      turns += event.routers.length;
      if (turns > turnsMost) return undefined;
      this.#skip();
    }
    return { result: this.#result(), arrivals: this.#arrivals };
  }

  #process(event: Event): void {
    switch (event.kind) {
      case 'TICK': {
        this.#events.insert(this.#now + event.period, event);
        this.#sendWhatIsSeen();
        for (const one of event.routers) {
          this.#routers[one]!.lastTurn = this.#now;
          this.#turn(this.#routers[one]!);
        }
        return;
      }
      case 'INJECT': {
        this.#takePackets(this.#routers[this.#packets[this.#next]!.source]!, this.#now);
        const after = this.#packets[++this.#next];
        if (after) this.#events.insert(after.time, { kind: 'INJECT' });
        return;
      }
      case 'WIRE':
        this.#underWay--;
        this.#arrive(event);
        return;
      case 'CREDIT':
        this.#underWay--;
        this.#routers[event.router]!.credits[event.port]![event.channel]!++;
        return;
    }
  }

  /** Where nothing is in the network all turns come so many cycles later that the next packet, or the end, is near: what lies between changes nothing. */
  #skip(): void {
    const { ties, T } = this.#config;
    if (this.#flits > 0 || this.#underWay > 0 || ties === 'legosim') return;
    const next = this.#packets[this.#next];
    const until = Math.min(next ? (next.seen ?? next.time) : T, T);
    const cycle = this.#allPeriods;
    const shift = cycle * Math.floor((until - 3 * cycle - this.#now) / cycle);
    if (shift <= 0) return;
    const events = this.#events;
    const all = upTo(events.size).map(() => events.take());
    for (const [time, event] of all) if (event.kind !== 'TICK') events.insert(time, event);
    for (const [time, event] of all) if (event.kind === 'TICK') events.insert(time + shift, event);
  }

  /** Packets of which it is given when they are seen. */
  #sendWhatIsSeen(): void {
    for (;;) {
      const packet = this.#packets[this.#next];
      if (packet?.seen === undefined || packet.seen > this.#now) return;
      this.#next++;
      this.#takePackets(this.#routers[packet.source]!, packet.time);
    }
  }

  /** With no packet under way the turns go to the whole cycle before the next other event, and all else goes into the heap anew; false when nothing else is left. */
  #leap(): boolean {
    const events = this.#events;
    const all = upTo(events.size).map(() => events.take());
    const others = all.filter(([, { kind }]) => kind !== 'TICK');
    const turns = all.find(([, { kind }]) => kind === 'TICK');
    if (others.length === 0 || turns === undefined) return false;
    for (const [time, event] of others) events.insert(time, event);
    const first = others[0]![0];
    const [time, event] = turns;
    events.insert(time < first ? time + Math.floor(first - time) : time, event);
    return true;
  }

  #takePackets(router: Router, now: number): void {
    while (!router.full && router.nextStart <= now + 1e-8 && router.pending.length > 0) {
      const packet = router.pending.shift()!;
      this.#inject(router, packet);
      const next = router.pending[0];
      if (next !== undefined) router.nextStart = this.#packets[next]!.time;
    }
  }

  #inject(router: Router, packet: number): void {
    const { size } = this.#packets[packet]!;
    const queues = router.inputs[0]!;
    const least = Math.min(...queues.map(({ fifo }) => fifo.length));
    const queue = queues.find(({ fifo }) => fifo.length === least)!;
    if (least === 0) queue.state = 'ROUTING';
    if (least > 100) router.full = true;
    this.#injectedPackets++;
    for (let l = 0; l < size; l++) {
      const words = router.running.map((before, i): Word => {
        const sum = before * 0.8 + router.random.word();
        const word = sum < 2 ** 64 ? Math.floor(sum) : 0;
        router.running[i] = word;
        const upper = Math.floor(word / 2 ** 32);
        return [upper, word - upper * 2 ** 32];
      });
      this.#write(router, 0, queue, { packet, isHead: l === 0, isTail: l === size - 1, words });
      this.#injectedFlits++;
    }
  }

  #write(router: Router, port: number, input: Input, flit: Flit): void {
    input.fifo.push(flit);
    router.flits++;
    this.#flits++;
    for (const [i, word] of flit.words.entries()) {
      this.#counts.bufWriteWords++;
      this.#counts.bufWriteToggles += hamSigned(router.written[port]![i]!, word);
      router.written[port]![i] = word;
    }
  }

  #arrive({ router: number, port, channel, flit }: Extract<Event, { readonly kind: 'WIRE' }>): void {
    const router = this.#routers[number]!;
    const input = router.inputs[port]![channel]!;
    if (this.#config.loss && !this.#admits(number, input, flit)) return;
    this.#write(router, port, input, flit);
    if (flit.isHead) {
      if (input.fifo.length === 1) input.state = 'ROUTING';
    } else if (input.state === 'INIT') input.state = 'SA';
  }

  /** Packets that meet a full buffer are abandoned, for all routers from the cycle on that follows the loss; what went on is closed behind them. */
  #admits(router: number, input: Input, flit: Flit): boolean {
    const { packet } = flit;
    // What comes with a turn of this router that is over counts for the next cycle.
    const cycle = this.#routers[router]!.lastTurn === this.#now ? this.#now + 1 : Math.ceil(this.#now);
    const isFull = input.fifo.length >= this.#config.B;
    if (!isFull && !this.#isAbandoned(packet, cycle)) {
      if (flit.isHead) input.inside = packet;
      if (flit.isTail) input.inside = -1;
      return true;
    }
    if (isFull) this.#lost.set(packet, Math.min(cycle, this.#lost.get(packet) ?? cycle));
    if (flit.isTail && input.inside === packet) {
      input.inside = -1;
      const newest = input.fifo.at(-1);
      if (newest === undefined) return true;
      newest.isTail = true;
    }
    this.#dropped++;
    return false;
  }

  #isAbandoned(packet: number, cycle: number): boolean {
    return (this.#lost.get(packet) ?? Number.POSITIVE_INFINITY) < cycle;
  }

  #returnCredit(router: number, port: number, channel: number): void {
    const before = this.#shape.wire(router, port);
    this.#underWay++;
    this.#events.insert(this.#now + 1, {
      kind: 'CREDIT',
      router: before.router,
      port: before.port,
      channel,
    });
  }

  #turn(router: Router): void {
    // Without a flit no stage finds anything.
    if (router.flits === 0) return;
    this.#traverseLinks(router);
    this.#traverseSwitch(router);
    this.#allocateSwitch(router);
    this.#allocateChannels(router);
    this.#route(router);
  }

  #traverseLinks(router: Router): void {
    for (const [port, waiting] of router.outputs.entries()) {
      const first = waiting.shift();
      if (first === undefined) continue;
      const [flit, channel] = first;
      router.flits--;
      this.#flits--;
      for (const [i, word] of flit.words.entries()) {
        this.#counts.linkWords++;
        this.#counts.linkToggles += ham(router.onLink[port]![i]!, word);
        router.onLink[port]![i] = word;
      }
      router.freeSlots[port]!++;
      const wire = this.#shape.wire(router.number, port);
      this.#underWay++;
      this.#events.insert(this.#now + wire.delay, {
        kind: 'WIRE',
        router: wire.router,
        port: wire.port,
        channel,
        flit,
      });
    }
  }

  *#inputs(router: Router, state: Doing): Iterable<readonly [port: number, channel: number, input: Input]> {
    for (const [port, channels] of router.inputs.entries())
      for (const [channel, input] of channels.entries())
        if (input.state === state) yield [port, channel, input];
  }

  #traverseSwitch(router: Router): void {
    const counts = this.#counts;
    for (const [port, channel, input] of [...this.#inputs(router, 'ST')]) {
      const [out, ov] = input.output;
      router.credits[out]![ov]!--;
      if (port !== 0) this.#returnCredit(router.number, port, channel);
      const s = input.fifo.length;
      const flit = input.fifo.shift()!;
      for (const [i, word] of flit.words.entries()) {
        counts.bufReadWords++;
        counts.xbarInToggles += ham(router.into[port]![i]!, word);
        counts.xbarOutToggles += ham(router.outOf[out]![i]!, word);
        router.into[port]![i] = word;
        router.outOf[out]![i] = word;
      }
      if (router.lastInput[out] !== port) counts.xbarCtrlSwitches++;
      router.lastInput[out] = port;
      router.outputs[out]!.push([flit, ov]);
      router.freeSlots[out]!--;
      if (port === 0 && router.full && input.fifo.length < 100) {
        router.full = false;
        this.#takePackets(router, this.#now);
      }
      if (flit.isTail) router.used[out]![ov] = false;
      if (s > 1) input.state = flit.isTail ? 'ROUTING' : 'SA';
      else input.state = 'INIT';
    }
  }

  #allocateSwitch(router: Router): void {
    const requests: (readonly [out: number, input: Input])[] = [];
    for (const channels of router.inputs) {
      const ready = channels.filter(
        ({ state, output: [out, ov] }) =>
          state === 'SA' && router.credits[out]![ov]! > 0 && router.freeSlots[out]! > 0,
      );
      if (ready.length === 0) continue;
      const chosen = ready[router.random.pick(ready.length)]!;
      requests.push([chosen.output[0], chosen]);
    }
    for (const out of upTo(this.#shape.ports)) {
      const wanting = requests.filter(([wanted]) => wanted === out);
      if (wanting.length > 0) wanting[router.random.pick(wanting.length)]![1].state = 'ST';
    }
  }

  #allocateChannels(router: Router): void {
    const { V } = this.#config;
    const counts = this.#counts;
    const requests: { readonly id: number; readonly way: PlainWay; readonly input: Input }[] = [];
    for (const [port, channel, input] of this.#inputs(router, 'VA')) {
      const free = input.candidates.filter(([out, ov]) => !router.used[out]![ov]);
      if (free.length === 0) continue;
      requests.push({ id: port * V + channel, way: free[router.random.pick(free.length)]!, input });
    }
    const vector = requests.reduce((all, { id }) => all | requestBit(id), 0n);
    for (const out of upTo(this.#shape.ports))
      for (const ov of upTo(V)) {
        const wanting = requests.filter(({ way }) => way[0] === out && way[1] === ov);
        if (wanting.length === 0) continue;
        const { id, input } = wanting[router.random.pick(wanting.length)]!;
        input.state = 'SA';
        input.output = [out, ov];
        router.used[out]![ov] = true;
        counts.vcGrants++;
        let changed = vector ^ router.lastRequests[out]![ov]!;
        for (; changed > 0n; changed &= changed - 1n) counts.vcReqToggles++;
        if (router.lastWinner[out]![ov] !== id) counts.vcGrantChanges++;
        router.lastRequests[out]![ov] = vector;
        router.lastWinner[out]![ov] = id;
      }
  }

  #route(router: Router): void {
    for (const [port, channels] of router.inputs.entries())
      for (const [channel, input] of channels.entries()) {
        const { fifo, state } = input;
        const front = fifo[0];
        if (front === undefined || (state !== 'ROUTING' && state !== 'HOME')) continue;
        const { target } = this.#packets[front.packet]!;
        if (state === 'ROUTING' && target !== router.number) {
          input.candidates = this.#shape.ways(router.number, target, this.#now);
          input.state = 'VA';
          continue;
        }
        if (port > 0) this.#returnCredit(router.number, port, channel);
        fifo.shift();
        router.flits--;
        this.#flits--;
        if (front.isTail) this.#accept(front.packet);
        if (!front.isTail) input.state = 'HOME';
        else input.state = fifo.length > 0 ? 'ROUTING' : 'INIT';
        if (!this.#config.strict && port === 0 && router.full && fifo.length < 100) {
          router.full = false;
          this.#takePackets(router, this.#now);
        }
      }
  }

  #accept(packet: number): void {
    if (this.#isAbandoned(packet, this.#now + 1)) return;
    this.#arrivals.push({ packet, cycle: this.#now, delay: this.#now - this.#starts[packet]! });
  }

  #result(): PlainNetworkResult {
    const { F, V, L, loss } = this.#config;
    const counts = this.#counts;
    const finished = this.#arrivals.length;
    const totalDelay = this.#arrivals.reduce((sum, { delay }) => sum + delay, 0);
    const watts = (joules: number): number => (this.#now > 0 ? (joules / this.#now) * 1e9 : 0);
    const memPower = watts(
      counts.bufReadWords *
        (128 * (5.1004286969753844e-14 + 3.5248337486921146e-13 + 1.125e-13) + 1.5052918665758402e-12) +
        counts.bufWriteWords * 1.45162060229808e-12 +
        counts.bufWriteToggles * (2 * 6.0085382780823314e-13 + 1.4908366386000004e-14),
    );
    const crossbarPower = watts(
      counts.xbarInToggles * 5.2436992836757231e-13 +
        counts.xbarOutToggles * 6.2866763318880001e-13 +
        counts.xbarCtrlSwitches * 3.0197351370240002e-12,
    );
    const half = Math.floor((this.#shape.ports * V) / 2);
    const arbiterPower = watts(
      counts.vcGrants *
        (half * 3.0827392128000005e-14 + (half - 1) * 3.5420420178e-14 + 2 * 2.25910227717e-13) +
        counts.vcReqToggles * 1.684678905e-14 +
        counts.vcGrantChanges * 5.2468728156e-14,
    );
    const slope = (1.8550291094943749e-12 - 2.0680228260000006e-14) / 1000;
    const linkPower = watts(counts.linkToggles * (2.068022826e-14 + L * slope));
    return {
      finished,
      totalDelay,
      avgDelay: finished > 0 ? totalDelay / finished : 0,
      endTime: this.#now,
      counters: { ...counts },
      flitHops: counts.linkWords / F,
      injectedPackets: this.#injectedPackets,
      injectedFlits: this.#injectedFlits,
      ...(loss && { lostPackets: this.#lost.size, droppedFlits: this.#dropped }),
      memPower,
      crossbarPower,
      arbiterPower,
      linkPower,
      totalPower: memPower + crossbarPower + arbiterPower + linkPower,
    };
  }
}
