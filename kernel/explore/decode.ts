import { GlobalState, type LocalState } from '../global-state.ts';
import type { Context } from '../tables.ts';
import { unborn } from './alternative.ts';
import { budgetAt, type Layout, localAt, messagesAt, versionAt } from './state-words.ts';
import type { TransitionCache } from './transition-cache.ts';
import type { Watchers } from './watchers.ts';

/** A state of a machine as data, with all that the checker tells states apart by. */
export interface DecodedState extends Pick<GlobalState, 'messages'> {
  /** The actors that have come to life. */
  readonly actors: readonly LocalState<object>[];
  /** What the observers remember. */
  readonly memories: readonly object[];
  /** The budget state of faults: which of them have struck how often. */
  readonly budgetState: number;
}

/** A state, written from the start of `words` on, as data. Contexts and events are those of the exploration: look, never touch. */
export function decode(
  transitionCache: TransitionCache,
  watchers: Watchers,
  layout: Layout,
  words: Uint32Array,
  length: number,
): DecodedState {
  const { actors, messages } = globalStateAt(transitionCache, layout, words, 0, length);
  return {
    actors,
    messages,
    memories: watchers.memories(words, 0),
    budgetState: budgetAt(layout, words, 0),
  };
}

/** Actors and messages of the state at `at`. */
export function globalStateAt(
  transitionCache: TransitionCache,
  layout: Layout,
  words: Uint32Array,
  at: number,
  length: number,
): GlobalState {
  const { slots } = transitionCache;
  const actors: GlobalState['actors'][number][] = [];
  // In the order of a run, whoever came to life first.
  const inOrder = Array.from({ length: words[at]! }, (_, slot) => slot).sort(
    (one, other) => slots.addressOf(one) - slots.addressOf(other),
  );
  for (const slot of inOrder) {
    const local = localAt(layout, words, at, slot);
    if (local === unborn) continue;
    const version = versionAt(layout, words, at, transitionCache.clusterOf(slot));
    const { state, context, waits } = transitionCache.describe(local, version);
    actors.push({ name: slots.of(slot).name, state, context: context as Context, waits });
  }
  const messages: GlobalState['messages'][number][] = [];
  for (let i = messagesAt(layout, words, at); i < at + length; i += 2) {
    const messageId = words[i + 1]!;
    messages.push({
      due: words[i]!,
      from: slots.senderName(messageId),
      to: slots.receiverOf(messageId).name,
      event: slots.eventOf(messageId),
    });
  }
  return new GlobalState(actors, messages);
}
