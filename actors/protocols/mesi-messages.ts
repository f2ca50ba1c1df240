import type { Address } from '../../kernel/message.ts';

/*
 * MESI coherence of one line of memory with a directory (Nagarajan, Sorin, Hill, Wood: "A Primer on Memory Consistency and Cache Coherence", 2020, chapter 8).
 * The directory takes up a request when the one before has been carried out, as its requester tells it; meanwhile others stay under way. So no order of messages
 * is needed. A copy that others may have, too, is given up silently.
 */

/** What caches ask a directory, and tell it. */
export type DirectoryEvent =
  | { readonly type: 'GetS' | 'GetM' | 'Unblock' }
  /** A line that is given up, by its owner. */
  | { readonly type: 'Put'; readonly value: number }
  /** A line whose owner keeps a copy, which others may have, too. */
  | { readonly type: 'WriteBack'; readonly value: number };

/** What a directory, and caches among themselves, tell a cache; `load`, `store` and `evict` are timers: what its processor wants some time. */
export type CacheEvent =
  | { readonly type: 'Data'; readonly value: number; readonly acks: number; readonly exclusive: boolean }
  | { readonly type: 'FwdGetS' | 'FwdGetM' | 'Inv'; readonly requester: Address }
  | { readonly type: 'InvAck' | 'PutAck' }
  | { readonly type: 'load' | 'store' | 'evict' };

/** A processor has read or written the line. */
export interface LineAccessed {
  readonly type: 'line.loaded' | 'line.stored';
  readonly value: number;
}
