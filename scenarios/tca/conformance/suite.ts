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

/** Schedules of a row to run one after the other. */
export interface Batch {
  readonly row: Row;
  /** Number of the first schedule; 0 is the default one. */
  readonly first: number;
  /** How many, at least 1. */
  readonly count: number;
}

/** Schedules of a batch at most: so often somebody can tell how far a row is. */
const batchMost = 30;

/**
 * The batches of an order, in the order in which they are to be run: every row once, then every row up to ten times, and from then on all of them by turns.
 *
 * Why: what comes to an end early has seen all rows alike. Details: `from` says how many schedules of a row are run already; those are in no batch.
 */
export function* batchesOf(order: SuiteOrder, from: (row: string) => number = () => 0): Generator<Batch> {
  const { schedules } = order;
  const rows = rowsOf(order);
  const next = (end: number): number => Math.min(10 * end, end + batchMost, schedules + 1);
  for (let begin = 0, end = 1; begin <= schedules; begin = end, end = next(end))
    for (const row of rows) {
      const first = Math.max(begin, from(rowName(row)));
      if (first < end) yield { row, first, count: end - first };
    }
}

/** Runs a batch until something is wrong, or all of it is run. */
export function runBatch(
  { schedules, seed, mutants, watch }: SuiteOrder,
  { row, first, count }: Batch,
): RowTally {
  for (let number = first; number < first + count; number++) {
    const found = findingOf(row, seed, number, mutants, watch);
    if (found !== undefined)
      return tallyOf(row, { schedules: number + 1, done: true, found, schedule: scheduleName(number) });
  }
  return tallyOf(row, { schedules: first + count, done: first + count > schedules });
}
