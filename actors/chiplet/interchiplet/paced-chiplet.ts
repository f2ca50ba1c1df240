import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address, Probe } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import type { SyncArrive, SyncFinish, SyncRelease } from './cycle-barrier.ts';

/** Fixed when the parts are wired. */
export interface PacedChipletSpec {
  readonly self: Address;
  readonly barrier: Address;
  /** Its index at the barrier. */
  readonly chiplet: number;
  /** Cycles after which it has finished. */
  readonly cycles: number;
  /** Cycles that it simulates in a tick of the host at most. */
  readonly pace: number;
  /** The cycle of the first meeting. */
  readonly firstMeeting: number;
}

/** What a chiplet at a cycle barrier remembers. */
export interface PacedChipletContext extends PacedChipletSpec {
  /** Its cycle counter. */
  cycle: number;
  /** The next meeting: its cycle and its number. */
  meeting: number;
  generation: number;
}

/** Shown whenever the cycle counter has moved. */
export interface ChipletCycle extends Probe {
  readonly type: 'chiplet.cycle';
  readonly chiplet: number;
  readonly cycle: number;
}

type ChipletEvent = { readonly type: 'chiplet.run' } | SyncRelease;

/** The kit of such chiplets, also for planted faults. */
export const pacedChipletKit = component<
  PacedChipletContext,
  ChipletEvent,
  { readonly type: 'chiplet.run' } | SyncArrive | SyncFinish
>();
const { update, post, when, probe } = pacedChipletKit;

/**
 * A chiplet that counts cycles at a pace of its own and stops at meetings (chiplet specification 10).
 *
 * Details: it looks at the end of each cycle first whether it has finished: who ends in the cycle of a meeting need not come to it.
 */
export const pacedChiplet = setup({
  types: {} as { context: PacedChipletContext; events: ChipletEvent; input: PacedChipletSpec },
  guards: {
    finished: when((c) => c.cycle >= c.cycles),
    atMeeting: when((c) => c.cycle >= c.meeting),
  },
  actions: {
    advance: update((c) => {
      c.cycle = Math.min(c.cycle + c.pace, c.meeting, c.cycles);
    }),
    show: probe((c): ChipletCycle => ({ type: 'chiplet.cycle', chiplet: c.chiplet, cycle: c.cycle })),
    runOn: post((c) => ({ to: c.self, type: 'chiplet.run', delay: 1 })),
    arrive: post((c) => ({
      to: c.barrier,
      type: 'sync.arrive',
      chiplet: c.chiplet,
      generation: c.generation,
      cycle: c.cycle,
    })),
    finish: post((c) => ({ to: c.barrier, type: 'sync.finish', chiplet: c.chiplet, cycle: c.cycle })),
    planNext: update<'sync.release'>((c, { generation, cycle }) => {
      c.generation = generation + 1;
      c.meeting = cycle;
    }),
  },
}).createMachine({
  id: 'pacedChiplet',
  context: ({ input }) => ({ ...input, cycle: 0, meeting: input.firstMeeting, generation: 0 }),
  initial: 'running',
  states: {
    running: {
      on: { 'chiplet.run': { target: 'looking', actions: ['advance', 'show'] } },
    },
    looking: {
      always: [
        { guard: 'finished', target: 'done', actions: 'finish' },
        { guard: 'atMeeting', target: 'waiting', actions: 'arrive' },
        { target: 'running', actions: 'runOn' },
      ],
    },
    waiting: {
      tags: 'waiting',
      meta: waitsFor<PacedChipletContext>('the other chiplets', (c) => c.barrier),
      on: { 'sync.release': { target: 'looking', actions: 'planNext' } },
    },
    done: {},
  },
});
