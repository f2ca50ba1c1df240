import { tcaMachineProperties } from '../../../properties/tca/machine-properties.ts';
import { conformanceCases } from '../../../scenarios/tca/conformance/cases.ts';
import {
  type RowTally,
  rowsOf,
  runBatch,
  type SuiteOrder,
} from '../../../scenarios/tca/conformance/suite.ts';
import type { WorkerPool } from '../../threads/worker-pool.ts';

/** What to run of the suite, as plain data: a thread is told so. */
export interface PlainOrder extends Omit<SuiteOrder, 'cases' | 'watch'> {
  /** Cases by their ids. */
  readonly cases: readonly string[];
  /** Whether the properties of the machine watch. */
  readonly watch: boolean;
}

/** The order itself. */
export async function suiteOrder({ cases, watch, ...rest }: PlainOrder): Promise<SuiteOrder> {
  const properties = watch ? tcaMachineProperties : undefined;
  return {
    ...rest,
    cases: conformanceCases.filter(({ id }) => cases.includes(id)),
    ...(properties && { watch: (run, given, assembly) => properties.watch(run, given, assembly) }),
  };
}

/** Schedules of the row with a number that somebody is asked for. */
export interface AskedSchedules {
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

/** Those who run the schedules of a suite. */
export type SuitePool = WorkerPool<AskedSchedules, RowTally>;

/** Runs schedules of an order. */
export function suiteWork(order: SuiteOrder): (asked: AskedSchedules) => RowTally {
  const rows = rowsOf(order);
  return ({ row, first, count }) => runBatch(order, { row: rows[row]!, first, count });
}
