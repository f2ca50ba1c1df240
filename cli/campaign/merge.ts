import type { Outputs } from '../output.ts';
import type { Terminal } from '../terminal.ts';

/** What `lockstep merge` is asked for. */
export interface Merge {
  readonly files: readonly string[];
  /** Folder. */
  readonly out: string;
  readonly json: boolean;
  readonly outputs: Outputs;
  readonly terminal: Terminal;
}
