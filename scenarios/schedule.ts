import { type Choices, canonical, RandomChoices } from '../kernel/choices.ts';
import { DelayBoundedChoices } from '../kernel/schedules/delay-bounded.ts';
import { PctChoices } from '../kernel/schedules/pct.ts';
import { PosChoices } from '../kernel/schedules/pos.ts';
import { RoundRobinChoices } from '../kernel/schedules/round-robin.ts';

/**
 * The ways to order what may happen in any order: first come first served, uniformly at random, by random priorities of channels, by random
 * priorities of messages, with few delays, and the receivers in turn.
 */
export const scheduleKinds = ['fifo', 'random', 'pct', 'pos', 'delay', 'roundrobin'] as const;

/** Name of a way to order deliveries. */
export type ScheduleKind = (typeof scheduleKinds)[number];

/** A producer of choices and its seed, an integer from 0 to 2^32 - 1; `fifo` has no use for the seed. */
export interface Schedule {
  readonly kind: ScheduleKind;
  readonly seed: number;
  /** Ordering constraints of the bug that `pct` looks for; 3 when absent. */
  readonly depth?: number | undefined;
  /** Messages that `delay` passes over in a run; 2 when absent. */
  readonly delays?: number | undefined;
}

/** Makes the choices of one run. */
export type ScheduleProducer = (seed: number, schedule?: Pick<Schedule, 'depth' | 'delays'>) => Choices;

/** What makes the choices of each kind of schedule. */
export const scheduleProducers: Readonly<Record<ScheduleKind, ScheduleProducer>> = {
  fifo: () => canonical,
  random: (seed) => new RandomChoices(seed),
  pct: (seed, { depth } = {}) => new PctChoices(seed, depth === undefined ? {} : { depth }),
  pos: (seed) => new PosChoices(seed),
  delay: (seed, { delays } = {}) => new DelayBoundedChoices(seed, delays === undefined ? {} : { delays }),
  roundrobin: (seed) => new RoundRobinChoices(seed),
};
