import type { CallOperands } from './called-function.ts';
import type { LoopWays } from './meeting-points.ts';
import type { Schedule } from './schedule.ts';
import type { Place } from './syntax.ts';
import type { Warp } from './warp.ts';

/*
 * What texts are compiled to: one record an instruction, its work on the lanes of a warp as one function.
 */

/** Classes of instructions, by which timing and energy are given (chiplet specification 7.3). */
export const instructionClasses = [
  'intAdd',
  'intMax',
  'intMul',
  'intMad',
  'intDiv',
  'floatAdd',
  'floatMax',
  'floatMul',
  'floatMad',
  'floatDiv',
  'doubleAdd',
  'doubleMax',
  'doubleMul',
  'doubleMad',
  'doubleDiv',
  'special',
  'control',
  'constant',
  'shared',
  'global',
  'atomic',
  'message',
  'shuffle',
] as const;

export type InstructionClass = (typeof instructionClasses)[number];

/** What a step has to do besides the lanes' work. */
export type InstructionKind =
  | 'lanes'
  /** Work of lanes that wait for each other. */
  | 'together'
  | 'memory'
  | 'branch'
  | 'table'
  | 'call'
  | 'return'
  | 'exit'
  | 'barrier'
  | 'cluster'
  | 'message';

/** The memory that an instruction names; `generic` where the address says it. */
export type AccessSpace = 'global' | 'shared' | 'const' | 'local' | 'param' | 'generic';

/** How an instruction touches memory. */
export interface MemoryAccess {
  readonly space: AccessSpace;
  readonly what: 'load' | 'store' | 'atomic';
  /** Bytes that one lane touches. */
  readonly bytes: number;
}

/** The parameter and value of a message instruction: a place in the registers, or -1 and a number. */
export interface LaneValue {
  readonly slot: number;
  readonly value: number;
}

/** The message instruction (chiplet specification 4.1). */
export interface MessageOperands {
  readonly parameter: LaneValue;
  readonly value: LaneValue;
  /** Place of the result in the registers. */
  readonly result: number;
}

/** A question that the threads of a barrier answer together. */
export interface BarrierVote {
  readonly what: 'popc' | 'and' | 'or';
  /** Place of the predicate that is asked, and of the result. */
  readonly asked: number;
  readonly negated: boolean;
  readonly result: number;
}

/** A barrier: its number, and how many threads it is for; without that for all of the block. */
export interface BarrierOperands {
  readonly number: LaneValue;
  readonly threads: LaneValue | null;
  /** False for who only says that he has come. */
  readonly waits: boolean;
  readonly vote: BarrierVote | null;
}

/** What a thread does at the barrier of its cluster. */
export type ClusterStep = 'arrive' | 'wait';

/** Work on the lanes of a warp that are set in `mask`. */
export type LaneFunction = (warp: Warp, mask: number) => void;

/** One instruction, ready to run. */
export interface Instruction {
  readonly kind: InstructionKind;
  readonly class: InstructionClass;
  /** Index in `instructionClasses`. */
  readonly classIndex: number;
  /** Work on the lanes; nothing for control instructions. */
  readonly run: LaneFunction;
  /** Place of the predicate that guards it; -1 without one. */
  readonly guard: number;
  readonly guardNegated: boolean;
  /** Where lanes go that take the branch. */
  readonly target: number;
  /** Where the others go. */
  readonly next: number;
  /** Where the lanes of a branch meet again, as `meetingPoints` says. */
  readonly reconvergence: number;
  readonly ways: LoopWays | null;
  /** Targets of `brx.idx`, and the place of its index. */
  readonly targets: readonly number[];
  readonly index: LaneValue;
  readonly access: MemoryAccess | null;
  readonly message: MessageOperands | null;
  readonly barrier: BarrierOperands | null;
  /** For the barrier of a cluster, whose kind is `cluster`. */
  readonly clusterStep: ClusterStep | null;
  readonly call: CallOperands | null;
  /** For `together`: the mask of the lanes that are waited for. */
  readonly members: LaneValue;
  /** Registers read and written, by number, for the scoreboard. */
  readonly registers: readonly number[];
  /** Registers written. */
  readonly results: readonly number[];
  readonly schedule: Schedule;
  /** Where its cycles are among those of a chiplet: see `timingIndex`. */
  readonly timing: number;
  readonly at: Place;
  readonly text: string;
}
