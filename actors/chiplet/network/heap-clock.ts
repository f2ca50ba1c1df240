import { setup } from 'xstate';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { EventHeap } from './event-heap.ts';
import type { HeapClockContext as CommonContext, HeapClockSpec } from './heap-clock-context.ts';
import { beginHeap, beginsWithPacket, beginWithPacket, finish, goOn } from './heap-steps.ts';
import { tick } from './heap-window.ts';
import { type NetworkOutbox, networkProtocol } from './protocol.ts';
import type { RoundRecord } from './round-record.ts';

/** What a clock of channel actors that orders events is made from. */
export interface HeapClockInput {
  readonly spec: HeapClockSpec;
  readonly sharedState: RoundRecord;
}

/** The same clock as of whole routers, with what it was told of their turns. */
export interface HeapClockContext extends CommonContext {
  readonly spec: Fixed<HeapClockSpec>;
  readonly sharedState: RoundRecord;
  /** The router that has the turn. */
  turning: number;
}

const role = networkProtocol.roles.Clock;
const { update, when, act } = role.component<HeapClockContext>();

/** Gives the turn to the next router that wants one. */
function giveTurn(clock: HeapClockContext, out: NetworkOutbox<'Clock'>): void {
  const router = clock.sharedState.firstFrom(clock.turning + 1);
  const to = clock.spec.value.routers[router]!;
  clock.turning = router;
  clock.sharedState.take(router);
  out.send(to, 0, { to, type: 'router.turn', cycle: clock.cycle });
}

/** The clock of the seed edition and of those after it: events of equal time come in the order of a binary heap (chiplet specification 5.11). */
export const heapClock = setup({
  types: role.types<HeapClockContext, HeapClockInput>(),
  guards: {
    beginsWithPacket: when(beginsWithPacket),
    someoneIsNext: when(({ sharedState, turning }) => sharedState.firstFrom(turning + 1) >= 0),
    isOver: when(({ endTime }) => endTime >= 0),
    isUnderWay: when(({ heap }) => heap.has((event) => event < tick)),
  },
  actions: {
    beginHeap: update(beginHeap),
    beginWithPacket: act((clock, _event, out) => beginWithPacket(clock, out)),
    noteWanted: update<'turn.wanted'>(({ sharedState }, { router }) => sharedState.want(router)),
    noteDone: update<'turn.done'>(({ sharedState }, event) => sharedState.note(event)),
    beginRound: update((clock) => {
      clock.heap.insert(clock.cycle + 1, tick);
      clock.turning = -1;
    }),
    giveTurn: act((clock, _event, out) => giveTurn(clock, out)),
    goOn: act((clock, _event, out) => goOn(clock, out)),
    noteLate: update<'wire.late'>((clock, wire) => {
      clock.late.push(wire);
    }),
    planStop: act(({ spec }, _event, out) => {
      const { self } = spec.value;
      out.send(self, 0, { to: self, type: 'clock.settle', over: true });
    }),
    finish: act((clock, _event, out) => finish(clock, out)),
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
    turning: -1,
  }),
  initial: 'beginning',
  on: { 'turn.wanted': { actions: 'noteWanted' }, 'wire.late': { actions: 'noteLate' } },
  states: {
    beginning: {
      on: {
        'cycle.wanted': [
          { guard: 'beginsWithPacket', target: 'between', actions: 'beginWithPacket' },
          { target: 'choosing', actions: ['beginHeap', 'beginRound'] },
        ],
      },
    },
    between: {
      on: {
        'cycle.wanted': { target: 'choosing', actions: 'beginRound' },
        'clock.settle': { target: 'closed', actions: 'finish' },
      },
    },
    choosing: {
      always: [{ guard: 'someoneIsNext', target: 'round', actions: 'giveTurn' }, { target: 'quiet' }],
    },
    // Nobody wants a turn in this cycle.
    quiet: {
      always: [
        { guard: 'isOver', target: 'over' },
        { target: 'between', actions: 'goOn' },
      ],
    },
    over: {
      // A network that stands still by itself is a deadlock; one with flits or credits under way is stopped.
      always: [{ guard: 'isUnderWay', target: 'between', actions: 'planStop' }, { target: 'between' }],
    },
    round: {
      ...waitingFor<HeapClockContext>(
        'the router that has the turn',
        ({ spec, turning }) => spec.value.routers[turning]!,
      ),
      on: {
        'turn.done': [
          { guard: 'someoneIsNext', actions: ['noteDone', 'giveTurn'] },
          { guard: 'isOver', target: 'closed', actions: ['noteDone', 'finish'] },
          { target: 'between', actions: ['noteDone', 'goOn'] },
        ],
      },
    },
    closed: {
      on: { 'cycle.wanted': {}, 'turn.done': {}, 'turn.wanted': {}, 'wire.late': {} },
    },
  },
});
