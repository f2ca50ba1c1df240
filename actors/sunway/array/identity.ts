/** CPEs of the array of one core group (Sunway specification 1). */
export const arrayCpes = 64;
/** Rows of the array, and columns: `tid = 8*rid + cid`. */
export const arraySide = 8;

/** The row (`rid`) of a CPE, 0..7. */
export const rowOf = (tid: number): number => tid >> 3;

/** The column (`cid`) of a CPE, 0..7. */
export const columnOf = (tid: number): number => tid & 7;

/** The CPE at a row and a column, each 0..7. */
export const tidAt = (row: number, column: number): number => row * arraySide + column;

/** The cluster-ordered number (`spc_tid`) of a CPE, 0..63 (Sunway specification 1, identity transform). */
export const spcTidOf = (tid: number): number =>
  (tid & 0b110001) | ((tid & 0b000110) << 1) | ((tid & 0b001000) >> 2);

/** The CPE that has a cluster-ordered number: the inverse of `spcTidOf`. */
export const tidOfSpcTid = (spcTid: number): number =>
  (spcTid & 0b110001) | ((spcTid & 0b000010) << 2) | ((spcTid & 0b001100) >> 1);

/** The cluster (`spcn`) of a CPE, 0..15. */
export const spcOf = (tid: number): number => spcTidOf(tid) >> 2;

/** The four CPEs of a cluster in order of `spc_tid`. */
export const spcMembers = (spc: number): readonly number[] =>
  [0, 1, 2, 3].map((place) => tidOfSpcTid(4 * spc + place));

/** How far two CPEs are from each other on the 4x4 grid of routers. */
export interface SpcDistance {
  /** Columns of routers between them, 0..3. */
  readonly x: number;
  /** Rows of routers between them, 0..3. */
  readonly y: number;
}

/** The distance of two CPEs in hops between the routers of their clusters. */
export const spcDistance = (a: number, b: number): SpcDistance => ({
  x: Math.abs((columnOf(a) >> 1) - (columnOf(b) >> 1)),
  y: Math.abs((rowOf(a) >> 1) - (rowOf(b) >> 1)),
});
