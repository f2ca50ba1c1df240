import { setup } from 'xstate';
import { component, type Outbox, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { ClockTick, NodeLeave } from './messages.ts';

/** The clock of a node that visits idle cycles. */
export interface ClockInput {
  readonly self: Address;
  /** Core groups: it stops with the last host process. */
  readonly cgs: number;
  /** Cycles that it counts at most, so that a node that stands still comes to its end. */
  readonly cyclesMax: number;
}

/** The clock of a node that visits idle cycles. */
export interface ClockContext {
  readonly spec: ClockInput;
  cycles: number;
  endedHosts: number;
}

type ClockEvent = ClockTick | NodeLeave;

const { act, update, when } = component<ClockContext, ClockEvent, ClockTick>();

function askForTick(c: ClockContext, out: Outbox<ClockTick>): void {
  out.post({ to: c.spec.self, type: 'clock.tick', delay: 1 });
}

/**
 * Counts the CPE cycles of a node one by one (specification 2.1).
 *
 * Use when idle spans are to be walked through: nobody listens to it, so a run with it is the run without it (specification 12, P21).
 */
export const clock = setup({
  types: {} as { context: ClockContext; events: ClockEvent; input: ClockInput },
  guards: {
    isOver: when((c) => c.endedHosts >= c.spec.cgs || c.cycles >= c.spec.cyclesMax),
  },
  actions: {
    count: act<'clock.tick'>((c, _event, out) => {
      c.cycles = out.now;
      if (c.endedHosts < c.spec.cgs && out.now < c.spec.cyclesMax) askForTick(c, out);
    }),
    noteEnd: update<'node.leave'>((c) => {
      c.endedHosts++;
    }),
  },
}).createMachine({
  id: 'clock',
  context: ({ input }) => ({ spec: input, cycles: 0, endedHosts: 0 }),
  initial: 'counting',
  on: { 'node.leave': { actions: 'noteEnd' } },
  states: {
    counting: {
      always: { guard: 'isOver', target: 'stopped' },
      on: { 'clock.tick': { actions: 'count' } },
    },
    stopped: { on: { 'clock.tick': refused } },
  },
});
