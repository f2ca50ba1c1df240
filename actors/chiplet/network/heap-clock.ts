import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import { fixed } from '../../../kernel/resource.ts';
import { letArrive } from './clock.ts';
import { EventHeap } from './event-heap.ts';
import type { HeapClockContext, HeapClockInput, HeapClockSends } from './heap-clock-context.ts';
import { enterLog, packetDue, tick, window } from './heap-window.ts';
import type { ClockSettle, CycleWanted, TurnsDone, WireLate } from './messages.ts';

type HeapClockEvent = CycleWanted | TurnsDone | WireLate | ClockSettle;
type Out = Outbox<HeapClockSends>;

const { update, when, act } = component<HeapClockContext, HeapClockEvent, HeapClockSends>();

/** Goes on to the next cycle in which anything can happen. */
function goOn(context: HeapClockContext, out: Out): void {
  const { spec, sharedState, heap } = context;
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
    const idle = quiet && context.flying === 0 && sharedState.firstFrom(0) < 0 && context.endTime < 0;
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
  const { spec, sharedState, heap, cycle } = context;
  const { self } = spec.value;
  heap.insert(cycle + 1, tick);
  const first = sharedState.firstFrom(0);
  if (first < 0) {
    if (context.endTime < 0) goOn(context, out);
    // A network that stands still by itself is a deadlock; one with flits or credits under way is stopped.
    else if (heap.has((event) => event < tick))
      out.send(self, 0, { to: self, type: 'clock.settle', over: true });
    return;
  }
  const to = spec.value.routers[first]!;
  out.send(to, 0, { to, type: 'router.turn', cycle });
}

/** A packet at time 0 is planned before the first turns in the LegoSim edition, so it comes before them: they are put off by a tick. */
function beginWithPacket(context: HeapClockContext, _event: HeapClockEvent, out: Out): void {
  const { spec, sharedState, heap } = context;
  const { self, injector, packets } = spec.value;
  context.packet = 1;
  if (packets > 1) heap.insert(sharedState.packets.timeOf(1), packetDue);
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
      ({ spec: { value }, sharedState }) =>
        value.leaps && value.packets > 0 && sharedState.packets.timeOf(0) === 0,
    ),
  },
  actions: {
    beginHeap: update(({ spec, sharedState, heap }) => {
      heap.insert(0, tick);
      if (spec.value.packets > 0) heap.insert(sharedState.packets.timeOf(0), packetDue);
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
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
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
