import { overlap } from '../checks/parts.ts';
import type { CpeOperation } from '../cpe-api.ts';
import { tableBytes, tableLanes } from './parallel-table.ts';

/** A parallel table that a call has made: its first byte, and its rows. */
export interface KnownTable {
  readonly first: number;
  readonly rows: number;
}

/**
 * The tables that are known after a call that succeeded (Sunway specification 6.10, 11: E26).
 *
 * Details: a copy to some lanes leaves the others as they were, and so a table that was there keeps its rows. A table that another one covers is
 * forgotten, and so is what lay in memory that is freed: what a program makes there by itself is bounded by the LDM alone.
 */
export function tablesAfter(tables: readonly KnownTable[], call: CpeOperation): readonly KnownTable[] {
  switch (call.op) {
    case 'ptab_cpy':
      return withTable(tables, call.ptable, call.unit, call.num < tableLanes);
    case 'ptab_cpy16':
      return withTable(tables, call.ptable, call.unit, false);
    case 'pldm_free':
      return outside(tables, call.address, call.size);
    case 'pldm_free_all':
      return [];
    default:
      return tables;
  }
}

/** Whether the lanes of a vector whose bases name a known table stay in its rows; other bases bound nothing. */
export const insideKnownTables = (
  tables: readonly KnownTable[],
  offsets: readonly number[],
  bases: readonly number[],
): boolean =>
  bases.every((base, lane) => {
    const table = tables.find(({ first }) => first === tableOfBase(base));
    const row = Math.floor(offsets[lane]! / 4);
    return table === undefined || (row >= 0 && row < table.rows);
  });

/** The first byte of the table that a lane of a base vector stands for. */
const tableOfBase = (base: number): number => 16 * base;

const outside = (tables: readonly KnownTable[], first: number, bytes: number): readonly KnownTable[] =>
  tables.filter((table) => !overlap(table.first, tableBytes(table.rows), first, bytes));

function withTable(
  tables: readonly KnownTable[],
  first: number,
  rows: number,
  keepsLanes: boolean,
): readonly KnownTable[] {
  const before = tables.find((table) => table.first === first)?.rows ?? 0;
  const others = outside(tables, first, tableBytes(rows)).filter((table) => table.first !== first);
  return [...others, { first, rows: keepsLanes ? Math.max(before, rows) : rows }];
}
