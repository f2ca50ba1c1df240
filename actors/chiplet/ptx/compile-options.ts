/** What `addc` means (chiplet specification 4.1): the message instruction, addition with carry, or what the instructions before it say. */
export type MessageOpcode = 'on' | 'off' | 'auto';

/** How texts are compiled. */
export interface CompileOptions {
  /** Default `on`. */
  readonly messageOpcode?: MessageOpcode;
  /** `fuse`: a product and the sum that takes it, both without rounding modifier, are one multiply-add, as PTX lets the translator do. Default `none`. */
  readonly contraction?: 'none' | 'fuse';
  /**
   * `independent`: lanes that others of their warp wait for let them go on when they have gone round often enough, so that a lock that one of them holds is given back.
   * `stack`: they wait until all have come, as before compute capability 7. Default `independent`.
   */
  readonly divergence?: 'independent' | 'stack';
  /**
   * Moves the result of each approximate instruction to an end of the bound that PTX gives for it; all up for 0, all down for 1, else which end is drawn for each line by this seed. Absent: results
   * are rounded from what is exact. For measuring how much a kernel depends on such results.
   */
  readonly perturbation?: number;
  /** Kernels to compile; all of a text when absent. */
  readonly entries?: readonly string[];
}
