import type { LockstepEvent, Probe } from '../message.ts';

/** A message as it was delivered, or what an actor showed: what an observer sees. Actors are named as in reports. */
export type Sight =
  | { readonly kind: 'message'; readonly from: string; readonly to: string; readonly event: LockstepEvent }
  | { readonly kind: 'probe'; readonly actor: string; readonly probe: Probe };

/** A place in which the sentence of an observer does not hold. */
export interface Found {
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  readonly why: string;
  /** The sentence that does not hold, for an observer of several; its own when absent. */
  readonly property?: string;
}

/**
 * A sentence that must hold in every run, in the form in which the exhaustive checker can judge it: all that it remembers is data.
 *
 * Details: `Memory` is plain data (objects, lists, maps, sets, numbers, strings) that the functions below change in place; nothing else may
 * influence them. The checker counts the memory as part of the state of the machine and keeps copies of it, so what is finite and small here is finite
 * and small there: remember what matters for the verdict, not what happened. What a handling shows is seen before the message that it handled, as in
 * the streams of a run.
 *
 * Gotchas: there is no absolute time, or no two states would ever be equal; an observer of durations counts them down in `advance`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of observers holds observers of any memory
export interface Observer<Memory extends object = any> {
  /** The sentence. */
  readonly sentence: string;
  /**
   * Types of the messages and probes that it looks at; all when absent. Name them: deliveries that the same observer looks at are explored in every
   * order, the others are not.
   */
  readonly watches?: readonly string[];
  /** The memory before the first delivery. */
  begin(): Memory;
  /** Looks at one thing that happened. */
  see(memory: Memory, sight: Sight): Found | undefined;
  /**
   * The memory after two actors that can be exchanged have changed places, as a new object: declares that the sentence says of one what it says of the other. Without
   * it the memory is taken to name nobody, and an exploration that exchanges actors warns.
   */
  exchange?(memory: Memory, nameOf: (name: string) => string): Memory;
  /** The clock moves on by so many ticks, at least 1, to the next tick that has a message. */
  advance?(memory: Memory, ticks: number): Found | undefined;
  /** A tick is over. */
  endOfTick?(memory: Memory): Found | undefined;
  /** Nothing will happen any more: what never came will never come. */
  quiet?(memory: Memory): Found | undefined;
}
