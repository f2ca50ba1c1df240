import { setup } from 'xstate';
import { invariant } from '../../../kernel/errors.ts';
import { component, type Outbox } from '../../../kernel/kit.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type ClockSpec, letArrive } from './clock.ts';
import type { Commons } from './commons.ts';
import { EventHeap } from './event-heap.ts';
import { channelOfCredit, isArrival, packetOfArrival, routerOfCredit } from './event-log.ts';
import { leap } from './leap.ts';
import type {
  AnswerDue,
  ClockSettle,
  CreditReturn,
  CycleWanted,
  FlitArrive,
  InjectorTurn,
  NetworkStop,
  RouterTurn,
  TurnsDone,
  WireLate,
} from './messages.ts';
import { answerTime, type Transaction } from './transactions.ts';

/** Fixed numbers of a clock that orders events by a heap. */
export interface HeapClockSpec extends ClockSpec {
  /** Cycles that a flit is on a link, by its number. */
  readonly delays: readonly number[];
  /** Virtual channels of a port. */
  readonly channels: number;
  /** Input port at the end of each link, by its number. */
  readonly farPorts: readonly number[];
  /** Packets of the trace. */
  readonly packets: number;
  /** True for the order of the LegoSim edition, which leaps over cycles in which no packet is under way. */
  readonly leaps: boolean;
  /** By packet of the trace: what it asks for; empty when packets are just packets. */
  readonly transactions: readonly Transaction[];
}

/** What such a clock is made from. */
export interface HeapClockInput {
  readonly spec: HeapClockSpec;
  readonly commons: Commons;
}

/** A clock that orders events by a heap: the heap, and how far it is in the trace. */
export interface HeapClockContext {
  readonly spec: Fixed<HeapClockSpec>;
  readonly commons: Commons;
  readonly heap: EventHeap;
  /** The next packet of the trace. */
  packet: number;
  /** Acknowledgements that were planned. */
  answered: number;
  /** Flits on wires whose arrival has not come out of the heap. */
  flying: number;
  /** By link on which a flit takes whole cycles: flit, channel and change of each that is on it, in order. */
  readonly carried: number[][];
  /** Number of the link whose flit is the first event after the end; -1 when it is another event. */
  lastLink: number;
  late: WireLate[];
  endTime: number;
  /** True when the first event after the end is the turns of a cycle. */
  endsWithTurns: boolean;
  cycle: number;
}

type HeapClockEvent = CycleWanted | TurnsDone | WireLate | ClockSettle;
type HeapClockSends =
  | RouterTurn
  | FlitArrive
  | CreditReturn
  | CycleWanted
  | InjectorTurn
  | NetworkStop
  | ClockSettle;
type Out = Outbox<HeapClockSends>;

const { update, when, act } = component<HeapClockContext, HeapClockEvent, HeapClockSends>();

/** Events of the heap that are neither wires nor credits. */
const tick = 2 ** 52;
const packetDue = 2 ** 52 + 1;
/** With the number of a request added: its acknowledgement is due. */
const answerDue = 2 ** 52 + 2;

/** True for wires on which flits arrive together with turns, so that the heap decides which comes first. */
export const isOrdered = (delay: number): boolean => Number.isInteger(delay);

/** Puts what the routers began into the heap, in the order in which they did (chiplet specification 5.4). */
function enterLog(context: HeapClockContext): number {
  const { spec, commons, heap, carried, cycle } = context;
  const { delays, transactions } = spec.value;
  const log = commons.log ?? [];
  let wires = 0;
  for (let i = 0; i < log.length; i++) {
    const entry = log[i]!;
    if (isArrival(entry)) {
      const packet = packetOfArrival(entry);
      const transaction = transactions[packet];
      // It is planned in the turn that accepts the request, in the order of all that is planned there.
      if (transaction?.acknowledged) {
        context.answered++;
        heap.insert(answerTime(cycle, transaction), answerDue + packet);
      }
    } else if (entry >= 0) heap.insert(cycle + 1, entry);
    else {
      const link = -1 - entry;
      heap.insert(cycle + delays[link]!, entry);
      if (isOrdered(delays[link]!)) carried[link]!.push(log[i + 1]!, log[i + 2]!, log[i + 3]!);
      i += 3;
      wires++;
    }
  }
  commons.log = [];
  return wires;
}

