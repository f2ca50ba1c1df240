import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { Commons } from './commons.ts';
import type { InjectorTurn, PacketsDue, PacketsTaken } from './messages.ts';

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
  readonly commons: Commons;
}

/** The injector: how far it is in the trace. */
export interface InjectorContext {
  readonly spec: Fixed<InjectorSpec>;
  readonly commons: Commons;
  next: number;
  /** Packets before this one are due in the present cycle. */
  until: number;
  cycle: number;
}

type InjectorSends = PacketsDue | InjectorTurn;

const { update, when, act } = component<InjectorContext, InjectorTurn | PacketsTaken, InjectorSends>();

function tellNext(context: InjectorContext, out: Outbox<InjectorSends>): void {
  const { commons, cycle } = context;
  const packet = context.next++;
  const to = context.spec.value.routers[commons.packets.sourceOf(packet)]!;
  out.send(to, 0, { to, type: 'packets.due', at: commons.packets.timeOf(packet), cycle });
}

/** Tells routers when packets of the trace are due, in the order of the trace (chiplet specification 5.3, INJECT). */
export const injector = setup({
  types: {} as {
    context: InjectorContext;
    events: InjectorTurn | PacketsTaken;
    input: InjectorInput;
  },
  guards: {
    hasMore: when(({ next, until }) => next < until),
    tellsAll: when(({ spec }) => !spec.value.oneByOne),
  },
  actions: {
    beginCycle: update<'injector.turn'>((context, { cycle, count }) => {
      const { seen, due } = context.spec.value;
      context.cycle = cycle;
      context.until = context.next;
      if (count !== undefined) context.until += count;
      else while (context.until < due && seen[context.until]! <= cycle) context.until++;
    }),
    tellNext: act((context, _event, out) => tellNext(context, out)),
    tellAll: act((context, _event, out) => {
      while (context.next < context.until) tellNext(context, out);
    }),
    planNext: act((context, _event, out) => {
      const { self, seen, due, leads } = context.spec.value;
      if (!leads || context.next >= due) return;
      const cycle = seen[context.next]!;
      out.send(self, 2 * (cycle - context.cycle), { to: self, type: 'injector.turn', cycle });
    }),
  },
}).createMachine({
  id: 'injector',
  context: ({ input: { spec, commons } }) => ({
    spec: fixed(spec),
    commons,
    next: 0,
    until: 0,
    cycle: 0,
  }),
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
      on: { 'packets.taken': 'telling' },
    },
  },
});
