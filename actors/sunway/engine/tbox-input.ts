import type { Address } from '../../../kernel/message.ts';
import type { JitterInput } from '../jitter.ts';
import type { TimingTable } from '../timing/timing-table.ts';

/** A range of main memory, and who takes requests for it: the controller of the own core group, or the ring. */
export interface MemoryRoute {
  readonly first: number;
  readonly bytes: number;
  readonly to: Address;
}

/** Whom requests for an address go to. Errors: an address that nobody keeps. */
export function routeOf(routes: readonly MemoryRoute[], memory: number): Address {
  const route = routes.find(({ first, bytes }) => memory >= first && memory < first + bytes);
  if (route === undefined) throw new Error(`found no memory controller for address ${memory}`);
  return route.to;
}

/** The engine of one cluster, and whom it knows. */
export interface TboxInput extends JitterInput {
  readonly self: Address;
  /** The CPEs of the cluster, by place. */
  readonly tids: readonly number[];
  /** CPEs, LDMs and engines of the core group by tid; as many as CPEs are there. */
  readonly cpes: readonly Address[];
  readonly ldms: readonly Address[];
  readonly engines: readonly Address[];
  readonly routes: readonly MemoryRoute[];
  readonly timing: TimingTable;
  /** Whether transfers of one CPE that nothing orders may change places. */
  readonly reorder: boolean;
}
