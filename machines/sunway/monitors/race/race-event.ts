/** A core of the node, numbered by `cpeCore` and `mpeCore`. */
export type CoreId = number;

/** Cores of one core group: CPE 0 to 63, and the MPE. */
export const coresPerGroup = 65;

/** The CPE `tid` (0 to 63) of core group `group` (0 to 5). */
export const cpeCore = (tid: number, group = 0): CoreId => group * coresPerGroup + tid;

/** The MPE of core group `group` (0 to 5). */
export const mpeCore = (group = 0): CoreId => group * coresPerGroup + 64;

/** The core group that a core belongs to. */
export const groupOf = (core: CoreId): number => Math.floor(core / coresPerGroup);

/** A core as people write it: `CPE 5`, `MPE`; with its core group where that is not 0. */
export function coreName(core: CoreId): string {
  const [group, tid] = [groupOf(core), core % coresPerGroup];
  const name = tid === 64 ? 'MPE' : `CPE ${tid}`;
  return group === 0 ? name : `${name} of CG ${group}`;
}

/** Where bytes lie: the LDM of the core with this number, or `mainMemory`. */
export type Space = number;

/** The main memory of all core groups and the cross segment: one space, since addresses tell them apart. */
export const mainMemory: Space = -1;

/** A space as people write it. */
export const spaceName = (space: Space): string =>
  space === mainMemory ? 'main memory' : `LDM of ${coreName(space)}`;

/** Contiguous bytes of one space. */
export interface Bytes {
  readonly space: Space;
  readonly address: number;
  readonly bytes: number;
}

/** Bytes of one space in blocks that lie `gap` bytes apart (Sunway specification 4.1); contiguous when `blockBytes` is absent. */
export interface Blocks extends Bytes {
  /** Bytes of a block; divides `bytes`. */
  readonly blockBytes?: number;
  /** Bytes between the end of a block and the start of the next. */
  readonly gap?: number;
}

/** A reply word: an offset in the LDM of its core. */
export interface ReplyWord {
  readonly space: Space;
  readonly offset: number;
}

/** Which operation of its core an event belongs to: the call, and its number among those of the program. */
export interface Operation {
  readonly name: string;
  readonly step: number;
}

/** Who does something, when, in which operation. */
interface Deed {
  readonly core: CoreId;
  readonly cycle: number;
  readonly operation: Operation;
}

/**
 * A core loads or stores.
 *
 * Details: `flag` marks accesses that the program uses to synchronise; `atomic` ones read and write in one step. `cached` ones go through the
 * data cache of the core.
 */
export interface AccessEvent extends Deed, Bytes {
  readonly kind: 'load' | 'store';
  readonly flag?: boolean;
  readonly atomic?: boolean;
  readonly cached?: boolean;
  /** What a store writes, which counts where a reply word is. Zeros when absent. */
  readonly data?: Uint8Array;
}

/** What one increment of a transfer announces: its source has been read, or the copy of this number is in place. */
export interface ReplyOfTransfer {
  readonly word: ReplyWord;
  readonly role: 'local' | 'remote';
  readonly announces: 'source' | number;
}

/** A core issues a transfer (Sunway specification 3.3, 4). Its source and its copies may be touched from now until an increment is covered. */
export interface IssueEvent extends Deed {
  readonly kind: 'issue';
  /** Unique in the run. */
  readonly transfer: number;
  readonly engine: 'dma' | 'rma';
  readonly action: 'get' | 'put' | 'broadcast';
  readonly source: Blocks;
  readonly copies: readonly Blocks[];
  readonly replies: readonly ReplyOfTransfer[];
}

/** A core queues a barrier operation (Sunway specification 7.2) for its transfers of one engine or of both. */
export interface OrderEvent extends Deed {
  readonly kind: 'order';
  readonly engine: 'dma' | 'rma' | 'both';
}

/** A core stores to a reply word. */
export interface ReplyStoreEvent extends Deed {
  readonly kind: 'reply.store';
  readonly word: ReplyWord;
  readonly value: number;
}

/** A wait for a value of a reply word returns, or the program reads the word and finds the value. */
export interface ReplySeenEvent extends Deed {
  readonly kind: 'reply.waited' | 'reply.read';
  readonly word: ReplyWord;
  readonly value: number;
}

/** A core arrives at a group synchronisation, whatever primitives it is made of, or leaves it. Instances of one name follow each other. */
export interface GroupEvent extends Deed {
  readonly kind: 'group.arrive' | 'group.leave';
  /** Names the barrier and its group: `array of CG 0`, `pair 3 7`. */
  readonly group: string;
  readonly members: readonly CoreId[];
}

/** A core owns a lock, or gives it back. */
export interface LockEvent extends Deed {
  readonly kind: 'lock' | 'unlock';
  readonly lock: string;
}

/** A CPE sends a signal, or the MPE begins to handle it. */
export interface SignalEvent extends Deed {
  readonly kind: 'signal.send' | 'signal.handle';
  readonly signal: string;
}

/** An MPE starts threads, begins to wait for their end, or has waited for it. */
export interface ThreadsEvent extends Deed {
  readonly kind: 'spawn' | 'joining' | 'join';
  readonly threads: readonly CoreId[];
}

/** A thread ends. */
export interface ThreadEvent extends Deed {
  readonly kind: 'thread.end';
}

/** LDM bytes are given back. */
export interface FreeEvent extends Deed, Bytes {
  readonly kind: 'free';
}

/** A line of a core's data cache is filled, written back whole, or dropped. */
export interface CacheEvent extends Deed {
  readonly kind: 'cache.fill' | 'cache.writeBack' | 'cache.drop';
  readonly address: number;
  readonly bytes: number;
}

/** All that the race detector wants to know of a run, in the order in which it happened. */
export type RaceEvent =
  | AccessEvent
  | IssueEvent
  | OrderEvent
  | ReplyStoreEvent
  | ReplySeenEvent
  | GroupEvent
  | LockEvent
  | SignalEvent
  | ThreadsEvent
  | ThreadEvent
  | FreeEvent
  | CacheEvent;
