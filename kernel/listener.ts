import type { Address, Message, Probe } from './message.ts';

/**
 * Hears of a run while it goes on: what its streams tell, called directly, for those who judge many runs.
 *
 * Details: nothing is made for a listener; it takes what it wants out of what is there. Listeners hear of a moment before those who subscribe to the streams. Gotchas: it may read, never
 * post, and it must not throw: what it throws is taken for a failure of the actor whose message is handled.
 */
export interface RunListener {
  /** What the actors showed while they started has been told; nothing was delivered yet. */
  started?(): void;
  /** A message has been delivered, after it was handled. Its `due` is the tick. */
  delivered?(message: Message, to: string, index: number): void;
  /** An actor shows something. */
  shown?(tick: number, actor: string, probe: Probe, address: Address): void;
  /** A tick that had messages is over. */
  tickEnded?(tick: number): void;
  /** From the end of this tick on it is looked whether the state at hand comes again; with false no longer. */
  roundSought?(begins: boolean): void;
}
