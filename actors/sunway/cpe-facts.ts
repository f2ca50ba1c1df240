import type { SpaceSizes } from './address/space.ts';
import type { CpeIdentity } from './cpe-identity.ts';
import type { ColumnHalves } from './sync/barrier-steps.ts';
import type { KnownTable } from './table/known-tables.ts';
import type { TimingTable } from './timing/timing-table.ts';

/** What the calls of a CPE have to know about it and its node; of this only who is offline and which tables are known change during a run. */
export interface CpeFacts {
  readonly identity: CpeIdentity;
  /** The CPE in the node: 64 times its core group, and its tid. */
  readonly core: number;
  /** CPEs of the core group: tids from here on are not there. */
  readonly cpes: number;
  /** CPEs that the host has closed. */
  readonly offline: readonly number[];
  readonly sizes: SpaceSizes;
  /** Bytes of the data cache, and of what the CPE shares. */
  readonly cacheBytes: number;
  readonly sharedBytes: number;
  readonly shareMode: number;
  /** Bytes of a block when shared LDM goes round its members; absent or 0 when each holds one whole part. */
  readonly shareInterleaveBytes?: number;
  readonly columnHalves: ColumnHalves;
  /** What the clock of this CPE is ahead of the node's, in cycles; none when absent. */
  readonly clockAhead?: number;
  readonly timing: TimingTable;
  /** Parallel tables that this thread has made. */
  readonly tables: readonly KnownTable[];
}

/** Whether a CPE takes part in anything. */
export const isAvailable = ({ cpes, offline }: Pick<CpeFacts, 'cpes' | 'offline'>, tid: number): boolean =>
  Number.isInteger(tid) && tid >= 0 && tid < cpes && !offline.includes(tid);
