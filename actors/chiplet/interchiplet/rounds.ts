import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type BenchLine, inBenchOrder } from './bench-line.ts';
import { type DelayLine, recordsOf } from './latency-records.ts';
import type {
  BenchAdd,
  NetworkDone,
  NetworkRun,
  ProcessBegin,
  ProcessEnded,
  RoundLoad,
} from './round-messages.ts';

/** What a round came to. */
export interface Round {
  readonly round: number;
  /** The largest CYCLE, in time of the system. */
  readonly cycles: number;
  readonly bench: readonly BenchLine[];
  /** What phase 2 made of it; of the last round what it was given, since phase 2 is not run again. */
  readonly delay: readonly DelayLine[];
  readonly converged: boolean;
}

/** Fixed when the parts are wired. */
export interface RoundsSpec {
  readonly coordinators: readonly Address[];
  readonly processes: readonly Address[];
  readonly network: Address;
  /** The most rounds there are, at least 1. */
  readonly roundsMax: number;
  /** Share of the cycles by which two rounds may differ and still agree. */
  readonly errorRate: number;
  readonly networkRate: number;
  /** Delay lines of a round before the first one, and its cycles when it is known what they were. */
  readonly delay: readonly DelayLine[];
  readonly previousCycles: number | null;
}

/** What the loop over rounds remembers. */
export interface RoundsContext extends RoundsSpec {
  round: number;
  delay: readonly DelayLine[];
  bench: BenchLine[];
  /** Processes that have not come to their end. */
  left: Address[];
  cycles: number;
  rounds: Round[];
}

/** Begins the first round. */
export interface RoundsBegin {
  readonly type: 'rounds.begin';
}

type RoundsEvent = RoundsBegin | BenchAdd | ProcessEnded | NetworkDone;

/** The kit of loops over rounds, also for planted faults. */
export const roundsKit = component<RoundsContext, RoundsEvent, RoundLoad | ProcessBegin | NetworkRun>();
const { update, act, when, post } = roundsKit;

/** True when two rounds agree (chiplet specification 9.1). */
export const agrees = (cycles: number, previous: number, errorRate: number): boolean =>
  Math.abs(cycles - previous) / cycles < errorRate;

const previousOf = ({ rounds, previousCycles }: RoundsContext): number | null =>
  rounds.at(-1)?.cycles ?? previousCycles;

const converges = (r: RoundsContext): boolean => {
  const previous = previousOf(r);
  return previous !== null && agrees(r.cycles, previous, r.errorRate);
};

const record = (r: RoundsContext, converged: boolean, delay: readonly DelayLine[]): void => {
  const { round, cycles, bench } = r;
  r.rounds.push({ round, cycles, bench: inBenchOrder(bench), delay, converged });
};

/** Repeats phase 1 and phase 2 until the cycles of two rounds agree (chiplet specification 9.1). */
export const rounds = setup({
  types: {} as { context: RoundsContext; events: RoundsEvent; input: RoundsSpec },
  guards: {
    allEnded: when((r) => r.left.length === 0),
    agrees: when(converges),
    isLast: when((r) => r.round >= r.roundsMax),
  },
  actions: {
    begin: act((r, _event, out) => {
      r.round++;
      r.bench = [];
      r.cycles = 0;
      r.left = [...r.processes];
      const records = recordsOf(r.delay, r.networkRate);
      for (const to of r.coordinators) out.post({ to, type: 'round.load', round: r.round, records });
      // Coordinators are ready before the first process runs.
      for (const to of r.processes) out.post({ to, type: 'process.begin', delay: 1, round: r.round });
    }),
    keep: update<'bench.add'>((r, { line }) => {
      r.bench.push(line);
    }),
    noteEnd: update<'process.ended'>((r, { process, time }) => {
      r.left = r.left.filter((one) => one !== process);
      r.cycles = Math.max(r.cycles, time);
    }),
    runNetwork: post((r) => ({ to: r.network, type: 'network.run', delay: 1, bench: inBenchOrder(r.bench) })),
    takeDelay: update<'network.done'>((r, { lines }) => {
      record(r, false, lines);
      r.delay = lines;
    }),
    closeConverged: update((r) => record(r, true, r.delay)),
    closeIncomplete: update((r) => record(r, false, r.delay)),
  },
}).createMachine({
  id: 'rounds',
  context: ({ input }) => ({ ...input, round: 0, bench: [], left: [], cycles: 0, rounds: [] }),
  initial: 'resting',
  states: {
    resting: { on: { 'rounds.begin': { target: 'phase1', actions: 'begin' } } },
    phase1: {
      tags: 'waiting',
      meta: waitsFor<RoundsContext>('the end of every process', (r) => r.left),
      always: { guard: 'allEnded', target: 'comparing' },
      on: {
        'bench.add': { actions: 'keep' },
        'process.ended': { actions: 'noteEnd' },
      },
    },
    comparing: {
      always: [
        { guard: 'agrees', target: 'converged', actions: 'closeConverged' },
        { guard: 'isLast', target: 'incomplete', actions: 'closeIncomplete' },
        { target: 'phase2', actions: 'runNetwork' },
      ],
    },
    phase2: {
      tags: 'waiting',
      meta: waitsFor<RoundsContext>('the network', (r) => r.network),
      on: { 'network.done': { target: 'phase1', actions: ['takeDelay', 'begin'] } },
    },
    converged: {},
    incomplete: {},
  },
});
