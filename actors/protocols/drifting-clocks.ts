import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** What the passing of time and the clocks of parties say to each other. */
export type ClockMessage = { readonly type: 'Tick' } | { readonly type: 'Ticked' };
type TimeEvent = ClockMessage | { readonly type: 'tick' };

/** What the passing of time remembers. */
export interface TimeContext {
  readonly clocks: readonly Address[];
  /** How far a clock may be ahead of another. */
  readonly drift: number;
  /** By clock: how far it is ahead of the one that is furthest behind. */
  ahead: number[];
}
const t = component<TimeContext, TimeEvent, ClockMessage>();

/**
 * The passing of time where clocks drift: lets one clock tick after the other, in any order, none further ahead of another than the drift.
 *
 * Details: who has a clock answers each `Tick` by `Ticked`, so that one of them at a time is under way.
 */
export const time = setup({
  types: {} as { context: TimeContext; events: TimeEvent; input: Omit<TimeContext, 'ahead'> },
  actions: {
    wait: t.act((_time, _event, out) => out.setTimer('tick')),
    tick: t.act((world, _event, out) => {
      const able = world.clocks.filter((_, at) => world.ahead[at]! < world.drift);
      const at = world.clocks.indexOf(able[out.pick('whose clock ticks', able.length)]!);
      world.ahead[at]!++;
      const least = Math.min(...world.ahead);
      world.ahead = world.ahead.map((one) => one - least);
      out.post({ to: world.clocks[at]!, type: 'Tick' });
    }),
  },
}).createMachine({
  id: 'time',
  context: ({ input }) => ({ ...input, ahead: input.clocks.map(() => 0) }),
  initial: 'between',
  on: { Tick: refused, Ticked: refused, tick: refused },
  states: {
    between: { entry: 'wait', on: { tick: { target: 'ticking', actions: 'tick' } } },
    ticking: { on: { Ticked: 'between' } },
  },
});
