import type { FaultTally } from './faults.ts';
import type { Message } from './message.ts';

/** How a run ended, worst first in the order of the command line. */
export type Verdict = 'ok' | 'violated' | 'deadlock' | 'livelock' | 'error';

/** A property that did not hold, and where. */
export interface Violation {
  /** The sentence. */
  readonly property: string;
  readonly tick: number;
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  readonly why: string;
}

/** An actor that waits at the end of a run. */
export interface Waiting {
  readonly actor: string;
  readonly state: string;
  /** The tick in which it began to wait. */
  readonly since: number;
  /** What it waits for, in words. */
  readonly waitsFor: string;
  /** The actors that could end the waiting. */
  readonly on: readonly string[];
}

/** A run that went quiet while actors wait. */
export interface Deadlock {
  readonly tick: number;
  readonly waiting: readonly Waiting[];
  /** Actors that wait for each other in a circle, each for the next; empty when there is no circle. */
  readonly cycle: readonly string[];
}

/** A message that is under way, with the names of its parties. */
export interface IdleMessage {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** A tick that did not come to its end. */
export interface Livelock {
  readonly tick: number;
  /** The deliveries that one tick may have. */
  readonly budget: number;
  /** The messages that repeat, most frequent first, among the last deliveries. */
  readonly repeating: readonly {
    readonly from: string;
    readonly to: string;
    readonly type: string;
    readonly count: number;
  }[];
}

/** Two ticks with the same states and the same messages under way, as far ahead: what came between them can come again and again. */
export interface Round {
  readonly from: number;
  readonly to: number;
}

/** An event nobody decided on, or a recipe that threw. */
export interface Failure {
  readonly tick: number;
  readonly actor: string;
  readonly event: string;
  readonly message: string;
  readonly error: unknown;
  /** What the actor could not handle, in its envelope. */
  readonly received: Message;
}

/** What is known about a run so far. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Ticks that have passed: the number of the last one with messages plus one, 0 when nothing happened; of a run that broke off within a tick the number of that one. */
  readonly ticks: number;
  readonly deliveries: number;
  readonly violations: readonly Violation[];
  /** True for a run that was cut where it could have gone on: at its last step, at the boundary of the wiring, or where it goes round. */
  readonly cut?: true;
  /** The round of a run that was cut since it goes round. */
  readonly round?: Round;
  readonly deadlock?: Deadlock;
  /** At the rest of an asynchronous run: messages that stay under way, and change nothing where they go. Absent when there are none. */
  readonly idle?: readonly IdleMessage[];
  readonly livelock?: Livelock;
  readonly failure?: Failure;
  /** How often each fault could have struck and did; absent in a run without faults. */
  readonly faults?: readonly FaultTally[];
}

/**
 * What a state tagged `waiting` declares as `meta.waitsFor`: what it waits for and, computed from the context, on whom; a text for the first alone.
 */
export interface WaitsFor<C = Record<string, unknown>> {
  readonly what: string;
  readonly on?: (context: C) => readonly number[] | number;
}

/** Types the `meta` of a waiting state: `meta: waitsFor<DmaContext>('a grant', (dma) => dma.arbiter)`. */
export function waitsFor<C>(
  what: string,
  on?: (context: C) => readonly number[] | number,
): { readonly waitsFor: WaitsFor<C> } {
  return { waitsFor: on ? { what, on } : { what } };
}

/** A state in which an actor waits: `stuck: { ...waitingFor<DmaContext>('a grant', (dma) => dma.arbiter), on: … }`. A run that goes quiet in it is a deadlock. */
export const waitingFor = <C>(what: string, on?: (context: C) => readonly number[] | number) => ({
  tags: ['waiting' as const],
  meta: waitsFor<C>(what, on),
});

/**
 * `meta` of a state machine that is no part of what is modelled, but of how it is driven: it hands out turns, or counts. Explanations leave it out
 * where they can.
 */
export const bookkeeping = { bookkeeping: true } as const;
