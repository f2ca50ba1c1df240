import type { LockstepEvent } from '../message.ts';
import { unborn } from './alternative.ts';
import type { Repertoire } from './repertoire.ts';
import { budgetAt, type Layout, localAt, messagesAt } from './state-words.ts';
import type { Watchers } from './watchers.ts';

/** A state of a machine as data. */
export interface DecodedState {
  /** The actors that have come to life. */
  readonly actors: readonly {
    readonly name: string;
    /** The active states, as reports write them. */
    readonly state: string;
    readonly context: object;
    /** True when it is tagged as waiting. */
    readonly waits: boolean;
  }[];
  /** What is under way, in the order of due; `due` is in how many ticks. Of one channel and tick in the order of posting. */
  readonly messages: readonly {
    readonly due: number;
    readonly from: string;
    readonly to: string;
    readonly event: LockstepEvent;
  }[];
  /** What the observers remember. */
  readonly memories: readonly object[];
  /** The budget state of faults: which of them have struck how often. */
  readonly budgetState: number;
}

/** A state, written from the start of `words` on, as data. Contexts and events are those of the exploration: look, never touch. */
export function decode(
  repertoire: Repertoire,
  watchers: Watchers,
  layout: Layout,
  words: Uint32Array,
  length: number,
): DecodedState {
  const slots = Array.from({ length: words[0]! }, (_, slot) => slot);
  const messages: DecodedState['messages'][number][] = [];
  for (let i = messagesAt(layout, words, 0); i < length; i += 2) {
    const mail = words[i + 1]!;
    messages.push({
      due: words[i]!,
      from: repertoire.slots.senderName(mail),
      to: repertoire.slots.receiverOf(mail).name,
      event: repertoire.slots.eventOf(mail),
    });
  }
  return {
    actors: slots
      .map((slot) => ({ slot, local: localAt(layout, words, 0, slot) }))
      .filter(({ local }) => local !== unborn)
      .map(({ slot, local }) => ({
        name: repertoire.slots.of(slot).name,
        ...repertoire.locals.describe(local),
      })),
    messages,
    memories: watchers.memories(words, 0),
    budgetState: budgetAt(layout, words, 0),
  };
}
