import { setup } from 'xstate';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import {
  type ClockSpec,
  isEarlier,
  type LateEvents,
  lastCycleOf,
  lastEvent,
  letArrive,
} from '../late-events.ts';
import { type NetworkEvents, type NetworkOutbox, networkProtocol } from '../protocol.ts';
import type { SharedState } from './shared-state.ts';

/** What a clock is made from. */
export interface ClockInput {
  readonly spec: ClockSpec;
  readonly sharedState: SharedState;
}

/** The clock: what came too late for the end, and the time of the last event once it is known. */
export interface ClockContext extends LateEvents {
  readonly spec: Fixed<ClockSpec>;
  readonly sharedState: SharedState;
}

type ClockEvent = NetworkEvents<'Clock'>;
type Out = NetworkOutbox<'Clock'>;

const role = networkProtocol.roles.Clock;
const { when, act } = role.component<ClockContext>();

const lastCycle = ({ spec }: ClockContext): number => lastCycleOf(spec.value);

function beginCycle({ spec, sharedState }: ClockContext, cycle: number, out: Out): void {
  const { routers, handsOn } = spec.value;
  for (let router = sharedState.firstFrom(0); router >= 0; router = sharedState.firstFrom(router + 1)) {
    const to = routers[router]!;
    out.send(to, 0, { to, type: 'router.turn', cycle });
    if (handsOn) return;
  }
}

/** Plans the end for the turns after it, before which all comes that is late. `cycle`: that in which the first that is late was sent. */
function planEnd({ spec, late, hasLateCredit }: ClockContext, cycle: number, out: Out): void {
  const { self, after } = spec.value;
  if (late === null && !hasLateCredit)
    out.send(self, 2 * (after - cycle) - 1, { to: self, type: 'clock.settle', over: false });
}

/** Carries out the first event after the end, with which the original stops: a flit, a packet, a credit, or all turns of the next cycle (chiplet specification 5.3). */
function close(context: ClockContext, event: ClockEvent, out: Out): void {
  const { spec, sharedState, late, hasLateCredit } = context;
  const { injector, self, after: next } = spec.value;
  const last = lastEvent(spec.value, context);
  if (last === 'flit') letArrive(spec.value, late!, out);
  else if (last === 'packet')
    out.send(injector, 0, { to: injector, type: 'injector.turn', cycle: next, count: 1 });
  else if (last === 'turns') beginCycle(context, next, out);
  // Nothing is stopped in a network that stands still by itself: that is a deadlock. Whoever wants a turn does not stand still.
  if (late !== null || hasLateCredit || event.type === 'cycle.wanted' || sharedState.firstFrom(0) >= 0)
    out.send(self, 2, { to: self, type: 'clock.settle', over: true });
}

function stop(context: ClockContext, out: Out): void {
  for (const to of context.spec.value.routers) out.send(to, 0, { to, type: 'network.stop' });
}

/**
 * Starts the cycles in which some router wants a turn, and ends the simulation (chiplet specification 5.3).
 *
 * Details: cycles in which nothing can happen are not visited. The routers hand the turn on among themselves, in the order of their numbers.
 */
export const clock = setup({
  types: role.types<ClockContext, ClockInput>(),
  guards: {
    isInTime: when<'cycle.wanted'>((context, { cycle }) => cycle <= lastCycle(context)),
    isBetween: when<'cycle.wanted'>(({ spec }, { cycle }) => cycle < spec.value.after),
    isOver: when<'clock.settle'>((_context, { over }) => over),
  },
  actions: {
    beginCycle: act<'cycle.wanted'>((context, { cycle }, out) => beginCycle(context, cycle, out)),
    waitForTurns: act<'cycle.wanted'>(({ spec }, { cycle }, out) => {
      const { self, after } = spec.value;
      out.send(self, 2 * (after - cycle), { to: self, type: 'cycle.wanted', cycle: after });
    }),
    noteLate: act<'wire.late'>((context, wire, out) => {
      planEnd(context, wire.cycle, out);
      if (context.late === null || isEarlier(wire, context.late)) context.late = wire;
    }),
    noteCredit: act<'credit.late'>((context, _event, out) => {
      planEnd(context, lastCycle(context), out);
      context.hasLateCredit = true;
    }),
    close: act(close),
    stop: act((context, _event, out) => stop(context, out)),
  },
}).createMachine({
  id: 'clock',
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
    late: null,
    hasLateCredit: false,
    endTime: -1,
  }),
  initial: 'open',
  states: {
    open: {
      on: {
        'cycle.wanted': [
          { guard: 'isInTime', actions: 'beginCycle' },
          // Nobody has a turn in this cycle.
          { guard: 'isBetween', actions: 'waitForTurns' },
          { target: 'closed', actions: 'close' },
        ],
        'wire.late': { actions: 'noteLate' },
        'credit.late': { actions: 'noteCredit' },
        'clock.settle': { target: 'closed', actions: 'close' },
      },
    },
    closed: {
      on: {
        'cycle.wanted': {},
        'wire.late': {},
        'credit.late': {},
        'clock.settle': { guard: 'isOver', actions: 'stop' },
      },
    },
  },
});
