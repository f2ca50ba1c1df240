import type { RingBoard, RingDirection } from '../rings.ts';

/** A request that waits for its start (Cell specification 17.1). */
export interface PendingRequest {
  /** Sending node, 0..N-1. */
  readonly src: number;
  /** Receiving node, 0..N-1; equal to `src` for a self transfer. */
  readonly dst: number;
  /** Bytes to move, one a cycle; at least 1, for empty requests never reach the arbiter (Cell specification 11). */
  readonly size: number;
  /** Cycle in which it was issued; it can start in `issue + 1` at the earliest. */
  readonly issue: number;
  /** SPU that issued it. */
  readonly initiator: number;
  /** Its number among the requests of that SPU. */
  readonly id: number;
}

/** What a policy sees: requests issued so far and the rings, nothing of the future (Cell specification 6, 17.1). */
export interface ArbitrationView {
  /** The start cycle being decided. */
  readonly t: number;
  /** All waiting requests in FIFO order: by issue cycle, initiator, id. */
  readonly pending: readonly PendingRequest[];
  /** The rings; a policy leaves their free cycles and holds as they are. */
  readonly board: RingBoard;
  /** Nodes a ring. */
  readonly N: number;
  /** Rings a direction. */
  readonly K: number;
}

/** One start: the request at `index` of the pending list starts in cycle `t` on (dir, ring) (Cell specification 17.1). */
export interface Grant {
  readonly index: number;
  readonly dir: RingDirection;
  readonly ring: number;
}

/** Everything a policy remembers from one decision to the next: plain data, which survives JSON and structured cloning. */
export type PolicyState = { [field: string]: number | number[] | PolicyState };

/** A way to choose starts (Cell specification 17); made by `createPolicy`, one an arbiter. */
export interface Policy {
  readonly name: string;
  /** After each decision no pending request has a free segment in either direction (Cell specification 12, CK-25). */
  readonly workConserving: boolean;
  /** Running it only in cycles after an arrival or a completion gives the same grants (Cell specification 17.1). */
  readonly decidesOnlyOnChange: boolean;
  /**
   * After a decision without grants the following ones grant nothing either, until an arrival or a completion.
   * Weaker than `decidesOnlyOnChange`: it still wants to be asked again in the cycle after a grant.
   */
  readonly restsAfterEmptyRound: boolean;
  /** The state before the first decision, a new object at each call. */
  initialState(): PolicyState;
  /** Chooses the starts of cycle `view.t`, in the order chosen; changes `state` and nothing else a caller can see. */
  decide(view: ArbitrationView, state: PolicyState): readonly Grant[];
}

/** What every policy is made for: the size of the machine (Cell specification 2). */
export interface PolicySpec {
  /** Nodes a ring, 1..1024. */
  readonly N: number;
  /** Rings a direction, 1..64. */
  readonly K: number;
}
