/** What `addc` means (chiplet specification 4.1): the message instruction, addition with carry, or what the instructions before it say. */
export type MessageOpcode = 'on' | 'off' | 'auto';

/** How texts are compiled. */
export interface CompileOptions {
  /** Default `on`. */
  readonly messageOpcode?: MessageOpcode;
  /** Kernels to compile; all of a text when absent. */
  readonly entries?: readonly string[];
}
