/*
 * Special registers (chiplet specification 7.1): filled when a warp begins, except for the clock, which is read as it is.
 */

const axes = ['x', 'y', 'z'] as const;
export type Axis = (typeof axes)[number];

/** Registers of three dimensions and others; all of 32 bits but the last one, which has 64. */
export const specialRegisters: readonly string[] = [
  ...['%tid', '%ntid', '%ctaid', '%nctaid'].flatMap((name) => axes.map((axis) => `${name}.${axis}`)),
  '%laneid',
  '%warpid',
  '%nwarpid',
  '%smid',
  '%nsmid',
  '%gridid',
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
  // Read-only registers that a driver may set: nobody does here.
  ...Array.from({ length: 32 }, (_, at) => `%envreg${at}`),
];

/** True for a special register of 64 bits. */
export const isWideSpecial = (name: string): boolean => name === '%clock64' || name === '%globaltimer';

/** Where a warp stands: what its special registers tell. */
export interface WarpPlace {
  readonly grid: readonly [x: number, y: number, z: number];
  readonly block: readonly [x: number, y: number, z: number];
  /** Number of the block in the grid: x fastest, then y, z. */
  readonly blockNumber: number;
  /** Number of the warp in its block. */
  readonly warp: number;
  readonly core: number;
  readonly cores: number;
}

/** The value of a special register: one for all lanes, or one by lane. */
export function specialValues(name: string, place: WarpPlace): number | ((lane: number) => number) {
  const { grid, block, blockNumber, warp } = place;
  const [base = '', axis = 'x'] = name.split('.');
  const which = axes.indexOf(axis as Axis);
  switch (base) {
    case '%tid':
      return (lane) => along(warp * 32 + lane, block, which);
    case '%ntid':
      return block[which]!;
    case '%ctaid':
      return along(blockNumber, grid, which);
    case '%nctaid':
      return grid[which]!;
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

/** A number of a row of rows of rows, in one of the three directions. */
function along(number: number, [x, y]: readonly [number, number, number], which: number): number {
  if (which === 0) return number % x;
  return which === 1 ? Math.floor(number / x) % y : Math.floor(number / (x * y));
}
