import type { Wiring } from '../../wiring.ts';
import { type ExploreOptions, Explorer } from '../explorer.ts';
import { MemoryStore } from './memory-store.ts';

/** Explores as one explorer would, but puts it down after so many deliveries each time, loses what was written after that, and goes on with another one; states are moved out of memory meanwhile. */
export function withStops(
  make: () => Wiring,
  options: ExploreOptions,
  deliveries: number,
): StoppedExploration {
  let store = new MemoryStore();
  let explorer = new Explorer(make, { ...options, store });
  for (let stops = 0; ; stops++) {
    const goesOn = explorer.go(deliveries) && explorer.go(Number.MAX_SAFE_INTEGER, true);
    if (!goesOn || !explorer.isBetweenStates) return { explorer, stops };
    // Data alone goes from one process to the next.
    const checkpoint = structuredClone(explorer.checkpoint());
    if (stops % 2 === 1) {
      explorer.go(2 * deliveries);
      explorer.moveOut();
    }
    store = store.cutTo(checkpoint.stored);
    const bytesMax = stops % 3 === 0 ? 0 : Number.POSITIVE_INFINITY;
    explorer = new Explorer(make, { ...options, store, from: { checkpoint, bytesMax } });
    explorer.moveOut();
  }
}

/** An exploration at its end, and how often it was put down. */
export interface StoppedExploration {
  readonly explorer: Explorer;
  readonly stops: number;
}
