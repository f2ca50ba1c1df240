import type { Mode } from '../../../actors/tca/gasnet/options.ts';
import type { ConformanceCase } from './case.ts';
import { type Row, topologyOf, type Watching } from './row.ts';

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
