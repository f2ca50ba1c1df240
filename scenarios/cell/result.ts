/** One row of a result: spu, id, kind, src, dst, size (bytes), issue, start (cycles), dir, ring, wait (cycles); Cell specification 18.2. */
export type TransferRow = readonly [
  spu: number,
  id: number,
  kind: 'get' | 'put',
  src: number,
  dst: number,
  size: number,
  issue: number,
  start: number,
  dir: number,
  ring: number,
  wait: number,
];

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

/** The value an FNV-1a 32 hash starts from, as an unsigned 32-bit integer (Cell specification 18.2). */
export const FNV1A32_START = 0x811c9dc5;

/** The 32-bit multiplier of FNV-1a, for loops that hash value by value (Cell specification 18.2). */
export const FNV1A32_PRIME = 0x01000193;

/** FNV-1a 32 of bytes, an unsigned 32-bit integer; `from` continues an earlier hash (Cell specification 18.2). */
export function fnv1a32(bytes: Uint8Array, from = FNV1A32_START): number {
  let hash = from | 0;
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ bytes[index]!, FNV1A32_PRIME);
  return hash >>> 0;
}

/** A 32-bit hash, signed or unsigned, as the 8 hexadecimal digits a result carries (Cell specification 18.2). */
export function hashDigits(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
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
