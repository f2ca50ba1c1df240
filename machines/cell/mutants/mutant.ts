import type { Mutant } from '../../mutant.ts';
import type { CellParts } from '../parts.ts';

/**
 * One planted fault: a machine with it must not pass (Cell specification 21.4).
 *
 * Details: a fault of the arbitration scheduler replaces the scheduler, so of two of them the later one is in force; all others add up.
 */
export interface CellFault extends Mutant<CellParts> {
  /**
   * What a campaign over random workloads must see of it: ids of invariants (Cell specification 12), verdicts of the run
   * (`deadlock`, `livelock`, `error`), or `P-10` for the waiting times of the result.
   */
  readonly mustRaise: readonly string[];
  /** True when no run in canonical order shows it. */
  readonly scheduleDependent?: boolean;
}

/** A planted fault of the catalogue. */
export interface CellMutant extends CellFault {
  /** `M-01` to `M-26` are those of the specification; `D-` are deadlocks and lost messages, `L-` livelocks, `W-` too long waits. */
  readonly id: string;
}
