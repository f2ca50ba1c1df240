import type { Address } from '../../../kernel/message.ts';

/*
 * What a SIMT core says to the warps, loads and blocks inside it, and they to it: nobody else hears it, and it takes no time. As between the parts of a chiplet, `cycle` is the
 * first cycle in which something has its effect.
 */

/** What an instruction needs besides its turn: its registers, read and written, and its unit. */
export interface Needs {
  readonly registers: readonly number[];
  readonly unit: number;
}

/** A warp of a new block comes into the slot. */
export interface WarpEnter {
  readonly type: 'warp.enter';
  /** Tells warps apart that were in one slot. */
  readonly age: number;
  readonly block: Address;
  readonly needs: Needs;
  readonly cycle: number;
}
/** What an instruction comes to for its warp. */
export type IssueOutcome = 'goesOn' | 'barrier' | 'message' | 'finished';
/** The next instruction of the warp has issued. */
export interface WarpIssue {
  readonly type: 'warp.issue';
  readonly outcome: IssueOutcome;
  /** Registers that it writes, from when on they can be used, and the load that they wait for; null when they wait for none. */
  readonly results: readonly number[];
  readonly usable: number;
  readonly load: Address | null;
  /** What comes next, and from which cycle on; null where that is not known yet. */
  readonly needs: Needs | null;
  readonly from: number;
  readonly cycle: number;
}
/** The cycle has come for which the warp has waited. */
export interface WarpDue {
  readonly type: 'warp.due';
  readonly cycle: number;
}
/** The barrier has opened at which the warp waits, or the values are there of its message instruction. */
export interface WarpGoOn {
  readonly type: 'barrier.open' | 'message.values';
  /** Null for a warp that has finished. */
  readonly needs: Needs | null;
  readonly from: number;
  readonly cycle: number;
}
/** A load of the warp is complete. */
export interface LoadComplete {
  readonly type: 'load.complete';
  readonly load: Address;
  readonly age: number;
  /** From when on its registers can be used. */
  readonly usable: number;
  readonly cycle: number;
}
/** What a warp waits for. */
export type WarpWait = 'turn' | 'result' | 'target' | 'memory' | 'barrier' | 'message' | 'none';
/** The request line of a warp: what it waits for, with which unit and from which cycle on it can issue. */
export interface WarpLine {
  readonly type: 'warp.line';
  readonly slot: number;
  readonly waits: WarpWait;
  readonly unit: number;
  readonly from: number;
  readonly cycle: number;
}

/** Segments are under way for a warp. */
export interface LoadOpen {
  readonly type: 'load.open';
  readonly slot: number;
  readonly age: number;
  readonly segments: readonly number[];
  /** From when on what was in the cache can be used. */
  readonly usable: number;
  readonly cycle: number;
}
/** One of them is in the cache. */
export interface SegmentCame {
  readonly type: 'segment.came';
  readonly segment: number;
  readonly cycle: number;
}
/** The load has noted it, and waits on. */
export interface LoadNoted {
  readonly type: 'load.noted';
  readonly cycle: number;
}
/** The load has all its segments; its place is free again. */
export interface LoadOver {
  readonly type: 'load.over';
  readonly load: number;
  readonly slot: number;
  readonly age: number;
  readonly usable: number;
  readonly cycle: number;
}

/** A block comes to the core. */
export interface BlockEnter {
  readonly type: 'block.enter';
  readonly number: number;
  readonly cycle: number;
}
/** Who of the block waits at a barrier, and who has not come there: warps, also of other blocks of its cluster. */
export interface BlockGather {
  readonly type: 'block.gather';
  readonly waiting: readonly Address[];
  readonly missing: readonly Address[];
  readonly cycle: number;
}
/** The block has noted it. */
export interface BlockNoted {
  readonly type: 'block.noted';
  readonly cycle: number;
}

/** The block has ended, or its core has failed: the place of a warp, a load or a block is free. */
export interface PlaceClear {
  readonly type: 'place.clear';
  readonly cycle: number;
}

/** What a warp, a load, a block hears. */
export type WarpEvent = WarpEnter | WarpIssue | WarpDue | WarpGoOn | LoadComplete | PlaceClear;
export type LoadEvent = LoadOpen | SegmentCame | PlaceClear;
export type BlockEvent = BlockEnter | BlockGather | PlaceClear;
/** What they tell their core. */
export type InsideSays = WarpLine | LoadNoted | LoadOver | BlockNoted;
