import type { Hasher } from '../../../../kernel/hash.ts';
import type { LoadStoreUnit } from '../load-store-unit.ts';
import type { CoreWarp } from './core-warp.ts';

/** A load that waits for segments, and whose it is. `age` tells warps apart that were in one slot. */
interface Load {
  readonly slot: number;
  readonly age: number;
  readonly results: readonly number[];
  /** Segments that have not come. */
  missing: number;
  /** The cycle in which what has come can be used. */
  done: number;
}

/** The loads of a core that wait for segments, by number. */
export class PendingLoads {
  readonly #loads = new Map<number, Load>();
  /** The number of the next one. */
  next = 0;

  constructor(from?: PendingLoads) {
    if (!from) return;
    for (const [key, load] of from.#loads) this.#loads.set(key, { ...load });
    this.next = from.next;
  }

  /** The last access of a unit has to wait. */
  open({ slot, age }: CoreWarp, results: readonly number[], { missing, done }: LoadStoreUnit): void {
    this.#loads.set(this.next++, { slot, age, results, missing: missing.length, done });
  }

  /** A segment that these loads wait for can be used from a cycle on; gives those that are now complete. */
  came(loads: readonly number[], cycle: number): readonly Load[] {
    const complete: Load[] = [];
    for (const key of loads) {
      const load = this.#loads.get(key)!;
      load.missing--;
      load.done = Math.max(load.done, cycle);
      if (load.missing > 0) continue;
      this.#loads.delete(key);
      complete.push(load);
    }
    return complete;
  }

  hash(into: Hasher): void {
    into.value([...this.#loads]);
    into.number(this.next);
  }
}
