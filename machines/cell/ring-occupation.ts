import type { CellLogHeader } from './log-events.ts';
import type { LoggedRun } from './transfers-of-log.ts';

/** How much of one ring a run used (Cell specification 14). */
export interface RingOccupation {
  readonly dir: number;
  readonly ring: number;
  /** Node-cycles held by transfers: nodes times cycles, summed. */
  readonly used: number;
  /** Node-cycles there were: N times the cycles of the run. */
  readonly available: number;
}

/** Counts the node-cycles used on each of the 2K rings, direction 0 first (Cell specification 14). */
export function ringOccupation(header: CellLogHeader, run: LoggedRun): RingOccupation[] {
  const { N, K } = header;
  const used = new Array<number>(2 * K).fill(0);
  for (const { occupation } of run.transfers) {
    if (occupation === null) continue;
    const row = ringIndex(header, occupation.dir, occupation.ring);
    const cycles = occupation.last - occupation.first + 1;
    if (row !== null) used[row] = (used[row] ?? 0) + occupation.nodes.length * cycles;
  }
  return used.map((nodeCycles, row) => ({
    dir: Math.floor(row / K),
    ring: row % K,
    used: nodeCycles,
    available: N * run.cycles,
  }));
}

/** Place of a ring in the order of all 2K rings, direction 0 first, or null when the machine has no such ring. */
export function ringIndex({ K }: CellLogHeader, dir: number, ring: number): number | null {
  const known = (dir === 0 || dir === 1) && Number.isInteger(ring) && ring >= 0 && ring < K;
  return known ? dir * K + ring : null;
}

/** Share of a ring in use, 0..1; 0 when the run had no cycles. */
export function occupiedShare({ used, available }: Pick<RingOccupation, 'used' | 'available'>): number {
  return available === 0 ? 0 : used / available;
}

/** Writes a share as a percentage with one decimal, "66.7 %". */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
