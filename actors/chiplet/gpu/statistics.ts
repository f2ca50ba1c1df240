import { addCounts, type KernelCounts, noCounts } from '../ptx/counts.ts';

/** Why a scheduler issued nothing in a cycle (chiplet specification 7.4). */
export const stallReasons = ['scoreboard', 'barrier', 'memory', 'message', 'noWarp'] as const;
export type StallReason = (typeof stallReasons)[number];

/** What a core did, or several together (chiplet specification 7.4). */
export interface CoreStatistics {
  readonly counts: KernelCounts;
  /** More cycles of shared memory than one an access. */
  bankConflicts: number;
  l1Hits: number;
  l1Misses: number;
  /** Segments that were written. */
  segmentsWritten: number;
  /** Cycles of schedulers without an instruction, by reason. */
  readonly stalls: Record<StallReason, number>;
}

export const noStatistics = (): CoreStatistics => ({
  counts: noCounts(),
  bankConflicts: 0,
  l1Hits: 0,
  l1Misses: 0,
  segmentsWritten: 0,
  stalls: { scoreboard: 0, barrier: 0, memory: 0, message: 0, noWarp: 0 },
});

/** Adds what a part did. */
export function addStatistics(to: CoreStatistics, more: CoreStatistics): void {
  addCounts(to.counts, more.counts);
  to.bankConflicts += more.bankConflicts;
  to.l1Hits += more.l1Hits;
  to.l1Misses += more.l1Misses;
  to.segmentsWritten += more.segmentsWritten;
  for (const reason of stallReasons) to.stalls[reason] += more.stalls[reason];
}

/** What a kernel came to. */
export interface KernelReport {
  readonly kernel: string;
  /** Cycle of its launch, and cycles until its last warp ended. */
  readonly start: number;
  readonly cycles: number;
  /** Cores that had a block of it. */
  readonly coresUsed: number;
  readonly statistics: CoreStatistics;
}

/** Thread instructions a cycle. */
export const instructionsPerCycle = ({ cycles, statistics }: KernelReport): number =>
  cycles === 0 ? 0 : statistics.counts.threadInstructions / cycles;
