import type { GlobalState, MessageUnderWay } from '../global-state.ts';
import { unborn } from './alternative.ts';
import type { Repertoire } from './repertoire.ts';
import { budgetAt, type Layout, localAt, messagesAt } from './state-words.ts';
import type { Watchers } from './watchers.ts';

/** A state of a machine as data. */
export interface DecodedState extends GlobalState {
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
  const messages: MessageUnderWay[] = [];
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
