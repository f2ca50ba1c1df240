import { setup } from 'xstate';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import {
  type ClockSpec,
  isEarlier,
  type LateEvents,
  lastCycleOf,
  lastEvent,
  letArrive,
} from './late-events.ts';
import { type NetworkEvents, type NetworkOutbox, networkProtocol } from './protocol.ts';
import { lower, raise } from './router-context.ts';

/** What a clock is made from. */
export interface ClockInput {
  readonly spec: ClockSpec;
}

/** The clock: who wants a turn, and what came too late for the end. */
export interface ClockContext extends LateEvents {
  readonly spec: Fixed<ClockSpec>;
  /** Routers that want a turn, in the order of their numbers. */
  wanting: number[];
  /** True when the next cycle with turns is planned. */
  isPlanned: boolean;
  cycle: number;
  /** The router that has the turn. */
  turning: number;
}

type ClockEvent = NetworkEvents<'Clock'>;
type Out = NetworkOutbox<'Clock'>;

const role = networkProtocol.roles.Clock;

/** The kit of clocks, also for planted faults. */
export const clockKit = role.component<ClockContext>();
const { act, post, update, when } = clockKit;

/** The next router in the round that wants a turn. */
const nextOf = ({ wanting, turning }: ClockContext): number | undefined =>
  wanting.find((router) => router > turning);

/** Gives the turn to the next router that wants one; where each draws from its own stream, to all of them. */
function giveTurn(clock: ClockContext, out: Out): void {
  const { routers, handsOn } = clock.spec.value;
  for (let router = nextOf(clock); router !== undefined; router = nextOf(clock)) {
    const to = routers[router]!;
    clock.turning = router;
    lower(clock.wanting, router);
    out.send(to, 0, { to, type: 'router.turn', cycle: clock.cycle });
    if (handsOn) return;
  }
}

function beginCycle(clock: ClockContext, cycle: number, out: Out): void {
  clock.cycle = cycle;
  clock.turning = -1;
  clock.isPlanned = false;
  giveTurn(clock, out);
}

/** Plans the end for the turns after it, before which all comes that is late. `cycle`: that in which the first that is late was sent. */
function planEnd({ spec, late, hasLateCredit }: ClockContext, cycle: number, out: Out): void {
  const { self, after } = spec.value;
  if (late === null && !hasLateCredit)
    out.send(self, 2 * (after - cycle) - 1, { to: self, type: 'clock.settle', over: false });
}

/** Carries out the first event after the end, with which the original stops (chiplet specification 5.3). */
function close(clock: ClockContext, event: ClockEvent, out: Out): void {
  const { late, hasLateCredit, wanting } = clock;
  const spec = clock.spec.value;
  const { injector, self, after } = spec;
  // Nothing is stopped in a network that stands still by itself: that is a deadlock. Whoever wants a turn does not stand still.
  const stops = late !== null || hasLateCredit || event.type === 'cycle.wanted' || wanting.length > 0;
  const last = lastEvent(spec, clock);
  if (last === 'flit') letArrive(spec, late!, out);
  else if (last === 'packet')
    out.send(injector, 0, { to: injector, type: 'injector.turn', cycle: after, count: 1 });
  else if (last === 'turns') beginCycle(clock, after, out);
  if (stops) out.send(self, 2, { to: self, type: 'clock.settle', over: true });
}

/**
 * Starts the cycles in which some router wants a turn, hands the turn from router to router, and ends the simulation (chiplet specification 5.3).
 *
 * Details: cycles in which nothing can happen are not visited. Routers have their turns in the order of their numbers, which is the order of random draws.
 */
export const clock = setup({
  types: role.types<ClockContext, ClockInput>(),
  guards: {
    isInTime: when<'cycle.wanted'>(({ spec }, { cycle }) => cycle <= lastCycleOf(spec.value)),
    isBetween: when<'cycle.wanted'>(({ spec }, { cycle }) => cycle < spec.value.after),
    handsOn: when(({ spec }) => spec.value.handsOn),
    someoneIsNext: when((clock) => nextOf(clock) !== undefined),
    isOver: when<'clock.settle'>((_clock, { over }) => over),
  },
  actions: {
    noteWanted: act<'turn.wanted'>((clock, { router, cycle }, out) => {
      raise(clock.wanting, router);
      const { self } = clock.spec.value;
      if (!clock.isPlanned) out.send(self, 1, { to: self, type: 'cycle.wanted', cycle });
      clock.isPlanned = true;
    }),
    noteDone: update<'turn.done'>((clock, { router, wants }) => {
      if (wants) raise(clock.wanting, router);
    }),
    planNext: act<'turn.done'>((clock, { cycle }, out) => {
      const { self } = clock.spec.value;
      if (clock.isPlanned || clock.wanting.length === 0) return;
      clock.isPlanned = true;
      out.send(self, 2, { to: self, type: 'cycle.wanted', cycle: cycle + 1 });
    }),
    beginCycle: act<'cycle.wanted'>((clock, { cycle }, out) => beginCycle(clock, cycle, out)),
    giveTurn: act((clock, _event, out) => giveTurn(clock, out)),
    waitForTurns: act<'cycle.wanted'>(({ spec }, { cycle }, out) => {
      const { self, after } = spec.value;
      out.send(self, 2 * (after - cycle), { to: self, type: 'cycle.wanted', cycle: after });
    }),
    noteLate: act<'wire.late'>((clock, wire, out) => {
      planEnd(clock, wire.cycle, out);
      if (clock.late === null || isEarlier(wire, clock.late)) clock.late = wire;
    }),
    noteCredit: act<'credit.late'>((clock, _event, out) => {
      planEnd(clock, lastCycleOf(clock.spec.value), out);
      clock.hasLateCredit = true;
    }),
    close: act(close),
    stop: post(({ spec }) => spec.value.routers.map((to) => ({ to, type: 'network.stop' as const }))),
  },
}).createMachine({
  id: 'clock',
  context: ({ input: { spec } }) => ({
    spec: fixed(spec),
    wanting: [],
    isPlanned: false,
    cycle: 0,
    turning: -1,
    late: null,
    hasLateCredit: false,
    endTime: -1,
  }),
  initial: 'open',
  states: {
    open: {
      initial: 'between',
      on: {
        'turn.wanted': { actions: 'noteWanted' },
        'wire.late': { actions: 'noteLate' },
        'credit.late': { actions: 'noteCredit' },
        'clock.settle': { target: 'closed', actions: 'close' },
      },
      states: {
        between: {
          on: {
            'cycle.wanted': [
              { guard: 'isInTime', target: 'round', actions: 'beginCycle' },
              // Nobody has a turn in this cycle.
              { guard: 'isBetween', actions: 'waitForTurns' },
              { target: '#clock.closed', actions: 'close' },
            ],
            'turn.done': { actions: ['noteDone', 'planNext'] },
          },
        },
        round: {
          ...waitingFor<ClockContext>(
            'the router that has the turn',
            ({ spec, turning }) => spec.value.routers[turning]!,
          ),
          on: {
            'turn.done': [
              { guard: 'someoneIsNext', actions: ['noteDone', 'giveTurn'] },
              { target: 'between', actions: ['noteDone', 'planNext'] },
            ],
          },
        },
      },
    },
    closed: {
      on: {
        'cycle.wanted': {},
        'turn.wanted': {},
        'turn.done': [{ guard: 'someoneIsNext', actions: 'giveTurn' }, {}],
        'wire.late': {},
        'credit.late': {},
        'clock.settle': [{ guard: 'isOver', actions: 'stop' }, {}],
      },
    },
  },
});
