import type { DeviceMemory } from './device-memory.ts';
import type { Dimensions } from './launch.ts';
import type { ThreadBlock } from './thread-block.ts';
import type { Views } from './views.ts';
import type { Scratch } from './warp.ts';

/*
 * Clusters of blocks (PTX ISA, cluster of cooperative thread arrays): blocks that run at the same time, reach each other's shared memory, and have a barrier in common.
 */

/** Blocks that a cluster may have on any device that has clusters. */
export const blocksPerClusterMost = 16;

/**
 * Bytes of the shared window from one block of a cluster to the next. Addresses below it are those of a block's own shared memory; the block of rank `r` is at
 * `(r + 1) * clusterStep` for all blocks of the cluster, itself among them.
 */
export const clusterStep = 1 << 20;

/** The number of a warp's barrier when it waits for all of its cluster: one behind those of a block. */
export const clusterBarrier = 16;

/** How the blocks of a grid are parted into clusters. */
export interface ClusterShape {
  readonly grid: Dimensions;
  readonly cluster: Dimensions;
}

/** Blocks of one cluster. */
export const blocksOfCluster = ({ cluster }: Pick<ClusterShape, 'cluster'>): number =>
  cluster[0] * cluster[1] * cluster[2];

/** A number of a row of rows of rows as coordinates. */
export const coordinatesOf = (number: number, [x, y]: Dimensions): Dimensions => [
  number % x,
  Math.floor(number / x) % y,
  Math.floor(number / (x * y)),
];

const numberOf = ([x, y, z]: Dimensions, [width, height]: Dimensions): number => x + width * (y + height * z);

/** Clusters of a grid in each direction. */
export const clustersOf = ({ grid, cluster }: ClusterShape): Dimensions => [
  grid[0] / cluster[0],
  grid[1] / cluster[1],
  grid[2] / cluster[2],
];

/** The cluster of a block of the grid, and the block's place and rank in it. */
export function placeInCluster(shape: ClusterShape, block: number) {
  const { grid, cluster } = shape;
  const at = coordinatesOf(block, grid);
  const inside: Dimensions = [at[0] % cluster[0], at[1] % cluster[1], at[2] % cluster[2]];
  const of: Dimensions = [
    Math.floor(at[0] / cluster[0]),
    Math.floor(at[1] / cluster[1]),
    Math.floor(at[2] / cluster[2]),
  ];
  return { of, number: numberOf(of, clustersOf(shape)), inside, rank: numberOf(inside, cluster) };
}

/** The block of the grid at a place of the order in which blocks begin: cluster by cluster, by rank in each. */
export function blockInOrder(shape: ClusterShape, place: number): number {
  const { grid, cluster } = shape;
  const blocks = blocksOfCluster(shape);
  if (blocks === 1) return place;
  const of = coordinatesOf(Math.floor(place / blocks), clustersOf(shape));
  const inside = coordinatesOf(place % blocks, cluster);
  const at: Dimensions = [
    of[0] * cluster[0] + inside[0],
    of[1] * cluster[1] + inside[1],
    of[2] * cluster[2] + inside[2],
  ];
  return numberOf(at, grid);
}

/** A cluster: its blocks by rank. */
export class Cluster {
  readonly blocks: ThreadBlock[] = [];

  constructor(readonly size: number) {}

  fork(memory: DeviceMemory, scratch: Scratch): Cluster {
    const copy = new Cluster(this.size);
    for (const block of this.blocks) block.fork(memory, scratch, copy);
    return copy;
  }

  /** The shared memory that an address behind the block's own leads to; undefined for one of no block, and for more than there is. */
  sharedAt(address: number, bytes: number): Views | undefined {
    const rank = Math.floor(address / clusterStep) - 1;
    const views = this.blocks[rank]?.home.shared;
    return views !== undefined && (address % clusterStep) + bytes <= views.bytes.length ? views : undefined;
  }

  /** Opens the barrier when every thread that has not exited has arrived. False while one is missing, or nobody has come. */
  openBarrier(): boolean {
    if (this.blocks.length < this.size) return false;
    let came = false;
    // Asked at every barrier of a block, and most kernels have no clusters.
    for (const { warps } of this.blocks) for (const { arrived } of warps) if (arrived !== 0) came = true;
    if (!came) return false;
    const warps = this.blocks.flatMap((block) => block.warps);
    if (warps.some((warp) => (warp.alive & ~warp.arrived) !== 0)) return false;
    for (const warp of warps) warp.passCluster();
    return true;
  }
}
