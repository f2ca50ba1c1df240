import type { Observer } from '../../kernel/explore/observer.ts';

/** Declares that a sentence says of each party what it says of every other, and that its memory names none: so it may be judged where parties are exchanged. */
export const symmetric = <Memory extends object>(sentence: Observer<Memory>): Observer<Memory> => ({
  ...sentence,
  exchange: (memory) => ({ ...memory }),
});
