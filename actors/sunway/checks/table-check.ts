import { type ReturnCode, returnCode } from '../return-code.ts';
import { rowBytes, tableBytes, tableLanes } from '../table/parallel-table.ts';
import { alignCode, type CheckFacts, countCode, rangeCode } from './parts.ts';

/** The arguments of `ptab_cpy`. */
export interface TableCopyArguments {
  /** The tables, one for each lane; of them the first `count` are copied. */
  readonly tables: readonly number[];
  /** Entries of each. */
  readonly rows: number;
  readonly count: number;
  readonly parallel: number;
}

/** The code of a base vector: tables begin at multiples of 64 (Sunway specification 6.10, 11: E26). */
export const tableCode = (parallel: number, facts: CheckFacts): ReturnCode =>
  alignCode(rowBytes, parallel) || rangeCode(['ldm'], parallel, rowBytes, facts);

/** The code of `ptab_cpy` and `ptab_cpy16`. */
export const tableCopyCode = (given: TableCopyArguments, facts: CheckFacts): ReturnCode =>
  countCode(given.rows) ||
  countCode(given.count) ||
  (given.count <= Math.min(tableLanes, given.tables.length) ? returnCode.SUCCESS : returnCode.E_LEN) ||
  alignCode(rowBytes, given.parallel) ||
  given.tables
    .slice(0, given.count)
    .reduce<ReturnCode>((code, table) => code || alignCode(4, table), returnCode.SUCCESS) ||
  rangeCode(['ldm'], given.parallel, tableBytes(given.rows), facts) ||
  given.tables
    .slice(0, given.count)
    .reduce<ReturnCode>(
      (code, table) => code || rangeCode(['ldm'], table, 4 * given.rows, facts),
      returnCode.SUCCESS,
    );
