import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { barrierStates } from '../../common/barrier-states.ts';
import { type Place, placeText } from '../interchiplet/place.ts';
import { synchronizationText } from '../interchiplet/synchronization-file.ts';
import { intervalAfter } from './meeting-plan.ts';
import { type SystemOutbox, systemProtocol } from './protocol.ts';

/*
 * The cycle barrier (chiplet specification 10): chiplets meet in the cycles S, S + I, ... so that none is ahead of another by more than the
 * interval. The synchronisation file of the specification is a view of it.
 */

/** Fixed when the parts are wired. */
export interface CycleBarrierSpec {
  /** Who meets, at least one: the gate of each chiplet. */
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
  /** The latest tick in which somebody came or finished. */
  tick: number;
}

const role = systemProtocol.roles.CycleBarrier;

/** The kit of cycle barriers, also for planted faults. */
export const cycleBarrierKit = role.component<CycleBarrierContext>();
const { update, act, when, report, probe, post } = cycleBarrierKit;

/** The interval that line 2 of the file has: from this meeting to the next one. */
export const intervalOf = (b: CycleBarrierContext): number => intervalAfter(b, b.generation);

/** Chiplets that are still to come to this meeting. */
const missing = ({ chiplets, arrived, finished }: CycleBarrierContext): readonly number[] =>
  chiplets.map((_, index) => index).filter((index) => !arrived.includes(index) && !finished.includes(index));

/** Releases who has arrived, and begins the next meeting. */
export function release(b: CycleBarrierContext, out: Pick<SystemOutbox<'CycleBarrier'>, 'post'>): void {
  const next = b.cycle + intervalOf(b);
  const { generation, tick } = b;
  for (const index of b.arrived)
    out.post({ to: b.chiplets[index]!.address, type: 'sync.release', generation, cycle: next, tick });
  b.cycle = next;
  b.generation++;
  b.arrived = [];
}

/** What the file says now. */
export const fileOf = (b: CycleBarrierContext): string =>
  synchronizationText({
    cycle: b.cycle,
    interval: intervalOf(b),
    arrived: [...b.arrived, ...b.finished].map((index) => b.chiplets[index]!.place),
  });

/**
 * Chiplets stop in cycle S until all are there; then S grows by the interval.
 *
 * Details: meetings are numbered, so that nobody can miss a release between clearing and rereading the file. A chiplet that has finished counts
 * as arrived for ever; when all have finished there is nothing to meet for. The first one to arrive has all others called: one that has nothing
 * to do comes only then, with the tick in which its counter was so far. So a system in which nobody can go on comes to rest.
 */
export const cycleBarrier = setup({
  types: role.types<CycleBarrierContext, CycleBarrierSpec>(),
  guards: {
    isUnexpected: when<'sync.arrive'>(
      (b, { chiplet, generation }) => generation !== b.generation || !missing(b).includes(chiplet),
    ),
    isLast: when<'sync.arrive'>((b, { chiplet }) => missing(b).every((one) => one === chiplet)),
    leavesLast: when<'sync.finish'>((b, { chiplet }) => missing(b).every((one) => one === chiplet)),
  },
  actions: {
    note: update<'sync.arrive'>((b, { chiplet, tick }) => {
      b.arrived.push(chiplet);
      b.tick = Math.max(b.tick, tick);
    }),
    noteEnd: update<'sync.finish'>((b, { chiplet }, { now }) => {
      b.finished.push(chiplet);
      b.tick = Math.max(b.tick, now);
    }),
    callOthers: post<'sync.arrive'>((b, { generation }) =>
      missing(b).map((index) => ({
        to: b.chiplets[index]!.address,
        type: 'sync.call' as const,
        generation,
      })),
    ),
    release: act((b, _event, out) => release(b, out)),
    showFile: probe((b) => ({ type: 'sync.file', text: fileOf(b) })),
    complain: report<'sync.arrive'>((b, { chiplet, generation }) => ({
      property: 'each chiplet arrives exactly once a meeting',
      why: `chiplet ${placeText(b.chiplets[chiplet]!.place)} arrives at meeting ${generation} while ${b.generation} is being collected`,
    })),
  },
}).createMachine({
  id: 'cycleBarrier',
  context: ({ input }) => ({ ...input, generation: 0, arrived: [], finished: [], tick: 0 }),
  initial: 'open',
  states: barrierStates(
    { arrive: 'sync.arrive', leave: 'sync.finish' },
    {
      arrive: ['note', 'showFile'],
      begin: ['callOthers'],
      wait: [],
      release: ['release', 'showFile'],
      leave: ['noteEnd', 'showFile'],
    },
    {
      ...waitingFor<CycleBarrierContext>('the chiplets that have not arrived', (b) =>
        missing(b).map((index) => b.chiplets[index]!.address),
      ),
    },
    { guard: 'isUnexpected', actions: 'complain' },
  ),
});
