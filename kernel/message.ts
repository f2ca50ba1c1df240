/**
 * A place a message can be sent to: the number the wiring gave to an actor.
 *
 * Details: actors placed one by one have addresses from 0; members of a family (see `Wiring.family`) have
 * addresses above, computed from the family and the member's index, so that an address never depends on
 * what happened in a run.
 */
export type Address = number & {
  readonly __brand: 'Address';
  // biome-ignore lint/suspicious/noExplicitAny: an address of which no role is known goes wherever one of a role does
  readonly __role?: any;
};

/** The outside of the machine: the sender of the messages that start a run. */
export const WORLD = -1 as Address;

/** An event as XState sees it: a type and a payload. Events are immutable once posted. */
export interface LockstepEvent {
  readonly type: string;
}

/**
 * What an actor posts: an event, the address it goes to, and how many ticks later it is due.
 *
 * Details: what is posted is a copy, unless the wiring says `zeroCopy`. Gotchas: `delay` is a non-negative integer, 0 (this tick) when absent. A payload is plain data (KRN007).
 */
export interface Post extends LockstepEvent {
  readonly to: Address;
  readonly delay?: number;
}

/** An event in its envelope, as the calendar keeps it and as observers see it. */
export class Message {
  constructor(
    /** Number of the post in this run, from 0: total order of posting. */
    readonly seq: number,
    /** The tick in which it is delivered. */
    readonly due: number,
    readonly from: Address,
    readonly to: Address,
    /** `seq` of the message whose handling posted this one, -1 for a message from the outside. */
    readonly cause: number,
    readonly event: LockstepEvent,
    /** True for a timer that goes off: it comes from the actor itself and has no channel. */
    readonly timer = false,
  ) {}

  /** The same message as it is delivered in a tick that nobody knew when it was posted. */
  in(tick: number): Message {
    return new Message(this.seq, tick, this.from, this.to, this.cause, this.event, this.timer);
  }
}

/** Something an actor shows to observers. It never influences the run. */
export interface Probe {
  readonly type: string;
}

/** Something an actor found wrong: it makes the verdict of the run `violated`. */
export interface Report {
  /** The sentence that does not hold. */
  readonly property: string;
  /** What was found, in the words of the machine. */
  readonly why: string;
}

/** What a message says, and the tick in which it is due. */
export type MessageContent = Pick<Message, 'event' | 'due'>;
