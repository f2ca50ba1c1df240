import { ldmBytes, reservedBytes } from '../address/space.ts';
import { tableCode, tableCopyCode } from '../checks/table-check.ts';
import type { CpeOperationOf } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import { returnCode } from '../return-code.ts';
import { insideKnownTables } from '../table/known-tables.ts';
import {
  baseVector,
  fillLane,
  type LaneAddresses,
  laneAddresses,
  tableBytes,
  tableLanes,
} from '../table/parallel-table.ts';
import { accept } from './agreed-barrier.ts';
import { checkFactsOf } from './check.ts';
import { readBytes } from './own-bytes.ts';
import type { Script } from './primitive.ts';

/** A vector of 16 lanes as an answer. */
const vectorOf = (lanes: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(lanes).buffer);

/** `get_ptab_addr`: the base vector of a table (specification 6.10). */
export function* tableBase({ ptable }: CpeOperationOf<'get_ptab_addr'>, facts: CpeFacts): Script {
  yield* accept(tableCode(ptable, checkFactsOf(facts)));
  yield { op: 'compute', cycles: 1 };
  return vectorOf(baseVector(ptable));
}

/** `ptab_cpy`, and `ptab_cpy16` with one table for all lanes: other lanes keep what they have. */
export function* tableCopy(
  tables: readonly number[],
  rows: number,
  count: number,
  ptable: number,
  facts: CpeFacts,
): Script {
  yield* accept(tableCopyCode({ tables, rows, count, parallel: ptable }, checkFactsOf(facts)));
  const parallel =
    count === tableLanes
      ? new Uint8Array(tableBytes(rows))
      : (yield* readBytes(ptable, tableBytes(rows))).slice();
  const read = new Map<number, Uint8Array>();
  for (let lane = 0; lane < count; lane++) {
    const from = tables[lane]!;
    const table = read.get(from) ?? (yield* readBytes(from, 4 * rows));
    read.set(from, table);
    fillLane(parallel, lane, table);
  }
  yield { op: 'write', address: ptable, data: parallel, flag: false };
  return vectorOf(baseVector(ptable));
}

/** Rows of the whole LDM, which bound lanes of a table that nobody knows. */
const everyRow = { first: reservedBytes, rows: (ldmBytes - reservedBytes) / 64 };

/** Where a vector of offsets goes; rows that a known table does not have are out of range. */
function lanesWithin(
  { voffset, vbase_addr: bases }: CpeOperationOf<'ptab_lookup' | 'ptab_write'>,
  { tables }: CpeFacts,
): LaneAddresses {
  if (voffset.length !== tableLanes || bases.length !== tableLanes)
    return { code: returnCode.E_LEN, addresses: [] };
  const lanes = laneAddresses(voffset, bases, everyRow);
  if (lanes.code !== returnCode.SUCCESS || insideKnownTables(tables, voffset, bases)) return lanes;
  return { code: returnCode.E_RANGE, addresses: [] };
}

/** `ptab_lookup`: 16 entries at once. */
export function* tableLookup(call: CpeOperationOf<'ptab_lookup'>, facts: CpeFacts): Script {
  const { code, addresses } = lanesWithin(call, facts);
  yield* accept(code);
  return yield { op: 'gather', addresses, cycles: facts.timing.ptab.lookup };
}

/** `ptab_write`: stores 16 entries at once. */
export function* tableWrite(call: CpeOperationOf<'ptab_write'>, facts: CpeFacts): Script {
  const { code, addresses } = lanesWithin(call, facts);
  yield* accept(call.value.length === tableLanes ? code : returnCode.E_LEN);
  yield { op: 'scatter', addresses, data: vectorOf(call.value), cycles: facts.timing.ptab.lookup };
  return 0;
}
