import type { CoreId, Operation, ReplyWord } from '../race/race-event.ts';

/** A transfer that will still add to a word. */
export interface InFlight {
  readonly issuer: CoreId;
  readonly operation: Operation;
}

/** A meeting that ends when all its members have come: barriers of any kind, pairs, host with CPEs, core groups of the node. */
export interface Meeting {
  readonly kind: 'row' | 'column' | 'pair' | 'host' | 'node';
  /** The same for all who wait at the same meeting, different for any other: `row 2 with mask 0xff`. */
  readonly name: string;
  readonly members: readonly CoreId[];
}

/** What a core waits for (Sunway specification 7.4). */
export type WaitsFor =
  | { readonly kind: 'meeting'; readonly meeting: Meeting }
  | {
      readonly kind: 'reply';
      readonly word: ReplyWord;
      /** What the word holds, and what it is to reach. */
      readonly current: number;
      readonly value: number;
      readonly inFlight: readonly InFlight[];
    }
  | { readonly kind: 'lock'; readonly lock: string }
  | { readonly kind: 'threads'; readonly threads: readonly CoreId[] }
  /** Something that no other core can give: an answer of memory, of a file, of the task pool. */
  | { readonly kind: 'service'; readonly what: string };

/** Where a core is when nothing moves any more. */
export interface CoreStanding {
  readonly core: CoreId;
  /** `idle`: no thread was started on it. */
  readonly is: 'waiting' | 'running' | 'finished' | 'idle' | 'offline';
  /** The cycle since which it is so. */
  readonly since: number;
  /** What it was doing. */
  readonly operation?: Operation;
  /** For one that waits. */
  readonly waitsFor?: WaitsFor;
}

/** A run that stands still, or may do so soon. */
export interface StandStill {
  readonly cycle: number;
  readonly cores: readonly CoreStanding[];
  /** By lock: who holds it. */
  readonly owners: ReadonlyMap<string, CoreId>;
}
