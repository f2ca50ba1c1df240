import { clock } from '../../actors/chiplet/network/clock.ts';
import { creditCycles, linkNumber } from '../../actors/chiplet/network/event-log.ts';
import { clock as fastClock } from '../../actors/chiplet/network/fast/clock.ts';
import { heapClock as fastHeapClock } from '../../actors/chiplet/network/fast/heap-clock.ts';
import { drawFirstWords } from '../../actors/chiplet/network/fast/injection.ts';
import { placesWithoutEnd } from '../../actors/chiplet/network/fast/packet-loss.ts';
import { PayloadStore } from '../../actors/chiplet/network/fast/payload-store.ts';
import { router as fastRouter } from '../../actors/chiplet/network/fast/router.ts';
import { RouterState } from '../../actors/chiplet/network/fast/router-state.ts';
import { RouterTables } from '../../actors/chiplet/network/fast/router-tables.ts';
import { SharedState } from '../../actors/chiplet/network/fast/shared-state.ts';
import { heapClock } from '../../actors/chiplet/network/heap-clock.ts';
import { isOrdered } from '../../actors/chiplet/network/heap-window.ts';
import { injector } from '../../actors/chiplet/network/injector.ts';
import { inputChannel } from '../../actors/chiplet/network/input-channel.ts';
import { cyclesOnWire, link } from '../../actors/chiplet/network/link.ts';
import { outputChannel } from '../../actors/chiplet/network/output-channel.ts';
import { PacketBook, type PacketHolder, type PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { packetSource } from '../../actors/chiplet/network/packet-source.ts';
import { networkProtocol } from '../../actors/chiplet/network/protocol.ts';
import { randomNumbers } from '../../actors/chiplet/network/random-numbers.ts';
import { RandomStream } from '../../actors/chiplet/network/random-stream.ts';
import { RoundRecord } from '../../actors/chiplet/network/round-record.ts';
import { router } from '../../actors/chiplet/network/router.ts';
import type { RandomSource, RouterSpec } from '../../actors/chiplet/network/router-spec.ts';
import type { Topology, Wire } from '../../actors/chiplet/network/topology/topology.ts';
import { type Transaction, transactions } from '../../actors/chiplet/network/transactions.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { seenCycles } from './seen-cycles.ts';

/** The state machines that a network is wired from; mutants replace some. */
export interface NetworkParts {
  readonly router: typeof router;
  readonly inputChannel: typeof inputChannel;
  readonly outputChannel: typeof outputChannel;
  readonly packetSource: typeof packetSource;
  readonly randomNumbers: typeof randomNumbers;
  readonly clock: typeof clock;
  readonly heapClock: typeof heapClock;
  readonly link: typeof link;
  readonly injector: typeof injector;
  readonly transactions: typeof transactions;
  /** The parts of networks whose routers are one actor each. */
  readonly fast: {
    readonly router: typeof fastRouter;
    readonly clock: typeof fastClock;
    readonly heapClock: typeof fastHeapClock;
  };
}

/** A network as specified. */
export const soundNetwork: NetworkParts = {
  router,
  inputChannel,
  outputChannel,
  packetSource,
  randomNumbers,
  clock,
  heapClock,
  link,
  injector,
  transactions,
  fast: { router: fastRouter, clock: fastClock, heapClock: fastHeapClock },
};

/** What the actors of a network are: each virtual channel one, or each router as a whole. */
export type NetworkDetail = 'channel' | 'router';

/** Everything that makes a network run as it does (chiplet specification 5.1). */
export interface NetworkPlan {
  readonly topology: Topology;
  readonly channels: number;
  readonly bufferDepth: number;
  readonly outputDepth: number;
  readonly words: number;
  /** Time at which the simulation ends; may be a fraction. */
  readonly end: number;
  readonly seed: number;
  /** How events of equal time are ordered. */
  readonly ties: 'fifo' | 'heap' | 'legosim';
  readonly random: RandomSource;
  /** Whether the delay of each router's first packet counts from its sending or from 0 (chiplet specification 5.11). */
  readonly firstStart: 'trace' | 'zero';
  readonly strict: boolean;
  /** Whether flits that arrive at a full buffer are lost with their packets. */
  readonly loses: boolean;
  /** Visits routers in cycles in which they have nothing to do, too: it changes nothing but the time that a run takes. */
  readonly restless?: boolean;
  /** `router`: the fast parts, which do the same. */
  readonly detail: NetworkDetail;
  /** By time, which does not decrease. */
  readonly packets: readonly PacketOrder[];
  /** By packet: what it asks for; absent when packets are just packets. */
  readonly transactions?: readonly Transaction[];
}

/** The addresses of a wired network. */
export interface WiredNetwork {
  readonly wiring: Wiring;
  readonly detail: NetworkDetail;
  /** All packets, and what holds them: the actor that enters packets is given it. */
  readonly packets: PacketBook;
  readonly holder: PacketHolder;
  readonly clock: Address;
  readonly injector: Address;
  readonly routers: readonly Address[];
  readonly links: readonly WiredLink[];
  /** By router: its input channels and output channels by number; empty where routers are one actor each. */
  readonly inputs: readonly (readonly Address[])[];
  readonly outputs: readonly (readonly Address[])[];
}

/** One direction of a link, with its ends. */
export interface WiredLink {
  readonly address: Address;
  readonly from: number;
  readonly port: number;
  readonly to: number;
}

/** What a network is part of: the calendar, and who sends packets into it and hears of those that arrive. */
export interface NetworkSurroundings {
  readonly wiring: Wiring;
  readonly interface: Address;
}

/** Wires a network (chiplet specification 5.2), by itself with the packets of its plan or with somebody who sends packets as it goes on. */
export function wireNetwork(
  plan: NetworkPlan,
  parts: NetworkParts = soundNetwork,
  surroundings?: NetworkSurroundings,
): WiredNetwork {
  const { topology, channels, end, random, seed, ties } = plan;
  const { ports } = topology;
  const wiring = surroundings?.wiring ?? new Wiring();
  if (!surroundings) {
    wiring.speak(networkProtocol, { checked: false });
    wiring.zeroCopy = true;
  }
  const periodOf = (router: number): number => topology.periodOf?.(router) ?? 1;
  const byChannel = plan.detail === 'channel';
  const book = bookOf(plan);
  const sharedState = byChannel ? undefined : wiring.share('Commons', sharedStateOf(plan, book));
  const holder: PacketHolder = sharedState ?? (plan.transactions ? wiring.share('Packets', book) : book);
  const clockAt = wiring.reserve('Clock');
  const injectorAt = surroundings?.interface ?? wiring.reserve('Injector');
  const routers = Array.from({ length: topology.routers }, (_, number) =>
    wiring.reserve(`Router[${number}]`),
  );
  const wires = Array.from({ length: topology.routers * ports }, (_, number) =>
    number % ports === 0 ? undefined : topology.wireOf(Math.floor(number / ports), number % ports),
  );
  const links: WiredLink[] = [];
  const linkAt = new Int32Array(wires.length).fill(-1);
  for (const [number, wire] of wires.entries()) {
    if (wire === undefined) continue;
    const from = Math.floor(number / ports);
    const port = number % ports;
    const address = wiring.place(`Link[${from}.${port}]`, parts.link, {
      spec: {
        clock: clockAt,
        far: routers[wire.router]!,
        farPort: wire.port,
        link: number,
        delay: wire.delay,
        cycles:
          ties !== 'fifo' && isOrdered(wire.delay)
            ? 0
            : cyclesOnWire(wire.delay, periodOf(from), periodOf(wire.router)),
        period: periodOf(wire.router),
        end,
      },
    });
    linkAt[number] = address;
    links.push({ address, from, port, to: wire.router });
  }
  const listener =
    surroundings?.interface ??
    (plan.transactions &&
      wiring.place('Transactions', parts.transactions, {
        spec: {
          injector: ties === 'fifo' ? injectorAt : undefined,
          transactions: plan.transactions,
        },
        sharedState: holder,
      }));
  const specs: RouterSpec[] = [];
  for (const [number, self] of routers.entries()) {
    const first = linkNumber(number, 0, ports);
    const wiresHere = wires.slice(first, first + ports);
    const spec: RouterSpec = {
      self,
      clock: clockAt,
      injector: injectorAt,
      router: number,
      ports,
      channels,
      bufferDepth: plan.bufferDepth,
      outputDepth: plan.outputDepth,
      words: plan.words,
      links: [...linkAt.slice(first, first + ports)],
      before: wiresHere.map((wire) => wire?.router ?? -1),
      beforePort: wiresHere.map((wire) => wire?.port ?? -1),
      creditCycles: wiresHere.map((wire) => creditCycles(periodOf(number), wire ? periodOf(wire.router) : 1)),
      all: routers,
      routeOf: topology.routeOf,
      random,
      lastCycle: Math.floor(end),
      creditsAreLate: turnAfterEnd(plan) > Math.floor(end) + 1,
      period: periodOf(number),
      listener,
      reopens: !plan.strict,
      loses: plan.loses,
      seed: Math.imul(seed ^ Math.imul(number + 1, 0x9e3779b1), 0x85ebca6b) & 0x7fffffff,
    };
    specs.push(spec);
  }
  const channelsAt = byChannel
    ? placeChannels(wiring, plan, parts, specs, book, wires)
    : { inputs: [], outputs: [] };
  if (sharedState) placeFastRouters(wiring, plan, parts, specs, sharedState);
  const { due, seen, nextPacket, packetFirst } = scheduleOf(plan);
  if (!surroundings)
    wiring.place(injectorAt, parts.injector, {
      spec: {
        self: injectorAt,
        routers,
        count: plan.packets.length,
        due,
        seen,
        leads: ties === 'fifo',
        oneByOne: random === 'shared',
      },
      sharedState: holder,
    });
  const clockSpec = {
    self: clockAt,
    injector: injectorAt,
    routers,
    ends: wires.map((wire) => wire?.router ?? -1),
    end,
    after: turnAfterEnd(plan),
    handsOn: random === 'shared',
    nextPacket,
    packetFirst,
  };
  if (ties !== 'fifo') {
    const orderSpec = {
      ...clockSpec,
      delays: wires.map((wire) => wire?.delay ?? 0),
      farPorts: wires.map((wire) => wire?.port ?? 0),
      channels,
      packets: plan.packets.length,
      leaps: ties === 'legosim',
      transactions: plan.transactions ?? [],
    };
    if (sharedState) wiring.place(clockAt, parts.fast.heapClock, { spec: orderSpec, sharedState });
    else
      wiring.place(clockAt, parts.heapClock, { spec: orderSpec, sharedState: new RoundRecord(book.fork()) });
    wiring.begin({ to: clockAt, type: 'cycle.wanted', cycle: 0 });
  } else {
    if (sharedState) wiring.place(clockAt, parts.fast.clock, { spec: clockSpec, sharedState });
    else wiring.place(clockAt, parts.clock, { spec: clockSpec });
    if (due > 0)
      wiring.begin({ to: injectorAt, type: 'injector.turn', cycle: seen[0]!, delay: 2 * seen[0]! - 1 });
    const { after } = clockSpec;
    if (nextPacket < after || (nextPacket === after && packetFirst))
      wiring.begin({ to: clockAt, type: 'clock.settle', over: false, delay: 2 * after });
  }
  return {
    wiring,
    detail: plan.detail,
    packets: book,
    holder,
    clock: clockAt,
    injector: injectorAt,
    routers,
    links,
    ...channelsAt,
  };
}

/** The first cycle after the end in which some router has a turn. */
export function turnAfterEnd({ topology, end }: NetworkPlan): number {
  const turns = Array.from({ length: topology.routers }, (_, router) => {
    const period = topology.periodOf?.(router) ?? 1;
    return period * (Math.floor(end / period) + 1);
  });
  return Math.min(...turns);
}

/** Places routers that are one actor each. */
function placeFastRouters(
  wiring: Wiring,
  plan: NetworkPlan,
  parts: NetworkParts,
  specs: readonly RouterSpec[],
  sharedState: SharedState,
): void {
  const { ports } = plan.topology;
  const tables = new RouterTables(ports, plan.channels, plan.bufferDepth, plan.words, plan.loses);
  const pending = pendingOf(sharedState.packets, specs.length);
  for (const [number, spec] of specs.entries()) {
    const list = pending[number]!;
    const start = list.length > 0 ? sharedState.packets.timeOf(list[0]!) : 0;
    const own = plan.random === 'perRouter' ? new RandomStream(spec.seed) : undefined;
    const state = new RouterState(tables, own, list, start, placesOf(plan));
    state.restless = plan.restless ?? false;
    drawFirstWords(state, state.random ?? sharedState.random);
    wiring.place(spec.self, parts.fast.router, { spec, state, sharedState });
  }
}

/** Places that a router takes for free behind each output channel at first. */
const placesOf = ({ loses, bufferDepth }: NetworkPlan): number => (loses ? placesWithoutEnd : bufferDepth);

/** Places routers with an actor for each virtual channel, the sources of packets, and the random numbers. */
function placeChannels(
  wiring: Wiring,
  plan: NetworkPlan,
  parts: NetworkParts,
  specs: readonly RouterSpec[],
  book: PacketBook,
  wires: readonly (Wire | undefined)[],
): Pick<WiredNetwork, 'inputs' | 'outputs'> {
  const { channels, words, random, topology } = plan;
  const { ports } = topology;
  const nobody = -1 as Address;
  const wireAt = (router: number, port: number) => wires[linkNumber(router, port, ports)];
  const reserveAll = (what: string, has: (router: number, port: number) => boolean) =>
    specs.map((_, router) =>
      Array.from({ length: ports * channels }, (_channel, number) => {
        const port = Math.floor(number / channels);
        if (!has(router, port)) return nobody;
        return wiring.reserve(`Router[${router}].${what}[${port}.${number % channels}]`);
      }),
    );
  const inputs = reserveAll('Input', (router, port) => port === 0 || wireAt(router, port) !== undefined);
  const outputs = reserveAll('Output', (router, port) => port > 0 && wireAt(router, port) !== undefined);
  const shared = new RandomStream(plan.seed);
  const sharedAt = random === 'shared' ? wiring.reserve('Random') : nobody;
  const pending = pendingOf(book, specs.length);
  for (const [number, spec] of specs.entries()) {
    const router = spec.self;
    const stream = random === 'shared' ? shared : new RandomStream(spec.seed);
    const running = Array.from({ length: words }, () => stream.word());
    const randomAt = random === 'shared' ? sharedAt : wiring.reserve(`Router[${number}].Random`);
    if (random === 'perRouter') wiring.place(randomAt, parts.randomNumbers, { stream });
    const source = wiring.place(`Router[${number}].Source`, parts.packetSource, {
      router,
      random: randomAt,
      queues: inputs[number]!.slice(0, channels),
      words,
      packets: Array.from(pending[number]!, (packet) => ({
        packet,
        time: book.timeOf(packet),
        ...book.orderOf(packet),
      })),
      running,
      reopens: spec.reopens,
    });
    const behind = outputs[number]!.map((_, output) => {
      const port = Math.floor(output / channels);
      const wire = wireAt(number, port);
      return wire ? inputs[wire.router]![wire.port * channels + (output % channels)]! : nobody;
    });
    for (const [input, at] of inputs[number]!.entries())
      if (at !== nobody)
        wiring.place(at, parts.inputChannel, {
          router,
          routerNumber: number,
          input,
          routers: specs.length,
          channels,
          outputs: outputs[number]!,
          behind,
          routeOf: spec.routeOf,
          holds: plan.loses && input >= channels ? plan.bufferDepth : Number.POSITIVE_INFINITY,
        });
    for (const [output, at] of outputs[number]!.entries())
      if (at !== nobody)
        wiring.place(at, parts.outputChannel, {
          router,
          output,
          inputs: inputs[number]!,
          places: placesOf(plan),
        });
    wiring.place(router, parts.router, {
      spec,
      inputs: inputs[number]!,
      outputs: outputs[number]!,
      source,
      random: randomAt,
      logs: plan.ties !== 'fifo',
      restless: plan.restless ?? false,
    });
  }
  if (random === 'shared') wiring.place(sharedAt, parts.randomNumbers, { stream: shared });
  return { inputs, outputs };
}

/** All packets of a plan. */
function bookOf({ topology, firstStart, packets }: NetworkPlan): PacketBook {
  const book = new PacketBook();
  const begun = new Uint8Array(topology.routers);
  for (const packet of packets) {
    const first = firstStart === 'zero' && begun[packet.source] === 0;
    begun[packet.source] = 1;
    book.enter(packet, first ? 0 : packet.time);
  }
  return book;
}

/** What routers that are one actor each share. */
const sharedStateOf = (
  { topology, channels, words, seed, ties }: NetworkPlan,
  book: PacketBook,
): SharedState =>
  new SharedState(
    topology.routers,
    book,
    new PayloadStore(words),
    new RandomStream(seed),
    topology.ports * channels,
    ties !== 'fifo',
  );

/** The packets of each router, in the order of the trace. */
function pendingOf(book: PacketBook, routers: number): readonly Int32Array[] {
  const counts = new Int32Array(routers);
  for (let packet = 0; packet < book.count; packet++) counts[book.sourceOf(packet)]!++;
  const lists = Array.from(counts, (count) => new Int32Array(count));
  const filled = new Int32Array(routers);
  for (let packet = 0; packet < book.count; packet++) {
    const source = book.sourceOf(packet);
    lists[source]![filled[source]!++] = packet;
  }
  return lists;
}

/** How many packets come before the end, when routers see them, the time of the first that comes after, and whether it comes before turns of that time. */
function scheduleOf({ topology, packets, end }: NetworkPlan) {
  const times = Float64Array.from(packets, ({ time }) => time);
  let due = 0;
  while (due < times.length && times[due]! <= end) due++;
  const seen = seenCycles(times, (packet) => topology.periodOf?.(packets[packet]!.source) ?? 1);
  const nextPacket = times[due] ?? Number.POSITIVE_INFINITY;
  return { due, seen, nextPacket, packetFirst: seen[due] === nextPacket };
}
