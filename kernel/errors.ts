/**
 * Everything the kernel refuses, with its cause and its cure. A user's mistake gets one of these; a
 * programmer's mistake gets an `invariant`.
 */
export const kernelErrors = {
  KRN001: {
    cause: 'a state machine uses a feature the compiler does not support',
    cure: 'say the same with messages, timers and the context: what stands for the feature follows its name',
  },
  KRN002: {
    cause: 'a name in the states object has no implementation',
    cure: 'add it to the actions or guards of setup()',
  },
  KRN003: {
    cause: 'an action or guard was not made by the component kit',
    cure: 'make it with update, post, choose, probe, report, act or when',
  },
  KRN004: {
    cause: 'an event arrived that the state neither handles nor refuses',
    cure: "handle it; where it may come and nothing is to be done, list it: on: { 'the.event': refused }",
  },
  KRN005: {
    cause: 'an address has no actor, or one that is inside another and is spoken to, or crashed, by itself',
    cure: 'take addresses from the wiring, and let the outside deal with the whole',
  },
  KRN006: {
    cause: 'a delay is not a non-negative integer, or a timer has no ticks',
    cure: 'delays are whole ticks, 0 for the same tick; a timer has 1 or more',
  },
  KRN007: {
    cause: 'a context holds something that cannot be snapshotted',
    cure: 'use plain data, a Resource, or fixed(value) for what never changes',
  },
  KRN008: {
    cause: 'an action, guard or context factory threw',
    cure: 'see the message; recipes may not fail on any event the state accepts',
  },
  KRN009: {
    cause: 'always-transitions never come to rest',
    cure: 'give each cycle of always-transitions a guard that turns false',
  },
  KRN010: {
    cause: 'a snapshot does not belong to this run',
    cure: 'restore it in a run of the same wiring and engine',
  },
  KRN011: {
    cause: 'two actors share an object that changes, so that neither can be explored by itself',
    cure: 'give each actor an object of its own, wrap what never changes in fixed(value), or declare what they share with wiring.share(name, object)',
  },
  KRN012: {
    cause: 'a delay is too long for the exhaustive checker',
    cure: 'use delays below 2^32 ticks where all schedules are explored',
  },
  KRN013: {
    cause: 'actors that a machine declares to be exchangeable are not',
    cure: 'mend the symmetry that the machine declares, or explore without it',
  },
  KRN014: {
    cause: 'an observer of a run threw',
    cure: 'mend the observer, or let it take the errors of what it subscribes to',
  },
  KRN015: {
    cause: 'an actor of an asynchronous wiring asks for the time, or posts with a delay',
    cure: 'set a timer, which may go off at any step, or use a clocked wiring',
  },
  KRN016: {
    cause: 'the network of a wiring cannot be as it was asked for',
    cure: 'see the keys of a network: order, duplicating, lossy, partitions, crashes',
  },
  KRN017: {
    cause: 'a wiring or a member of a family that is made anew is not what it was before',
    cure: 'make it depend on nothing but what it is asked for: the same actors with the same state machines and inputs each time',
  },
  KRN018: {
    cause: 'an actor reads the time, and the tick is no part of the states that several threads share',
    cure: 'explore with one thread, or up to a last tick (until)',
  },
  KRN019: {
    cause: 'a run without end has made more picks than a tape can hold',
    cure: 'bound it by a last tick (until)',
  },
  KRN020: {
    cause:
      'a message, a timer, or what an actor shows or remembers, is not as the protocol of its machine declares it',
    cure: 'mend what is posted, set, shown or remembered, or the fields that the protocol declares',
  },
  KRN021: {
    cause:
      'a wiring has two actors of one name, or something that is no state machine, or a place that was not reserved or is taken, or an object that is shared and would be copied',
    cure: 'reserve each name once, place a state machine that createMachine made at each, and hand what is shared over as input',
  },
  KRN022: {
    cause:
      'the function that bounds an exploration (boundary of the wiring, --constraint) throws, or does not say true or false',
    cure: 'let it return true for a state that is entered, and false for one that is not',
  },
  KRN023: {
    cause: 'an exploration is to go on from a checkpoint of another one: the machine is not what it was',
    cure: 'begin anew, without the checkpoint',
  },
  KRN024: {
    cause: 'an option, or its value, is not known',
    cure: 'write it as it is named there; what is left out has its default',
  },
  KRN025: {
    cause:
      'a recipe or a guard does something else when the same event comes in the same state; the order of the keys of an object is no part of a state',
    cure: 'let it depend on context and event alone: chance is a pick, time a timer, and what it remembers stands in the context and not in a variable of the module',
  },
  KRN026: {
    cause: 'who only looks (a property, the boundary, a map) changes what it is shown',
    cure: 'change a copy: [...list].sort(), list.slice(1), structuredClone(context)',
  },
} as const;

/** Code of an entry of the kernel's error catalogue. */
export type KernelErrorCode = keyof typeof kernelErrors;

/** A mistake in a state machine, a wiring or a snapshot, found by the kernel. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly isMistake = true;
  constructor(
    readonly code: KernelErrorCode,
    /** Where it was found: an actor, a state, an event. */
    readonly place: string,
    what: string,
    /** `cure`: another one than that of the code. */
    options?: { readonly cause?: unknown; readonly cure?: string },
  ) {
    super(`${code} ${place}: ${what}\n  help: ${options?.cure ?? kernelErrors[code].cure}`, options);
  }
}

/**
 * Stops with `why` when a condition that the code relies on is false. Stays on in production.
 *
 * Gotchas: a text with values in it is put together at every call; where that is often, write `if (…) defect(…)`.
 */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) defect(why);
}

/** Stops: something that the code relies on is not so. Errors: always. */
export function defect(why: string): never {
  throw new Error(`Lockstep defect: ${why}`);
}
