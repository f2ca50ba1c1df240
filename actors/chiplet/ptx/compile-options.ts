/** What `addc` means (chiplet specification 4.1): the message instruction, addition with carry, or what the instructions before it say. */
export const messageOpcodes = ['on', 'off', 'auto'] as const;
export type MessageOpcode = (typeof messageOpcodes)[number];

/** Products and sums apart, or one multiply-add where PTX lets the translator make one: of a product and its only sum, or also of one with several sums. */
export const contractions = ['none', 'fuse', 'fuse-all'] as const;
/** Approximate instructions rounded from what is exact, or by the rules that an H100 shows. */
export const approximations = ['exact', 'h100'] as const;
/** Whether lanes of a warp that wait for each other go on. */
export const divergences = ['independent', 'stack'] as const;

/** How texts are compiled. */
export interface CompileOptions {
  /** `auto`: a message unless a carry was made before it in its basic block, as compilers write sums of 128 bits. Default `auto`. */
  readonly messageOpcode?: MessageOpcode;
  /** `fuse`: a product and the sum that takes it, both without rounding modifier, are one multiply-add, as PTX lets the translator do; `fuse-all`: so are a product and each of several sums of its basic block, where nothing else takes it. Default `none`. */
  readonly contraction?: (typeof contractions)[number];
  /**
   * `independent`: lanes that others of their warp wait for let them go on when they have gone round often enough, so that a lock that one of them holds is given back.
   * `stack`: they wait until all have come, as before compute capability 7. Default `independent`.
   */
  readonly divergence?: (typeof divergences)[number];
  /**
   * `h100`: approximate instructions of 32 bits give the bits of an H100: rcp, rsqrt, sqrt, ex2, lg2, sin, cos, div.approx and div.full. tanh, and those of 16 and 64 bits, are rounded from
   * what is exact. Default `exact`.
   */
  readonly approximations?: (typeof approximations)[number];
  /**
   * Moves the result of each approximate instruction to an end of the bound that PTX gives for it; all up for 0, all down for 1, else which end is drawn for each line by this seed. Absent: results
   * are rounded from what is exact. For measuring how much a kernel depends on such results.
   */
  readonly perturbation?: number;
  /** Kernels to compile; all of a text when absent. */
  readonly entries?: readonly string[];
}
