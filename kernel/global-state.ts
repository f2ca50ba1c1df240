import type { LockstepEvent } from './message.ts';

/** A moment of a machine as a property may look at it: local states of all actors, and what is under way. Look, never touch. */
export interface GlobalState {
  /** The actors that have come to life. */
  readonly actors: readonly ActorState[];
  /** What is under way, in the order of due; of one channel and tick in the order of posting. Timers that are set are among it. */
  readonly messages: readonly MessageUnderWay[];
}

/** The local state of one actor. */
export interface ActorState {
  readonly name: string;
  /** The active states, as reports write them; `crashed` for one that is down. */
  readonly state: string;
  readonly context: object;
  /** True when it is tagged as waiting. */
  readonly waits: boolean;
}

/** A message that is not delivered yet. */
export interface MessageUnderWay {
  /** In how many ticks; 0 in an asynchronous wiring. */
  readonly due: number;
  readonly from: string;
  readonly to: string;
  readonly event: LockstepEvent;
}
