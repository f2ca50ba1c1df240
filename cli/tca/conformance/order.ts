import { tcaMachineProperties } from '../../../properties/tca/machine-properties.ts';
import { conformanceCases } from '../../../scenarios/tca/conformance/cases.ts';
import { findingOf, rowName } from '../../../scenarios/tca/conformance/row.ts';
import { rowsOf, type SuiteOrder } from '../../../scenarios/tca/conformance/suite.ts';
import type { Rows } from '../../campaign/schedules.ts';

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

/** The rows of an order. */
export async function suiteRows(plain: PlainOrder): Promise<Rows> {
  const order = await suiteOrder(plain);
  const rows = rowsOf(order);
  const { seed, mutants, watch } = order;
  return {
    names: rows.map(rowName),
    tried: (row, schedule) => findingOf(rows[row]!, seed, schedule, mutants, watch),
  };
}
