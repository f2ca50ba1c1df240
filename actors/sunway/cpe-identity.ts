/** Which CPE a program runs on (specification 6.1). */
export interface CpeIdentity {
  /** Number in the array, 0 to 63. */
  readonly tid: number;
  /** Row, 0 to 7. */
  readonly rid: number;
  /** Column, 0 to 7. */
  readonly cid: number;
  /** Core group, 0 to 5. */
  readonly cgn: number;
  /** Number in the order of clusters. */
  readonly spc_tid: number;
  /** Cluster, 0 to 15. */
  readonly spcn: number;
  /** Usable CPEs of a row, 1 to 8. */
  readonly row_size: number;
  /** Usable CPEs of a column, 1 to 8. */
  readonly col_size: number;
}
