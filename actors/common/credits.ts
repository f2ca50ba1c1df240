import { on } from './on.ts';

/*
 * Credits: who sends knows how much room there is at the other end. It has less for each thing that it sends, and more when it is told that room has become free.
 */

/** By name, what is done with a credit, in this order. */
export interface CreditSteps<A extends string> {
  /** One is spent; it may be the last one. */
  readonly spend: readonly A[];
  readonly spendLast: readonly A[];
  /** One comes back; there may have been none. */
  readonly refund: readonly A[];
  readonly refundFirst: readonly A[];
}

/**
 * The states of a count of credits: some, none.
 *
 * Details: `spend` and `refund` are the events that take one and that give one back, `whose` says which of them are about this count: undefined for all. The family has the guard
 * `isLastCredit`, whose parameters are `whose`, too.
 */
export function creditStates<
  const Spend extends string,
  const Refund extends string,
  A extends string,
  const G extends object = { readonly guard: 'isLastCredit' },
  const O extends object = Record<never, never>,
>(
  spend: Spend,
  refund: Refund,
  steps: CreditSteps<A>,
  isLastCredit: G = { guard: 'isLastCredit' } as unknown as G,
  isConcerned: O = {} as O,
) {
  return {
    some: {
      on: {
        ...on(spend, [
          { ...isLastCredit, target: 'none', actions: steps.spendLast },
          { ...isConcerned, actions: steps.spend },
        ]),
        ...on(refund, { ...isConcerned, actions: steps.refund }),
      },
    },
    none: { on: on(refund, { ...isConcerned, target: 'some', actions: steps.refundFirst }) },
  } as const;
}

/** By name, what a sender does in each step, in this order. */
export interface SenderSteps<A extends string> {
  /** Before it chooses. */
  readonly look: readonly A[];
  /** What it has for the credits there are goes out. */
  readonly send: readonly A[];
  /** It lacks credits. */
  readonly wait: readonly A[];
}

/**
 * The states of a sender with credits that has something to send: choosing, noCredit.
 *
 * Details: the family has the state `idle`, and `busy` where sending takes time: `sent` is where it goes on then, `choosing` where it takes none. It says, too, from where what
 * comes in, credits among it, leads to `choosing`, and with which actions. `noCredit` is what it says of that state; `first` comes before a look at the credits. It has
 * the guards `isEmpty` and `lacksCredit`.
 */
export function senderStates<
  A extends string,
  const N extends object,
  const T extends 'busy' | 'choosing',
  const F extends readonly object[],
>(
  { look, send, wait }: SenderSteps<A>,
  { noCredit, sent }: { readonly noCredit: N; readonly sent: T },
  ...first: F
) {
  return {
    choosing: {
      entry: look,
      always: [
        { guard: 'isEmpty', target: 'idle' },
        ...first,
        { guard: 'lacksCredit', target: 'noCredit', actions: wait },
        { target: sent, actions: send },
      ],
    },
    noCredit: { tags: ['waiting'], ...noCredit },
  } as const;
}
