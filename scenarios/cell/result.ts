import { foldByte, readHashStart } from '../../actors/cell/fnv.ts';
import type { TransferRow } from '../../machines/cell/figures.ts';
import type { CellRunResult } from '../../machines/cell.ts';

/**
 * What a run of the Cell-type machine leaves behind, format `cell-result/1` (Cell specification 18.2).
 *
 * A request that never started has start, dir and ring -1 and wait 0, so that `totalWait` is always the sum of
 * the last column (Cell specification 11: its wait is not counted).
 */
export interface CellResult {
  readonly format: 'cell-result/1';
  readonly name: string;
  readonly policy: string;
  /** Cycles that ran, at least 1. */
  readonly cycles: number;
  /** Bytes moved, those of transfers cut by the end of the run included. */
  readonly bytes: number;
  /** Commands sent on the command bus; one a byte in a correct run (Cell specification 7). */
  readonly commands: number;
  readonly totalWait: number;
  readonly maxWait: number;
  /** FNV-1a 32 over all memories, SPU 0 first; 8 hexadecimal digits. */
  readonly memHash: string;
  /** FNV-1a 32 over the logged values in the order (cycle, SPU, program order); 8 hexadecimal digits. */
  readonly readHash: string;
  /** Present when the run was cut by its cycle limit with unfinished requests (Cell specification 11). */
  readonly incomplete?: true;
  /** Sorted by issue, spu, id. */
  readonly transfers: readonly TransferRow[];
}

/** FNV-1a 32 of bytes; `from` continues an earlier hash (Cell specification 18.2). */
export function fnv1a32(bytes: Uint8Array, from: number = readHashStart): number {
  let hash = from;
  for (let index = 0; index < bytes.length; index++) hash = foldByte(hash, bytes[index]!);
  return hash >>> 0;
}

/** The content of `cell-result/1` of a run (Cell specification 18.2). */
export function cellResultOf(run: CellRunResult): CellResult {
  const {
    name,
    policy,
    cycles,
    bytes,
    commands,
    totalWait,
    maxWait,
    memHash,
    readHash,
    incomplete,
    transfers,
  } = run;
  return {
    format: 'cell-result/1',
    name,
    policy,
    cycles,
    bytes,
    commands,
    totalWait,
    maxWait,
    memHash,
    readHash,
    ...(incomplete && { incomplete }),
    transfers,
  };
}

/**
 * The one line of JSON without spaces, newline included, that stands for a result (Cell specification 18.2).
 *
 * The keys are written in the order of the format whatever the order in the object; `incomplete`, for which the format
 * names no place, follows `readHash`.
 */
export function formatResult(result: CellResult): string {
  const { format, name, policy, cycles, bytes, commands, totalWait, maxWait, memHash, readHash } = result;
  const ordered = {
    format,
    name,
    policy,
    cycles,
    bytes,
    commands,
    totalWait,
    maxWait,
    memHash,
    readHash,
    ...(result.incomplete ? { incomplete: true } : {}),
    transfers: result.transfers,
  };
  return `${JSON.stringify(ordered)}\n`;
}
