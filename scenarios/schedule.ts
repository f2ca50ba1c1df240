import { type Choices, canonical, RandomChoices } from '../kernel/choices.ts';

/** The ways to order what may happen in any order: first come first served, uniformly at random, by random priorities, by partial order. */
export const scheduleKinds = ['fifo', 'random', 'pct', 'pos'] as const;

/** Name of a way to order deliveries. */
export type ScheduleKind = (typeof scheduleKinds)[number];

/** A producer of choices and its seed, an integer from 0 to 2^32 - 1; `fifo` has no use for the seed. */
export interface Schedule {
  readonly kind: ScheduleKind;
  readonly seed: number;
}

/** Makes the choices of one run from a seed. */
export type ScheduleProducer = (seed: number) => Choices;

/** What makes the choices of each kind of schedule; a kind that is not here cannot be run yet. */
export const scheduleProducers: Readonly<Partial<Record<ScheduleKind, ScheduleProducer>>> = {
  fifo: () => canonical,
  random: (seed) => new RandomChoices(seed),
};
