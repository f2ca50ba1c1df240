import { blocksOfCluster, clustersOf, coordinatesOf, placeInCluster } from './cluster.ts';
import type { ValueType } from './value-type.ts';

/*
 * Special registers (chiplet specification 7.1): filled when a warp begins, except for the clock, which is read as it is.
 */

const axes = ['x', 'y', 'z'] as const;
export type Axis = (typeof axes)[number];

/** Registers of three dimensions and others; all of 32 bits but the last one, which has 64. */
export const specialRegisters: readonly string[] = [
  ...[
    '%tid',
    '%ntid',
    '%ctaid',
    '%nctaid',
    '%clusterid',
    '%nclusterid',
    '%cluster_ctaid',
    '%cluster_nctaid',
  ].flatMap((name) => axes.map((axis) => `${name}.${axis}`)),
  '%cluster_ctarank',
  '%cluster_nctarank',
  '%is_explicit_cluster',
  '%total_smem_size',
  '%dynamic_smem_size',
  '%aggr_smem_size',
  '%reserved_smem_offset_begin',
  '%reserved_smem_offset_end',
  '%reserved_smem_offset_cap',
  '%reserved_smem_offset_0',
  '%reserved_smem_offset_1',
  '%laneid',
  '%warpid',
  '%nwarpid',
  '%smid',
  '%nsmid',
  '%gridid',
  '%current_graph_exec',
  '%lanemask_eq',
  '%lanemask_lt',
  '%lanemask_le',
  '%lanemask_gt',
  '%lanemask_ge',
  '%clock',
  '%clock_hi',
  '%clock64',
  '%globaltimer',
  '%globaltimer_lo',
  '%globaltimer_hi',
  // Counters of what a program chooses to measure: nothing is chosen here.
  ...Array.from({ length: 8 }, (_, at) => `%pm${at}`),
  ...Array.from({ length: 8 }, (_, at) => `%pm${at}_64`),
  // Read-only registers that a driver may set: nobody does here.
  ...Array.from({ length: 32 }, (_, at) => `%envreg${at}`),
];

/** The type of a special register. */
export function typeOfSpecial(name: string): ValueType {
  if (name === '%is_explicit_cluster') return 'pred';
  if (/^%pm\d_64$/.test(name)) return 'u64';
  return ['%clock64', '%globaltimer', '%gridid', '%current_graph_exec'].includes(name) ? 'u64' : 'u32';
}

/** Where a warp stands: what its special registers tell. */
export interface WarpPlace {
  readonly grid: readonly [x: number, y: number, z: number];
  readonly block: readonly [x: number, y: number, z: number];
  /** Blocks of a cluster. */
  readonly cluster: readonly [x: number, y: number, z: number];
  /** Number of the block in the grid: x fastest, then y, z. */
  readonly blockNumber: number;
  /** Number of the warp in its block. */
  readonly warp: number;
  /** Bytes of shared memory of a block without those reserved for the system, those, and those that the launch gave. */
  readonly sharedBytes: number;
  readonly reservedSharedBytes: number;
  readonly dynamicSharedBytes: number;
  readonly core: number;
  readonly cores: number;
  /** The address of the room where the blocks of a grid meet; absent where no kernel asks for it. */
  readonly workspace?: number | undefined;
}

/** The value of a special register: one for all lanes, or one by lane. */
export function specialValues(name: string, place: WarpPlace): number | boolean | ((lane: number) => number) {
  const { grid, block, blockNumber, warp } = place;
  const [base = '', axis = 'x'] = name.split('.');
  const which = axes.indexOf(axis as Axis);
  switch (base) {
    case '%tid':
      return (lane) => coordinatesOf(warp * 32 + lane, block)[which]!;
    case '%ntid':
      return block[which]!;
    case '%ctaid':
      return coordinatesOf(blockNumber, grid)[which]!;
    case '%nctaid':
      return grid[which]!;
    case '%clusterid':
      return placeInCluster(place, blockNumber).of[which]!;
    case '%nclusterid':
      return clustersOf(place)[which]!;
    case '%cluster_ctaid':
      return placeInCluster(place, blockNumber).inside[which]!;
    case '%cluster_nctaid':
      return place.cluster[which]!;
    case '%cluster_ctarank':
      return placeInCluster(place, blockNumber).rank;
    case '%cluster_nctarank':
      return blocksOfCluster(place);
    case '%is_explicit_cluster':
      return blocksOfCluster(place) > 1;
    case '%total_smem_size':
      return place.sharedBytes;
    case '%aggr_smem_size':
      return place.sharedBytes + place.reservedSharedBytes;
    case '%reserved_smem_offset_end':
    case '%reserved_smem_offset_cap':
      return place.reservedSharedBytes;
    // Each of its two parts is half of it.
    case '%reserved_smem_offset_1':
      return place.reservedSharedBytes / 2;
    case '%dynamic_smem_size':
      return place.dynamicSharedBytes;
    case '%laneid':
      return (lane) => lane;
    case '%warpid':
      return warp;
    case '%nwarpid':
      return Math.ceil((block[0] * block[1] * block[2]) / 32);
    case '%smid':
      return place.core;
    case '%nsmid':
      return place.cores;
    case '%envreg1':
      return Math.floor((place.workspace ?? 0) / 2 ** 32);
    case '%envreg2':
      return place.workspace ?? 0;
    case '%lanemask_eq':
      return (lane) => 1 << lane;
    case '%lanemask_lt':
      return (lane) => (1 << lane) - 1;
    case '%lanemask_le':
      return (lane) => (lane === 31 ? -1 : (1 << (lane + 1)) - 1);
    case '%lanemask_gt':
      return (lane) => (lane === 31 ? 0 : -1 << (lane + 1));
    case '%lanemask_ge':
      return (lane) => -1 << lane;
    default:
      return 0;
  }
}
