import { clock } from '../../actors/chiplet/network/clock.ts';
import { creditCycles, linkNumber } from '../../actors/chiplet/network/event-log.ts';
import { heapClock } from '../../actors/chiplet/network/heap-clock.ts';
import { isOrdered } from '../../actors/chiplet/network/heap-window.ts';
import { drawFirstWords } from '../../actors/chiplet/network/injection.ts';
import { injector } from '../../actors/chiplet/network/injector.ts';
import { cyclesOnWire, link } from '../../actors/chiplet/network/link.ts';
import { PacketBook, type PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { placesWithoutEnd } from '../../actors/chiplet/network/packet-loss.ts';
import { PayloadStore } from '../../actors/chiplet/network/payload-store.ts';
import { RandomStream } from '../../actors/chiplet/network/random-stream.ts';
import { router } from '../../actors/chiplet/network/router.ts';
import type { RandomSource, RouterSpec } from '../../actors/chiplet/network/router-spec.ts';
import { RouterState } from '../../actors/chiplet/network/router-state.ts';
import { RouterTables } from '../../actors/chiplet/network/router-tables.ts';
import { SharedState } from '../../actors/chiplet/network/shared-state.ts';
import type { Topology } from '../../actors/chiplet/network/topology/topology.ts';
import { type Transaction, transactions } from '../../actors/chiplet/network/transactions.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { seenCycles } from './seen-cycles.ts';

/** The state machines that a network is wired from; mutants replace some. */
export interface NetworkParts {
  readonly router: typeof router;
  readonly link: typeof link;
  readonly injector: typeof injector;
  readonly clock: typeof clock;
  readonly heapClock: typeof heapClock;
  readonly transactions: typeof transactions;
}

/** A network as specified. */
export const soundNetwork: NetworkParts = { router, link, injector, clock, heapClock, transactions };

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
  /** By time, which does not decrease. */
  readonly packets: readonly PacketOrder[];
  /** By packet: what it asks for; absent when packets are just packets. */
  readonly transactions?: readonly Transaction[];
}

/** The addresses of a wired network. */
export interface WiredNetwork {
  readonly wiring: Wiring;
  readonly sharedState: SharedState;
  readonly clock: Address;
  readonly injector: Address;
  readonly routers: readonly Address[];
  readonly links: readonly WiredLink[];
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
  const periodOf = (router: number): number => topology.periodOf?.(router) ?? 1;
  const sharedState = wiring.share('Commons', sharedStateOf(plan));
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
        sharedState,
      }));
  const tables = new RouterTables(ports, channels, plan.bufferDepth, plan.words, plan.loses);
  const pending = pendingOf(sharedState.packets, topology.routers);
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
    const list = pending[number]!;
    const start = list.length > 0 ? sharedState.packets.timeOf(list[0]!) : 0;
    const own = random === 'perRouter' ? new RandomStream(spec.seed) : undefined;
    const places = plan.loses ? placesWithoutEnd : plan.bufferDepth;
    const state = new RouterState(tables, own, list, start, places);
    state.restless = plan.restless ?? false;
    drawFirstWords(state, state.random ?? sharedState.random);
    wiring.place(self, parts.router, { spec, state, sharedState });
  }
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
      sharedState,
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
    wiring.place(clockAt, parts.heapClock, {
      spec: {
        ...clockSpec,
        delays: wires.map((wire) => wire?.delay ?? 0),
        farPorts: wires.map((wire) => wire?.port ?? 0),
        channels,
        packets: plan.packets.length,
        leaps: ties === 'legosim',
        transactions: plan.transactions ?? [],
      },
      sharedState,
    });
    wiring.begin({ to: clockAt, type: 'cycle.wanted', cycle: 0 });
  } else {
    wiring.place(clockAt, parts.clock, { spec: clockSpec, sharedState });
    if (due > 0)
      wiring.begin({ to: injectorAt, type: 'injector.turn', cycle: seen[0]!, delay: 2 * seen[0]! - 1 });
    const { after } = clockSpec;
    if (nextPacket < after || (nextPacket === after && packetFirst))
      wiring.begin({ to: clockAt, type: 'clock.settle', over: false, delay: 2 * after });
  }
  return { wiring, sharedState, clock: clockAt, injector: injectorAt, routers, links };
}

/** The first cycle after the end in which some router has a turn. */
export function turnAfterEnd({ topology, end }: NetworkPlan): number {
  const turns = Array.from({ length: topology.routers }, (_, router) => {
    const period = topology.periodOf?.(router) ?? 1;
    return period * (Math.floor(end / period) + 1);
  });
  return Math.min(...turns);
}

function sharedStateOf({
  topology,
  channels,
  words,
  seed,
  ties,
  firstStart,
  packets,
}: NetworkPlan): SharedState {
  const book = new PacketBook();
  const begun = new Uint8Array(topology.routers);
  for (const packet of packets) {
    const first = firstStart === 'zero' && begun[packet.source] === 0;
    begun[packet.source] = 1;
    book.enter(packet, first ? 0 : packet.time);
  }
  return new SharedState(
    topology.routers,
    book,
    new PayloadStore(words),
    new RandomStream(seed),
    topology.ports * channels,
    ties !== 'fifo',
  );
}

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
