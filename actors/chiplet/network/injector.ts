import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { PacketHolder } from './packet-book.ts';
import { type AnswerDue, type NetworkMessage, type NetworkOutbox, networkProtocol } from './protocol.ts';

type PacketOffer = NetworkMessage<'packet.offer'>;

/** Fixed numbers of the injector. */
export interface InjectorSpec {
  readonly self: Address;
  /** Routers by number. */
  readonly routers: readonly Address[];
  /** Packets of the trace: those with the lowest numbers. */
  readonly count: number;
  /** Of these, the packets that come before the end of the simulation. */
  readonly due: number;
  /** By packet: the cycle in which its router sees it. */
  readonly seen: Int32Array;
  /** True when the injector follows the trace by itself; otherwise the clock says when packets are due. */
  readonly leads: boolean;
  /** True when routers draw from one stream, so that one is told after the other. */
  readonly oneByOne: boolean;
}

/** What an injector is made from. */
export interface InjectorInput {
  readonly spec: InjectorSpec;
  readonly sharedState: PacketHolder;
}

/** The injector: how far it is in the trace. */
export interface InjectorContext {
  readonly spec: Fixed<InjectorSpec>;
  readonly sharedState: PacketHolder;
  next: number;
  /** Packets before this one are due in the present cycle. */
  until: number;
  cycle: number;
  /** The last cycle that a turn is planned in for packets of the trace. */
  planned: number;
  /** Packets that are not in the trace and wait for their cycle, in the order in which they are sent. */
  offers: PacketOffer[];
  /** Acknowledgements of the present cycle, where the clock says when they are due. */
  answers: readonly AnswerDue[];
  /** Of these, the first that was not told, and the packet of the trace that the cycle began with. */
  nextAnswer: number;
  from: number;
}

const role = networkProtocol.roles.Injector;
const { update, when, act } = role.component<InjectorContext>();

function tellNext(context: InjectorContext, out: NetworkOutbox<'Injector'>): void {
  const { sharedState, cycle, spec } = context;
  const { routers } = spec.value;
  const answer = context.answers[context.nextAnswer];
  if (answer !== undefined && context.from + answer.after <= context.next) {
    context.nextAnswer++;
    const { cause, time } = answer;
    const source = sharedState.packets.targetOf(cause);
    const packet = sharedState.packets.answer(
      { time, source, target: sharedState.packets.sourceOf(cause), size: 1 },
      cause,
    );
    const to = routers[source]!;
    out.send(to, 0, {
      to,
      type: 'packets.due',
      at: time,
      cycle,
      packet,
      order: sharedState.packets.orderOf(packet),
    });
    return;
  }
  if (context.next < context.until) {
    const packet = context.next++;
    const to = routers[sharedState.packets.sourceOf(packet)]!;
    out.send(to, 0, { to, type: 'packets.due', at: sharedState.packets.timeOf(packet), cycle });
    return;
  }
  const offer = context.offers.shift()!;
  const { time, source, target, size, cause } = offer;
  const packet = sharedState.packets.answer({ time, source, target, size }, cause);
  const to = routers[source]!;
  out.send(to, 0, {
    to,
    type: 'packets.due',
    at: time,
    cycle,
    packet,
    order: sharedState.packets.orderOf(packet),
  });
}

const hasMore = ({ next, until, answers, nextAnswer, offers, cycle }: InjectorContext): boolean =>
  next < until || nextAnswer < answers.length || (offers.length > 0 && offers[0]!.seen <= cycle);

/** Offers in the order of their cycles; in one cycle by time, and at one time by what they answer. */
const isBefore = (one: PacketOffer, other: PacketOffer): boolean =>
  one.seen !== other.seen
    ? one.seen < other.seen
    : one.time !== other.time
      ? one.time < other.time
      : one.cause < other.cause;

/** Tells routers when packets of the trace are due, in the order of the trace (chiplet specification 5.3, INJECT). */
export const injector = setup({
  types: role.types<InjectorContext, InjectorInput>(),
  guards: {
    hasMore: when(hasMore),
    tellsAll: when(({ spec }) => !spec.value.oneByOne),
  },
  actions: {
    beginCycle: update<'injector.turn'>((context, { cycle, count, answers }) => {
      const { seen, due } = context.spec.value;
      context.cycle = cycle;
      context.until = context.next;
      context.from = context.next;
      context.answers = answers ?? [];
      context.nextAnswer = 0;
      if (count !== undefined) context.until += count;
      else while (context.until < due && seen[context.until]! <= cycle) context.until++;
    }),
    tellNext: act((context, _event, out) => tellNext(context, out)),
    tellAll: act((context, _event, out) => {
      while (hasMore(context)) tellNext(context, out);
    }),
    takeOffer: act<'packet.offer'>((context, offer, out) => {
      const { offers } = context;
      const at = offers.findIndex((other) => isBefore(offer, other));
      offers.splice(at < 0 ? offers.length : at, 0, offer);
      const { self } = context.spec.value;
      const { seen, cycle } = offer;
      out.send(self, 2 * (seen - cycle) - 1, { to: self, type: 'injector.turn', cycle: seen });
    }),
    planNext: act((context, _event, out) => {
      const { self, seen, due, leads } = context.spec.value;
      if (!leads || context.next >= due) return;
      const cycle = seen[context.next]!;
      if (cycle <= context.planned) return;
      context.planned = cycle;
      out.send(self, 2 * (cycle - context.cycle), { to: self, type: 'injector.turn', cycle });
    }),
  },
}).createMachine({
  id: 'injector',
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
    next: 0,
    until: 0,
    cycle: 0,
    planned: 0,
    offers: [],
    answers: [],
    nextAnswer: 0,
    from: 0,
  }),
  on: { 'packet.offer': { actions: 'takeOffer' } },
  initial: 'resting',
  states: {
    resting: {
      on: {
        'injector.turn': [
          { guard: 'tellsAll', actions: ['beginCycle', 'tellAll', 'planNext'] },
          { target: 'telling', actions: 'beginCycle' },
        ],
      },
    },
    telling: {
      always: [
        { guard: 'hasMore', target: 'waitingForRouter', actions: 'tellNext' },
        { target: 'resting', actions: 'planNext' },
      ],
    },
    waitingForRouter: {
      on: {
        'packets.taken': 'telling',
        // What is due is told in this round already.
        'injector.turn': {},
      },
    },
  },
});
