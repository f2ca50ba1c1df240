import type { InstructionClass } from '../ptx/instruction.ts';

/** Cycles of one class of instructions (chiplet specification 7.3). */
export interface ClassTiming {
  /** Cycles until its result can be used. At least 1. */
  readonly latency: number;
  /** Cycles until its unit takes the next one. At least 1. */
  readonly interval: number;
}

/** In which order a scheduler looks for a warp: greedy then oldest, loose round robin, or any (a choice of the run). */
export type SchedulerKind = 'gto' | 'lrr' | 'any';

/** Fixed numbers of a GPU chiplet (chiplet specification 7.3, 7.6). */
export interface GpuTiming {
  readonly cores: number;
  readonly schedulersPerCore: number;
  readonly scheduler: SchedulerKind;
  /** Instructions that a scheduler issues in a cycle from the warp that it has chosen, each on another unit, none behind a branch or barrier; by `any` one. */
  readonly issuesPerWarp: number;
  /** What a core has room for. */
  readonly warpsPerCore: number;
  readonly blocksPerCore: number;
  readonly registersPerCore: number;
  readonly sharedBytesPerCore: number;
  readonly sharedBanks: number;
  readonly classes: Readonly<Record<InstructionClass, ClassTiming>>;
  /** More cycles after a branch whose lanes part. */
  readonly divergencePenalty: number;
  /** Cycles from the last arrival at a barrier to the first instruction behind it. At least 1. */
  readonly barrierCycles: number;
  /** Cycles that a launch takes besides its instructions. */
  readonly launchCycles: number;
  readonly l1: {
    readonly sets: number;
    readonly ways: number;
    /** Cycles of a hit, and of the way of a miss to the memory. At least 1. */
    readonly hitCycles: number;
  };
  readonly memory: {
    readonly channels: number;
    /** Cycles in the raster operation unit and in the memory; together at least 1. */
    readonly ropCycles: number;
    readonly dramCycles: number;
    /** Cycles that a channel takes for a segment. */
    readonly segmentCycles: number;
    /** Bytes after which addresses go to the next channel. */
    readonly stripeBytes: number;
  };
  /** Cycles from the last value of a message instruction to its result. At least 1. */
  readonly messageCycles: number;
  readonly clockMegahertz: number;
}

/** Numbers of the classes in the order in which configuration files give them. */
export const tunedKinds = ['Add', 'Max', 'Mul', 'Mad', 'Div'] as const;

/** The classes of one type from two lists of numbers. */
export function classesOf(
  prefix: 'int' | 'float' | 'double',
  latencies: readonly number[],
  intervals: readonly number[],
): Readonly<Record<string, ClassTiming>> {
  return Object.fromEntries(
    tunedKinds.map((kind, at) => [`${prefix}${kind}`, { latency: latencies[at]!, interval: intervals[at]! }]),
  );
}

const one: ClassTiming = { latency: 1, interval: 1 };

/** The chiplet that the seed ships (chiplet specification 7.3, 7.6). */
export const defaultTiming: GpuTiming = {
  cores: 15,
  schedulersPerCore: 2,
  scheduler: 'gto',
  issuesPerWarp: 1,
  warpsPerCore: 48,
  blocksPerCore: 8,
  registersPerCore: 32768,
  sharedBytesPerCore: 49152,
  sharedBanks: 32,
  classes: {
    ...classesOf('int', [4, 13, 4, 5, 145], [1, 2, 2, 1, 8]),
    ...classesOf('float', [4, 13, 4, 5, 39], [1, 2, 1, 1, 4]),
    ...classesOf('double', [8, 19, 8, 8, 330], [8, 16, 8, 8, 130]),
    special: { latency: 39, interval: 4 },
    control: one,
    constant: { latency: 4, interval: 1 },
    shared: { latency: 24, interval: 1 },
    global: one,
    atomic: { latency: 120, interval: 1 },
    message: one,
    shuffle: { latency: 4, interval: 1 },
  } as Readonly<Record<InstructionClass, ClassTiming>>,
  divergencePenalty: 1,
  barrierCycles: 1,
  launchCycles: 0,
  l1: { sets: 32, ways: 4, hitCycles: 18 },
  memory: { channels: 6, ropCycles: 120, dramCycles: 100, segmentCycles: 4, stripeBytes: 256 },
  messageCycles: 4,
  clockMegahertz: 700,
};
