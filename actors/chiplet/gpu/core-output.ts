import type { LaneMessage } from '../ptx/lane-messages.ts';
import type { MemoryRequest } from './load-store-unit.ts';

/** What a core wants others to know after a cycle. */
export interface CoreOutput {
  readonly reads: MemoryRequest[];
  readonly writes: { readonly segment: number; readonly cycle: number }[];
  /** Message instructions, by the slot of their warp. */
  readonly messages: { readonly slot: number; readonly lanes: readonly LaneMessage[] }[];
  /** Blocks that ended. */
  readonly ended: number[];
}

export const noOutput = (): CoreOutput => ({ reads: [], writes: [], messages: [], ended: [] });

/** Forgets what others have been told. */
export function emptyOutput({ reads, writes, messages, ended }: CoreOutput): void {
  if (reads.length > 0) reads.length = 0;
  if (writes.length > 0) writes.length = 0;
  if (messages.length > 0) messages.length = 0;
  if (ended.length > 0) ended.length = 0;
}
