import type { Post } from '../../../kernel/message.ts';

/*
 * What gates of chiplets and the cycle barrier say to each other (chiplet specification 10). Cycles are those of a chiplet's counter; ticks are
 * ticks of the system, in which a chiplet that stands at a meeting counts nothing.
 */

/** A part of a chiplet posts something that is due after the next meeting: its gate keeps it until then. */
export interface GateHold {
  readonly type: 'gate.hold';
  /** The message, without a delay. */
  readonly letter: Post;
  /** Cycles that the chiplet has counted when it is due. */
  readonly at: number;
}

/** A gate has come to the cycle of a meeting. */
export interface GateMeet {
  readonly type: 'gate.meet';
  readonly generation: number;
}

/** A gate stops. */
export interface SyncArrive {
  readonly type: 'sync.arrive';
  /** Index of the chiplet. */
  readonly chiplet: number;
  /** Number of the meeting, from 0. */
  readonly generation: number;
  /** Its cycle counter. */
  readonly cycle: number;
  /** The tick in which it came there; before the one in which it says so when it had nothing to do since. */
  readonly tick: number;
}

/** A chiplet has come to its end: it counts as arrived at all later meetings. */
export interface SyncFinish {
  readonly type: 'sync.finish';
  readonly chiplet: number;
  readonly cycle: number;
}

/** Somebody stands at a meeting: who has not arrived does so when he has counted as far. */
export interface SyncCall {
  readonly type: 'sync.call';
  readonly generation: number;
}

/** All have arrived; the next meeting is in `cycle`. */
export interface SyncRelease {
  readonly type: 'sync.release';
  /** The meeting that is over. */
  readonly generation: number;
  readonly cycle: number;
  /** The tick in which the last one came. */
  readonly tick: number;
}
