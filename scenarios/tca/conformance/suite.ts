import type { Mode } from '../../../actors/tca/gasnet/options.ts';
import type { ConformanceCase } from './case.ts';
import { findingOf, type Row, rowName, scheduleName, topologyOf, type Watching } from './row.ts';

/** What to run of the suite. */
export interface SuiteOrder {
  readonly cases: readonly ConformanceCase[];
  readonly nodes: readonly number[];
  readonly modes: readonly (Mode | 'auto')[];
  readonly channels: readonly (readonly number[])[];
  /** Schedules of each row beside the default one. */
  readonly schedules: number;
  readonly seed: number;
  readonly mutants: readonly string[];
  readonly watch?: Watching;
}

/** What a row came to so far. */
export interface RowTally {
  readonly row: string;
  readonly case: string;
  readonly topology: string;
  readonly mode: string;
  readonly channels: string;
  readonly mandatory: boolean;
  /** Schedules run, the default one with them. */
  readonly schedules: number;
  /** What is wrong, and under which schedule. */
  readonly found?: string;
  readonly schedule?: string;
  readonly done: boolean;
}

/** The rows of an order: every case under all settings, on all machines. */
export const rowsOf = ({ cases, nodes, modes, channels }: SuiteOrder): readonly Row[] =>
  cases.flatMap((one) =>
    nodes.flatMap((count) =>
      modes.flatMap((mode) =>
        channels.map((list) => ({
          case: one,
          topology: topologyOf(count),
          nodes: count,
          mode,
          channels: list,
        })),
      ),
    ),
  );

const tallyOf = (row: Row, more: Pick<RowTally, 'schedules' | 'done' | 'found' | 'schedule'>): RowTally => ({
  row: rowName(row),
  case: row.case.id,
  topology: `${row.topology}(${row.nodes})`,
  mode: row.mode,
  channels: row.channels.join(''),
  mandatory: row.case.mandatory,
  ...more,
});

/**
 * Runs rows one after the other, each until something is wrong or all of its schedules are run; gives the row at hand after each run.
 *
 * Details: `from` says how many schedules of a row are run already; those are not run again.
 */
export function* runSuite(order: SuiteOrder, from: (row: string) => number = () => 0): Generator<RowTally> {
  const { schedules, seed, mutants, watch } = order;
  for (const row of rowsOf(order))
    for (let number = from(rowName(row)); number <= schedules; number++) {
      const found = findingOf(row, seed, number, mutants, watch);
      const done = found !== undefined || number === schedules;
      yield tallyOf(row, {
        schedules: number + 1,
        done,
        ...(found !== undefined && { found, schedule: scheduleName(number) }),
      });
      if (done) break;
    }
}
