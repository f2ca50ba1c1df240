import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** What an actor with a clock receives: its clock has ticked, which it answers by `Ticked`. */
export const clockTick = { Tick: {} };
/** The role of the passing of time. */
export const timeRole = { receives: { Ticked: {} }, timers: ['tick'] } as const;

const role = protocol({ Time: timeRole, Clock: { receives: clockTick } }).roles.Time;

/** What the passing of time remembers. */
export interface TimeContext {
  readonly clocks: readonly Address[];
  /** How far a clock may be ahead of another. */
  readonly drift: number;
  /** By clock: how far it is ahead of the one that is furthest behind. */
  ahead: number[];
}
const t = role.component<TimeContext>();

/**
 * The passing of time where clocks drift: lets one clock tick after the other, in any order, none further ahead of another than the drift.
 *
 * Details: who has a clock answers each `Tick` by `Ticked`, so that one of them at a time is under way.
 */
export const time = setup({
  types: role.types<TimeContext, Omit<TimeContext, 'ahead'>>(),
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
  on: { Ticked: refused, tick: refused },
  states: {
    between: { entry: 'wait', on: { tick: { target: 'ticking', actions: 'tick' } } },
    ticking: { on: { Ticked: 'between' } },
  },
});
