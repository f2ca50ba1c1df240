import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address, Probe } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Place, placeText } from './place.ts';
import { synchronizationText } from './synchronization-file.ts';

/*
 * The cycle barrier (chiplet specification 10): chiplets meet in the cycles S, S + I, ... so that none is ahead of another by more than the
 * interval. The synchronisation file of the specification is a view of it.
 */

/** A chiplet has come to the cycle of a meeting and stops. */
export interface SyncArrive {
  readonly type: 'sync.arrive';
  /** Index of the chiplet. */
  readonly chiplet: number;
  /** Number of the meeting, from 0. */
  readonly generation: number;
  /** Its cycle counter. */
  readonly cycle: number;
}

/** A chiplet has come to its end: it counts as arrived at all later meetings. */
export interface SyncFinish {
  readonly type: 'sync.finish';
  readonly chiplet: number;
  readonly cycle: number;
}

/** All have arrived; the next meeting is in `cycle`. */
export interface SyncRelease {
  readonly type: 'sync.release';
  /** The meeting that is over. */
  readonly generation: number;
  readonly cycle: number;
}

/** Shown whenever the synchronisation file would be written. */
export interface SyncFile extends Probe {
  readonly type: 'sync.file';
  readonly text: string;
}

/** Fixed when the parts are wired. */
export interface CycleBarrierSpec {
  /** Who meets, at least one. */
  readonly chiplets: readonly { readonly address: Address; readonly place: Place }[];
  /** The first S. */
  readonly cycle: number;
  /** Intervals after the first, second, ... meeting, the last one for all further ones; at least one. */
  readonly intervals: readonly number[];
}

/** What the barrier remembers. */
export interface CycleBarrierContext extends CycleBarrierSpec {
  /** S: the cycle of the meeting that is being collected. */
  cycle: number;
  generation: number;
  /** Indices of chiplets in the order of their arrival. */
  arrived: number[];
  finished: number[];
}

type BarrierEvent = SyncArrive | SyncFinish;

/** The kit of cycle barriers, also for planted faults. */
export const cycleBarrierKit = component<CycleBarrierContext, BarrierEvent, SyncRelease>();
const { update, act, when, report, probe } = cycleBarrierKit;

/** The interval that line 2 of the file has: from this meeting to the next one. */
export const intervalOf = ({ intervals, generation }: CycleBarrierContext): number =>
  intervals[Math.min(generation, intervals.length - 1)]!;

/** Chiplets that are still to come to this meeting. */
const missing = ({ chiplets, arrived, finished }: CycleBarrierContext): readonly number[] =>
  chiplets.map((_, index) => index).filter((index) => !arrived.includes(index) && !finished.includes(index));

/** Releases who has arrived, and begins the next meeting. */
export function release(
  b: CycleBarrierContext,
  out: { post(message: SyncRelease & { to: Address }): void },
): void {
  const next = b.cycle + intervalOf(b);
  for (const index of b.arrived)
    out.post({ to: b.chiplets[index]!.address, type: 'sync.release', generation: b.generation, cycle: next });
  b.cycle = next;
  b.generation++;
  b.arrived = [];
}

/**
 * Chiplets stop in cycle S until all are there; then S grows by the interval.
 *
 * Details: meetings are numbered, so that nobody can miss a release between clearing and rereading the file. A chiplet that has finished counts
 * as arrived for ever; when all have finished there is nothing to meet for.
 */
export const cycleBarrier = setup({
  types: {} as { context: CycleBarrierContext; events: BarrierEvent; input: CycleBarrierSpec },
  guards: {
    expected: when<'sync.arrive'>(
      (b, { chiplet, generation }) => generation === b.generation && missing(b).includes(chiplet),
    ),
    complete: when((b) => b.arrived.length > 0 && missing(b).length === 0),
  },
  actions: {
    note: update<'sync.arrive'>((b, { chiplet }) => {
      b.arrived.push(chiplet);
    }),
    noteEnd: update<'sync.finish'>((b, { chiplet }) => {
      b.finished.push(chiplet);
    }),
    release: act((b, _event, out) => release(b, out)),
    showFile: probe<BarrierEvent['type']>(
      (b): SyncFile => ({
        type: 'sync.file',
        text: synchronizationText({
          cycle: b.cycle,
          interval: intervalOf(b),
          arrived: [...b.arrived, ...b.finished].map((index) => b.chiplets[index]!.place),
        }),
      }),
    ),
    complain: report<'sync.arrive'>((b, { chiplet, generation }) => ({
      property: 'each chiplet arrives exactly once a meeting',
      why: `chiplet ${placeText(b.chiplets[chiplet]!.place)} arrives at meeting ${generation} while ${b.generation} is being collected`,
    })),
  },
}).createMachine({
  id: 'cycleBarrier',
  context: ({ input }) => ({ ...input, generation: 0, arrived: [], finished: [] }),
  initial: 'open',
  states: {
    // Nobody stands and waits: a system that is quiet here is not stuck.
    open: {
      on: {
        'sync.arrive': [
          { guard: 'expected', target: 'collecting', actions: ['note', 'showFile'] },
          { actions: 'complain' },
        ],
        'sync.finish': { actions: ['noteEnd', 'showFile'] },
      },
    },
    collecting: {
      tags: 'waiting',
      meta: waitsFor<CycleBarrierContext>('the chiplets that have not arrived', (b) =>
        missing(b).map((index) => b.chiplets[index]!.address),
      ),
      always: { guard: 'complete', target: 'open', actions: ['release', 'showFile'] },
      on: {
        'sync.arrive': [{ guard: 'expected', actions: ['note', 'showFile'] }, { actions: 'complain' }],
        'sync.finish': { actions: ['noteEnd', 'showFile'] },
      },
    },
  },
});
