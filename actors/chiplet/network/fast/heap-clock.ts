import { setup } from 'xstate';
import { fixed } from '../../../../kernel/resource.ts';
import { EventHeap } from '../event-heap.ts';
import type { HeapClockContext, HeapClockInput } from '../heap-clock-context.ts';
import { beginHeap, beginsWithPacket, beginWithPacket, finish, goOn } from '../heap-steps.ts';
import { tick } from '../heap-window.ts';
import { type NetworkOutbox, networkProtocol } from '../protocol.ts';

type Out = NetworkOutbox<'Clock'>;

const role = networkProtocol.roles.Clock;
const { update, when, act } = role.component<HeapClockContext>();

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

/** The clock of the seed edition and of those after it: events of equal time come in the order of a binary heap (chiplet specification 5.11). */
export const heapClock = setup({
  types: role.types<HeapClockContext, HeapClockInput>(),
  guards: {
    isOver: when(({ endTime }) => endTime >= 0),
    beginsWithPacket: when(beginsWithPacket),
  },
  actions: {
    beginHeap: update(beginHeap),
    beginWithPacket: act((context, _event, out) => beginWithPacket(context, out)),
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
