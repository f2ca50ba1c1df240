import { setup } from 'xstate';
import { invariant } from '../../../kernel/errors.ts';
import { component, type Outbox } from '../../../kernel/kit.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type ClockSpec, letArrive } from './clock.ts';
import type { Commons } from './commons.ts';
import { EventHeap } from './event-heap.ts';
import { channelOfCredit, routerOfCredit } from './event-log.ts';
import type {
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

/** Fixed numbers of a clock that orders events by a heap. */
export interface HeapClockSpec extends ClockSpec {
  /** Cycles that a flit is on a link, by its number. */
  readonly delays: readonly number[];
  /** Virtual channels of a port. */
  readonly channels: number;
  /** Packets of the trace. */
  readonly packets: number;
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
  /** Flits on wires whose arrival has not come out of the heap. */
  flying: number;
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

/** Puts what the routers began into the heap, in the order in which they did (chiplet specification 5.4). */
function enterLog({ spec, commons, heap, cycle }: HeapClockContext): number {
  const { delays } = spec.value;
  let wires = 0;
  for (const entry of commons.log ?? []) {
    if (entry >= 0) heap.insert(cycle + 1, entry);
    else {
      heap.insert(cycle + delays[-1 - entry]!, entry);
      wires++;
    }
  }
  commons.log = [];
  return wires;
}

/** Takes events until the next turns, and lets happen what comes before them. `ahead`: cycles that this is ahead of the tick of the kernel. */
function window(context: HeapClockContext, ahead: number, out: Out): boolean {
  const { spec, commons, heap, cycle } = context;
  const { end, routers, injector, channels, packets } = spec.value;
  const delay = 2 * ahead + 1;
  let due = 0;
  let quiet = true;
  for (;;) {
    invariant(heap.size > 0, 'the next turns are always in the heap');
    const time = heap.firstTime;
    const event = heap.take();
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
    } else if (event < 0) {
      quiet = false;
      context.flying--;
      if (last) context.lastLink = -1 - event;
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
        cycle: cycle + 1,
      });
    }
    if (last) break;
  }
  if (due > 0)
    out.send(injector, delay, { to: injector, type: 'injector.turn', cycle: cycle + 1, count: due });
  return quiet && due === 0;
}

/** Goes on to the next cycle in which anything can happen. */
function goOn(context: HeapClockContext, out: Out): void {
  const { spec, commons, heap } = context;
  const { self, end } = spec.value;
  const from = context.cycle;
  context.flying += enterLog(context);
  for (;;) {
    const quiet = window(context, context.cycle - from, out);
    const next = context.cycle + 1;
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

function finish(context: HeapClockContext, out: Out): void {
  const { spec, late, lastLink } = context;
  const wires = late.filter(({ link }) => link === lastLink).sort((a, b) => a.cycle - b.cycle);
  if (wires.length > 0) letArrive(spec.value, wires[0]!, out);
  for (const to of spec.value.routers) out.send(to, 1, { to, type: 'network.stop' });
}

/** The clock of the seed edition: events of equal time come in the order of a binary heap (chiplet specification 5.11). */
export const heapClock = setup({
  types: {} as { context: HeapClockContext; events: HeapClockEvent; input: HeapClockInput },
  guards: { isOver: when(({ endTime }) => endTime >= 0) },
  actions: {
    beginHeap: update(({ spec, commons, heap }) => {
      heap.insert(0, tick);
      if (spec.value.packets > 0) heap.insert(commons.packets.timeOf(0), packetDue);
      heap.take();
    }),
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
    flying: 0,
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
        'cycle.wanted': { target: 'open', actions: ['beginHeap', 'beginCycle'] },
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
