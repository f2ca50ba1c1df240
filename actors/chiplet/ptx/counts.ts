import { instructionClasses } from './instruction.ts';

/** What a kernel did (chiplet specification 7.4): numbers that do not depend on timing. */
export interface KernelCounts {
  /** Lanes in which instructions were carried out. */
  threadInstructions: number;
  /** Instructions issued, also those whose guard is false in every lane. */
  warpInstructions: number;
  divergentBranches: number;
  /** Barriers that opened, by block. */
  barriersCompleted: number;
  /** Instructions that name global memory and were carried out in a lane: loads and atomics, and stores. */
  globalLoads: number;
  globalStores: number;
  /** Different segments of 128 bytes that they touched, added up. */
  globalSegments: number;
  sharedAccesses: number;
  /** Accesses whose address says which memory it is. */
  genericAccesses: number;
  localAccesses: number;
  constantLoads: number;
  messagesSent: number;
  messagesReceived: number;
  /** Barriers that a warp came to while lanes of it were elsewhere or had ended (E-BARDIV). */
  partedBarriers: number;
  /** Deepest stack of a warp. */
  stackDepthMost: number;
  /** Lanes by class of the instruction. */
  lanesOfClass: number[];
}

export const noCounts = (): KernelCounts => ({
  threadInstructions: 0,
  warpInstructions: 0,
  divergentBranches: 0,
  barriersCompleted: 0,
  globalLoads: 0,
  globalStores: 0,
  globalSegments: 0,
  sharedAccesses: 0,
  genericAccesses: 0,
  localAccesses: 0,
  constantLoads: 0,
  messagesSent: 0,
  messagesReceived: 0,
  partedBarriers: 0,
  stackDepthMost: 0,
  lanesOfClass: instructionClasses.map(() => 0),
});

/** Adds the counts of a part of a kernel. */
export function addCounts(to: KernelCounts, more: KernelCounts): void {
  for (const key of Object.keys(to) as (keyof KernelCounts)[]) {
    if (key === 'lanesOfClass') {
      for (const [at, count] of more.lanesOfClass.entries()) to.lanesOfClass[at]! += count;
    } else if (key === 'stackDepthMost') to.stackDepthMost = Math.max(to.stackDepthMost, more.stackDepthMost);
    else to[key] += more[key];
  }
}
