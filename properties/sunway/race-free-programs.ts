import type { MpeProgram } from '../../actors/sunway/program.ts';
import { allToAll, allToAllOf } from '../../scenarios/sunway/all-to-all.ts';
import {
  axpyBlocking,
  axpyBlockingOf,
  axpyOverlapped,
  axpyOverlappedOf,
} from '../../scenarios/sunway/axpy.ts';
import { concurrentAppend, concurrentAppendOf } from '../../scenarios/sunway/concurrent-append.ts';
import { handShake, handShakeOf } from '../../scenarios/sunway/hand-shake.ts';
import { smallestProduct, smallProduct } from '../../scenarios/sunway/matrix-product.ts';
import { oneToAll, oneToAllOf } from '../../scenarios/sunway/one-to-all.ts';
import { persistentKernel, persistentKernelOf } from '../../scenarios/sunway/persistent-kernel.ts';
import { reduceAll, reduceAllOf } from '../../scenarios/sunway/reductions.ts';
import { rmaWalk, rmaWalkOf } from '../../scenarios/sunway/rma-walk.ts';
import { sharedVector, sharedVectorOf } from '../../scenarios/sunway/shared-vector.ts';
import { evictedCache, staleCache } from '../../scenarios/sunway/stale-cache.ts';
import { stencil, stencilOf } from '../../scenarios/sunway/stencil.ts';
import { stridedTile } from '../../scenarios/sunway/strided-tile.ts';
import { tableLookup } from '../../scenarios/sunway/table-lookup.ts';
import { turns } from '../../scenarios/sunway/task-farm.ts';
import { wavefront, wavefrontOf } from '../../scenarios/sunway/wavefront.ts';
import type { RaceCase } from './race-runs.ts';

/** A program of which no schedule may be reported. */
export interface RaceFreeProgram extends RaceCase {
  readonly name: string;
  /**
   * Calls whose data receivers take without waiting for them. The strict policy is there to report these, as `UnwaitedRemoteArrival` and nothing
   * else; under the lenient one they are right.
   */
  readonly habits: readonly string[];
}

/** A program in two sizes: with few CPEs and elements, of which many schedules can be run, and as specified. */
interface Editions {
  readonly name: string;
  readonly small: MpeProgram;
  readonly full: MpeProgram;
  readonly config?: object;
  /** What only the small edition is configured with; an array of one row when absent. */
  readonly smallConfig?: object;
  readonly habits?: readonly string[];
}

const fewCpes = { cpesPerCg: 4 };
const oneRow = { cpesPerCg: 8 };
const twoRows = { cpesPerCg: 16 };
const smallVectors = { cpes: 8, elements: 8 * 40, blockElements: 16 };

/** What receivers of the walk do not wait for (specification 13, S2: steps 5, 6, 8, 9, 11, 13, 14, 16). */
export const unwaitedCalls: readonly string[] = [
  'rma_bcast',
  'rma_ibcast',
  'rma_row_bcast',
  'rma_row_ibcast',
  'rma_row_mcast',
  'rma_col_bcast',
  'rma_col_ibcast',
  'rma_col_mcast',
];

/** The programs of the specification that are right (13), and others of the scenarios. */
const programs: readonly Editions[] = [
  { name: 'S1: one to all', small: oneToAllOf(8), full: oneToAll },
  {
    name: 'S2: RMA walk',
    small: rmaWalkOf(10),
    full: rmaWalk,
    // The second row is shorter than the first.
    smallConfig: { cpesPerCg: 10 },
    habits: unwaitedCalls,
  },
  { name: 'S3: axpy, overlapped', small: axpyOverlappedOf(smallVectors), full: axpyOverlapped },
  { name: 'S3: axpy, blocking', small: axpyBlockingOf(smallVectors), full: axpyBlocking },
  { name: 'S4: strided tile', small: stridedTile, full: stridedTile },
  {
    name: 'S5: shared vector',
    small: sharedVectorOf(8),
    full: sharedVector,
    config: { sldm: { mode: 4, sizeKiB: 1 } },
  },
  {
    name: 'S6: persistent kernel',
    small: persistentKernelOf(4),
    full: persistentKernel,
    smallConfig: fewCpes,
  },
  {
    name: 'S7: concurrent append',
    small: concurrentAppendOf({ cpes: 8, candidates: 60 }),
    full: concurrentAppend,
  },
  { name: 'S8: all to all', small: allToAllOf(4), full: allToAll, smallConfig: fewCpes },
  { name: 'S9: table lookup', small: tableLookup, full: tableLookup, smallConfig: { cpesPerCg: 10 } },
  { name: 'S10: reductions', small: reduceAllOf(4), full: reduceAll, smallConfig: fewCpes },
  { name: 'S11: wavefront', small: wavefrontOf(2), full: wavefront, smallConfig: twoRows },
  { name: 'S12: task farm', small: turns, full: turns, config: { cgs: 2 } },
  { name: 'S13: hand-shake', small: handShakeOf(8), full: handShake },
  { name: 'S14: evicted cache', small: evictedCache, full: evictedCache, config: { cacheKiB: 32 } },
  { name: 'S14: no cache', small: staleCache, full: staleCache },
  { name: 'matrix product', small: smallestProduct, full: smallProduct, smallConfig: twoRows },
  {
    name: 'stencil',
    small: stencilOf({ rows: 2, block: 2, iterations: 2 }),
    full: stencil,
    smallConfig: twoRows,
  },
];

const edition = (size: 'small' | 'full'): readonly RaceFreeProgram[] =>
  programs.map(({ name, [size]: host, config = {}, smallConfig = oneRow, habits = [] }) => ({
    name,
    host,
    config: size === 'small' ? { ...smallConfig, ...config } : config,
    habits,
  }));

/** All of them with few CPEs and elements. */
export const smallPrograms = edition('small');
/** All of them as they are specified. */
export const fullPrograms = edition('full');
