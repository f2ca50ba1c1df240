import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type {
  ClockSettle,
  CreditLate,
  CycleWanted,
  FlitArrive,
  InjectorTurn,
  NetworkStop,
  RouterTurn,
  WireLate,
} from './messages.ts';
import type { SharedState } from './shared-state.ts';

/** Fixed numbers of the clock. */
export interface ClockSpec {
  readonly self: Address;
  readonly injector: Address;
  /** Routers by number, and the router at the end of each link by its number. */
  readonly routers: readonly Address[];
  readonly ends: readonly number[];
  /** Time at which the simulation ends; may be a fraction. */
  readonly end: number;
  /** The first cycle after the end in which some router has a turn. */
  readonly after: number;
  /** True when routers hand the turn on among themselves; otherwise each has its turns by itself, up to the end. */
  readonly handsOn: boolean;
  /** Time of the first packet of the trace that comes after the end; infinite when none does. */
  readonly nextPacket: number;
  /** True when that packet comes before turns of the same time, having been planned before them. */
  readonly packetFirst: boolean;
}

/** What a clock is made from. */
export interface ClockInput {
  readonly spec: ClockSpec;
  readonly sharedState: SharedState;
}

/** The clock: what came too late for the end, and the time of the last event once it is known. */
export interface ClockContext {
  readonly spec: Fixed<ClockSpec>;
  readonly sharedState: SharedState;
  late: WireLate | null;
  /** True when a credit comes in the cycle after the end, and no turns do. */
  hasLateCredit: boolean;
  endTime: number;
}

type ClockEvent = CycleWanted | WireLate | CreditLate | ClockSettle;
type ClockSends = RouterTurn | FlitArrive | InjectorTurn | NetworkStop | ClockSettle | CycleWanted;
type Out = Outbox<ClockSends>;

const { when, act } = component<ClockContext, ClockEvent, ClockSends>();

/** Last cycle up to the end. */
const lastCycle = ({ spec }: ClockContext): number => Math.floor(spec.value.end);

function beginCycle({ spec, sharedState }: ClockContext, cycle: number, out: Out): void {
  const { routers, handsOn } = spec.value;
  for (let router = sharedState.firstFrom(0); router >= 0; router = sharedState.firstFrom(router + 1)) {
    const to = routers[router]!;
    out.send(to, 0, { to, type: 'router.turn', cycle });
    if (handsOn) return;
  }
}

/** True when a late flit arrives before another one: at the same time, that which was sent first. */
const isEarlier = (one: WireLate, other: WireLate): boolean =>
  one.at !== other.at
    ? one.at < other.at
    : one.cycle !== other.cycle
      ? one.cycle < other.cycle
      : one.link < other.link;

/** Lets the late flit arrive: after the last turns, so that none follows. */
export function letArrive(
  { routers, ends }: Pick<ClockSpec, 'routers' | 'ends'>,
  { link, port, channel, flit, change, at }: WireLate,
  out: Outbox<FlitArrive>,
): void {
  const to = routers[ends[link]!]!;
  out.send(to, 0, { to, type: 'flit.arrive', port, channel, flit, change, cycle: Math.ceil(at) });
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
  const { nextPacket, packetFirst, injector, self, after: next } = spec.value;
  const arrival = late === null ? Number.POSITIVE_INFINITY : late.at;
  context.endTime = Math.min(arrival, nextPacket, hasLateCredit ? lastCycle(context) + 1 : next);
  // Of events of the time of the turns those come first that were planned before them.
  const isFirst = (at: number, first: boolean) => at === context.endTime && (at < next || first);
  if (late !== null && isFirst(arrival, late.first)) letArrive(spec.value, late, out);
  else if (isFirst(nextPacket, packetFirst))
    out.send(injector, 0, { to: injector, type: 'injector.turn', cycle: next, count: 1 });
  // A credit changes nothing that anybody sees any more.
  else if (context.endTime === next) beginCycle(context, next, out);
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
  types: {} as { context: ClockContext; events: ClockEvent; input: ClockInput },
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
