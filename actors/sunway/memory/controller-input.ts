import type { Address } from '../../../kernel/message.ts';
import type { JitterInput } from '../jitter.ts';
import type { TimingTable } from '../timing/timing-table.ts';

/** A range of addresses that a controller keeps. */
export interface KeptRange {
  readonly first: number;
  readonly bytes: number;
}

/** A memory controller with its DRAM. */
export interface MemoryCtrlInput extends JitterInput {
  readonly self: Address;
  /** The core group's memory and, at the controller that keeps it, the cross segment. */
  readonly ranges: readonly KeptRange[];
  readonly timing: TimingTable;
}

/** A controller whose jobs are actors inside it. */
export interface WholeMemoryCtrlInput extends MemoryCtrlInput {
  /** Member 0 of the family of jobs. */
  readonly jobs: Address;
}

/** Blocks that a core has served in its turn when others wait as well. */
export const blocksPerTurn = 8;