const isTick = (event: number): boolean => event === tick;

/** Takes events until the next turns, which `next` tells, and lets happen what comes before them. `from`: the cycle that the kernel is in. */
function window(context: HeapClockContext, from: number, out: Out): { next: number; quiet: boolean } {
  const { spec, commons, heap, carried } = context;
  const { end, routers, injector, channels, packets, ends, farPorts, leaps } = spec.value;
  let next = context.cycle + 1;
  let due = 0;
  const answers: AnswerDue[] = [];
  let quiet = true;
  let now = context.cycle;
  for (;;) {
    if (leaps && commons.arrived === context.packet + context.answered) {
      const turns = leap(heap, isTick);
      if (turns === undefined || turns > end) context.endTime = turns ?? now;
      if (context.endTime >= 0) break;
      next = Math.max(next, turns!);
    }
    const delay = 2 * (next - from) - 1;
    invariant(heap.size > 0, 'the next turns are always in the heap');
    const time = heap.firstTime;
    const event = heap.take();
    now = time;
    const last = time > end;
    if (last) context.endTime = time;
    if (event === tick) {
      context.endsWithTurns = last;
      break;
    }
    if (event === packetDue) {
      due++;
      context.packet++;
      if (context.packet < packets) heap.insert(commons.packets.timeOf(context.packet), packetDue);
    } else if (event >= answerDue) {
      answers.push({ cause: event - answerDue, time, after: due });
    } else if (event < 0) {
      quiet = false;
      context.flying--;
      const link = -1 - event;
      if (last) context.lastLink = link;
      else if (carried[link]!.length > 0) {
        const [flit, channel, change] = carried[link]!.splice(0, 3) as [number, number, number];
        const to = routers[ends[link]!]!;
        out.send(to, delay, {
          to,
          type: 'flit.arrive',
          port: farPorts[link]!,
          channel,
          flit,
          change,
          cycle: next,
        });
      }
    } else {
      quiet = false;
      const to = routers[routerOfCredit(event)]!;
      const output = channelOfCredit(event);
      const port = Math.floor(output / channels);
      out.send(to, delay, {
        to,
        type: 'credit.return',
        port,
        channel: output - port * channels,
        cycle: next,
      });
    }
    if (last) break;
  }
  if (due > 0 || answers.length > 0)
    out.send(injector, 2 * (next - from) - 1, {
      to: injector,
      type: 'injector.turn',
      cycle: next,
      count: due,
      ...(answers.length > 0 && { answers }),
    });
  return { next, quiet: quiet && due === 0 && answers.length === 0 };
}

/** Goes on to the next cycle in which anything can happen. */
function goOn(context: HeapClockContext, out: Out): void {
  const { spec, commons, heap } = context;
  const { self, end } = spec.value;
  const from = context.cycle;
  context.flying += enterLog(context);
  for (;;) {
    const { next, quiet } = window(context, from, out);
    if (context.endTime >= 0 && !context.endsWithTurns) {
      out.send(self, 2 * (next - from), { to: self, type: 'clock.settle', over: true });
      return;
    }
    context.cycle = next;
    const idle = quiet && context.flying === 0 && commons.firstFrom(0) < 0 && context.endTime < 0;
    if (!idle) {
      out.send(self, 2 * (next - from), { to: self, type: 'cycle.wanted', cycle: next });
      return;
    }
    // With nothing but turns and packets in the heap, all cycles up to the next packet are alike.
    const jump = Math.floor(Math.min(heap.size === 0 ? end : heap.firstTime, end)) - 2;
    if (heap.size <= 1 && jump > context.cycle) context.cycle = jump;
    heap.insert(context.cycle + 1, tick);
  }
}

