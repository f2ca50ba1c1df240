import type { Address, Probe } from '../message.ts';

/** Two actors that change places: what each address and each number of an actor becomes. */
export interface Exchange {
  address(address: Address): Address;
  /** Of the number of an actor, which is its place in the list of those that can be exchanged, from 0. */
  index(index: number): number;
}

/** Whose data are exchanged: the context of an actor, or an event that it receives. */
export interface Exchanged {
  readonly actor: string;
  readonly isEvent: boolean;
}

/**
 * Actors that can change places without anybody noticing: what a machine declares, so that states that differ in nothing else can be explored once.
 *
 * Details: all have one state machine. Who keeps several of them in a context, in whatever order, keeps them sorted, or the order must come out the same.
 */
export interface Symmetry {
  /** Their names, in the order of their numbers. */
  readonly actors: readonly string[];
  /** A copy of the context of an actor, or of an event that it receives, as it is when two of them have changed places. */
  exchange(
    data: Readonly<Record<string, unknown>>,
    exchange: Exchange,
    of: Exchanged,
  ): Record<string, unknown>;
  /** The same of what an actor shows; absent, or undefined, where it is not known which fields name actors. */
  exchangeShown?(probe: Probe, exchange: Exchange, actor: string): Probe | undefined;
}
