import type { Instruction } from '../ptx/instruction.ts';
import { type InstructionClass, instructionClasses } from '../ptx/instruction.ts';
import { type Sequence, sequences, timingIndex } from '../ptx/schedule.ts';
import type { Warp } from '../ptx/warp.ts';

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
  /** Instructions that are several for the GPU; one that is not here has the cycles of its class. */
  readonly sequences: Readonly<Partial<Record<Sequence, ClassTiming>>>;
  /** Cycles until a predicate can be used, when they are more than those of the class. */
  readonly predicateCycles: number;
  /** More cycles after a branch that is taken. */
  readonly branchCycles: number;
  /** More cycles after a fence of memory. */
  readonly fenceCycles: number;
  /** Cycles of each lane of an atomic on shared memory whose address others touch, too; 0: as one on global memory. */
  readonly sharedAtomicCycles: number;
  /** Cycles that a sector of 32 bytes takes from a core to memory; 0: a segment takes one. */
  readonly sectorCycles: number;
  /** True when the translator moves loads up to where their addresses are known, and volatile loads ask memory. */
  readonly hoistsLoads: boolean;
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

/** Latencies and intervals of a chiplet by the `timing` of instructions. */
export function cyclesByIndex({ classes, sequences: given, predicateCycles }: GpuTiming) {
  const rows = [...instructionClasses.map((name) => classes[name]), ...sequences.map((name) => given[name])];
  // A sequence that is not given has the cycles of its class: who asks finds 0.
  const latency = rows.map((row) => row?.latency ?? 0);
  return {
    latency: Int32Array.from([
      ...latency,
      ...latency.map((cycles) => (cycles === 0 ? 0 : Math.max(cycles, predicateCycles))),
    ]),
    interval: Int32Array.from([...rows, ...rows].map((row) => row?.interval ?? 0)),
  };
}

/** Latencies and intervals of a chiplet by the `timing` of instructions. */
export type CyclesByIndex = ReturnType<typeof cyclesByIndex>;

/** The place of an instruction among them: a sequence without cycles of its own is as its class. */
export const placeInCycles = (
  { timing, classIndex, schedule }: Pick<Instruction, 'timing' | 'classIndex' | 'schedule'>,
  { latency }: CyclesByIndex,
): number => (latency[timing] === 0 ? timingIndex(classIndex, null, schedule.predicate) : timing);

/** Cycles that a warp pauses behind an instruction: a branch that it takes, a fence. */
export function pauseBehind(
  { pc }: Pick<Warp, 'pc'>,
  { kind, next, schedule }: Instruction,
  timing: GpuTiming,
): number {
  if (schedule.fence) return timing.fenceCycles;
  return kind === 'branch' && pc !== next ? timing.branchCycles : 0;
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
  sequences: {},
  predicateCycles: 0,
  branchCycles: 0,
  fenceCycles: 0,
  sharedAtomicCycles: 0,
  sectorCycles: 0,
  hoistsLoads: false,
  clockMegahertz: 700,
};