function beginCycle(context: HeapClockContext, out: Out): void {
  const { spec, commons, heap, cycle } = context;
  heap.insert(cycle + 1, tick);
  const first = commons.firstFrom(0);
  if (first < 0) {
    if (context.endTime < 0) goOn(context, out);
    return;
  }
  const to = spec.value.routers[first]!;
  out.send(to, 0, { to, type: 'router.turn', cycle });
}

/** A packet at time 0 is planned before the first turns in the LegoSim edition, so it comes before them: they are put off by a tick. */
function beginWithPacket(context: HeapClockContext, _event: HeapClockEvent, out: Out): void {
  const { spec, commons, heap } = context;
  const { self, injector, packets } = spec.value;
  context.packet = 1;
  if (packets > 1) heap.insert(commons.packets.timeOf(1), packetDue);
  out.send(injector, 0, { to: injector, type: 'injector.turn', cycle: 0, count: 1 });
  out.send(self, 1, { to: self, type: 'cycle.wanted', cycle: 0 });
}

function finish(context: HeapClockContext, out: Out): void {
  const { spec, late, lastLink } = context;
  const wires = late.filter(({ link }) => link === lastLink).sort((a, b) => a.cycle - b.cycle);
  if (wires.length > 0) letArrive(spec.value, wires[0]!, out);
  for (const to of spec.value.routers) out.send(to, 1, { to, type: 'network.stop' });
}

/** The clock of the seed edition and of those after it: events of equal time come in the order of a binary heap (chiplet specification 5.11). */
export const heapClock = setup({
  types: {} as { context: HeapClockContext; events: HeapClockEvent; input: HeapClockInput },
  guards: {
    isOver: when(({ endTime }) => endTime >= 0),
    beginsWithPacket: when(
      ({ spec: { value }, commons }) => value.leaps && value.packets > 0 && commons.packets.timeOf(0) === 0,
    ),
  },
  actions: {
    beginHeap: update(({ spec, commons, heap }) => {
      heap.insert(0, tick);
      if (spec.value.packets > 0) heap.insert(commons.packets.timeOf(0), packetDue);
      heap.take();
    }),
    beginWithPacket: act(beginWithPacket),
    beginCycle: act<'cycle.wanted'>((context, _event, out) => beginCycle(context, out)),
    goOn: act((context, _event, out) => goOn(context, out)),
    noteLate: update<'wire.late'>((context, wire) => {
      context.late.push(wire);
    }),
    finish: act((context, _event, out) => finish(context, out)),
  },
}).createMachine({
  id: 'heap-clock',
  context: ({ input: { spec, commons } }) => ({
    spec: fixed(spec),
    commons,
    heap: new EventHeap(),
    packet: 0,
    answered: 0,
    flying: 0,
    carried: spec.delays.map(() => []),
    lastLink: -1,
    late: [],
    endTime: -1,
    endsWithTurns: false,
    cycle: 0,
  }),
  initial: 'beginning',
  states: {
    beginning: {
      on: {
        'cycle.wanted': [
          { guard: 'beginsWithPacket', target: 'open', actions: 'beginWithPacket' },
          { target: 'open', actions: ['beginHeap', 'beginCycle'] },
        ],
      },
    },
    open: {
      on: {
        'cycle.wanted': { actions: 'beginCycle' },
        'turns.done': [{ guard: 'isOver', target: 'closed', actions: 'finish' }, { actions: 'goOn' }],
        'wire.late': { actions: 'noteLate' },
        'clock.settle': { target: 'closed', actions: 'finish' },
      },
    },
    closed: { on: { 'cycle.wanted': {}, 'wire.late': {} } },
  },
});
