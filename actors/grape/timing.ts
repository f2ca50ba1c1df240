/** Cycles of the parts of the chip, and what happens when a port is busy (GRAPE specification 4.4, 6.4, 6.5). */
export interface ChipTiming {
  /** Cycles that a slot takes at least. */
  readonly slotMin: number;
  /** Cycles of a packet before its first word, and from a word at the port to the word in broadcast memory, at least 1. */
  readonly idpHeader: number;
  readonly idpLatency: number;
  /** Cycles of a level of the reduction tree, and between two words that leave it, each at least 1. */
  readonly levelCycles: number;
  readonly outCycles: number;
  /** Cycles until external memory, which reads ahead, has the first word after a store or a rewind. */
  readonly emLatency: number;
  /** Cycles that a call of the host takes, and each word of 8 bytes that it moves. */
  readonly hostCall: number;
  readonly hostWord: number;
  /** Whether records of the next pass come while a pass goes on, or between passes. */
  readonly jPolicy: 'overlap' | 'serial';
  /** Whether `idp` or `rrn` at a busy port is a fault, or waits. */
  readonly portPolicy: 'fault' | 'stall';
}
