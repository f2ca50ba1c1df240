import type { Instruction } from '../ptx/instruction.ts';
import { type InstructionClass, instructionClasses } from '../ptx/instruction.ts';
import { type FenceScope, type Sequence, sequences } from '../ptx/schedule.ts';
import type { Warp } from '../ptx/warp.ts';
import { turnsTogether } from './run-ahead.ts';
import { unitOfClass, unitOfSequence } from './units.ts';

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
  /** More cycles after a fence of memory: of a block, of the device, of the system. */
  readonly fenceCycles: Readonly<Record<FenceScope, number>>;
  /** Cycles of each further lane of an atomic on one address of shared memory; 0: as one on global memory. */
  readonly sharedAtomicCycles: number;
  /** Cycles of each lane of an atomic on shared memory that is tried until nobody came between: of reals, and of 64 bits. */
  readonly sharedLoopCycles: number;
  /** Cycles of each lane of an atomic on global memory whose address others touch, too. */
  readonly atomicLaneCycles: number;
  /** Cycles of each further address of a load of constants. */
  readonly constantAddressCycles: number;
  /** More cycles of a barrier for each warp of a block. */
  readonly barrierWarpCycles: number;
  /** True when each scheduler has a unit of its own for special functions. */
  readonly specialOfScheduler: boolean;
  /** Cycles that a sector of 32 bytes takes between a core and memory; 0: a segment takes one. */
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

/**
 * Latencies, intervals and units of a chiplet by the `timing` of instructions. A sequence that is not given has those of its class.
 *
 * Details: what has the latency 0 goes together with the next instruction of its warp, and takes no turn of a scheduler; where the order of warps is a choice everything takes one.
 */
export function cyclesByIndex(timing: GpuTiming): CyclesByIndex {
  const known = cyclesOf.get(timing.classes);
  if (known && isSame.every((key) => known.timing[key] === timing[key])) return known.cycles;
  const cycles = laidOut(timing);
  cyclesOf.set(timing.classes, { timing, cycles });
  return cycles;
}

/** What was laid out last for the classes of a chiplet: all its cores, in all runs, have the same. */
const cyclesOf = new WeakMap<
  GpuTiming['classes'],
  { readonly timing: GpuTiming; readonly cycles: CyclesByIndex }
>();
const isSame = ['sequences', 'predicateCycles', 'scheduler'] as const;

function laidOut({ classes, sequences: given, predicateCycles, scheduler }: GpuTiming) {
  const rows = [null, ...sequences].flatMap((name) => {
    const own = name === null || (name === 'folded' && scheduler === 'any') ? undefined : given[name];
    return instructionClasses.flatMap((one, at) => {
      const { latency, interval } = own ?? classes[one];
      const unit = (own && unitOfSequence[name!]) ?? unitOfClass[at]!;
      const row = { latency, interval, unit };
      return [row, latency === 0 ? row : { ...row, latency: Math.max(latency, predicateCycles) }];
    });
  });
  return {
    latency: Int32Array.from(rows, ({ latency }) => latency),
    interval: Int32Array.from(rows, ({ interval }) => interval),
    unit: Uint8Array.from(rows, ({ unit }) => unit),
  };
}

/** Latencies, intervals and units of a chiplet by the `timing` of instructions. */
export type CyclesByIndex = ReturnType<typeof laidOut>;

/** Cycles of a barrier of a block with so many warps. */
export const barrierCyclesOf = (
  { barrierCycles, barrierWarpCycles }: Pick<GpuTiming, 'barrierCycles' | 'barrierWarpCycles'>,
  warps: number,
): number => barrierCycles + barrierWarpCycles * warps;

/** Cycles that a warp pauses behind an instruction: a branch that it takes, a fence. */
export function pauseBehind(
  { pc }: Pick<Warp, 'pc'>,
  { kind, next, schedule }: Instruction,
  timing: GpuTiming,
): number {
  if (schedule.fence !== null) return timing.fenceCycles[schedule.fence];
  if (kind !== 'branch' || pc === next || schedule.sequence === 'folded') return 0;
  return schedule.unrolled < 0 ? timing.branchCycles : Math.round(timing.branchCycles / turnsTogether);
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
  fenceCycles: { block: 0, device: 0, system: 0 },
  sharedAtomicCycles: 0,
  sharedLoopCycles: 0,
  atomicLaneCycles: 1,
  constantAddressCycles: 0,
  barrierWarpCycles: 0,
  specialOfScheduler: false,
  sectorCycles: 0,
  hoistsLoads: false,
  clockMegahertz: 700,
};
