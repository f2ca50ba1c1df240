import { allToAll } from '../../scenarios/sunway/all-to-all.ts';
import { axpyBlocking, axpyOverlapped } from '../../scenarios/sunway/axpy.ts';
import { concurrentAppend } from '../../scenarios/sunway/concurrent-append.ts';
import { smallProduct } from '../../scenarios/sunway/matrix-product.ts';
import { oneToAll } from '../../scenarios/sunway/one-to-all.ts';
import { persistentKernel } from '../../scenarios/sunway/persistent-kernel.ts';
import { reduceAll } from '../../scenarios/sunway/reductions.ts';
import { rmaWalk } from '../../scenarios/sunway/rma-walk.ts';
import { sharedVector } from '../../scenarios/sunway/shared-vector.ts';
import { evictedCache, staleCache } from '../../scenarios/sunway/stale-cache.ts';
import { stencil } from '../../scenarios/sunway/stencil.ts';
import { stridedTile } from '../../scenarios/sunway/strided-tile.ts';
import { tableLookup } from '../../scenarios/sunway/table-lookup.ts';
import { wavefront } from '../../scenarios/sunway/wavefront.ts';
import type { RaceCase } from './race-runs.ts';

/** A program of which no schedule may be reported, under the policies named. */
export interface RaceFreeProgram extends RaceCase {
  readonly name: string;
  readonly policies: readonly ('lenient' | 'strict')[];
}

const both = ['lenient', 'strict'] as const;

/** The programs of the specification that are right (13), and others of the scenarios. */
export const raceFreePrograms: readonly RaceFreeProgram[] = [
  { name: 'one to all', host: oneToAll, policies: both },
  // The habits of this one are what the strict policy is for.
  { name: 'RMA walk', host: rmaWalk, policies: ['lenient'] },
  { name: 'axpy, overlapped', host: axpyOverlapped, policies: both },
  { name: 'axpy, blocking', host: axpyBlocking, policies: both },
  { name: 'strided tile', host: stridedTile, policies: both },
  {
    name: 'shared vector',
    host: sharedVector,
    config: { sldm: { mode: 4, sizeKiB: 1 } },
    policies: both,
  },
  { name: 'persistent kernel', host: persistentKernel, policies: both },
  { name: 'concurrent append', host: concurrentAppend, policies: both },
  { name: 'all to all', host: allToAll, policies: both },
  { name: 'table lookup', host: tableLookup, policies: both },
  { name: 'reductions', host: reduceAll, policies: both },
  { name: 'wavefront', host: wavefront, policies: both },
  { name: 'evicted cache', host: evictedCache, config: { cacheKiB: 32 }, policies: both },
  { name: 'the same without a cache', host: staleCache, policies: both },
  { name: 'matrix product', host: smallProduct, policies: both },
  { name: 'stencil', host: stencil, policies: both },
];
