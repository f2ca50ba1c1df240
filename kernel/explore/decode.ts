import { GlobalState, type LocalState, type MessageUnderWay } from '../global-state.ts';
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
  return new GlobalState(
    actorsAt(transitionCache, layout, words, at),
    messagesIn(transitionCache, layout, words, at, length),
  );
}

/** The state at `at` for somebody of whom it is of interest whether he reads the messages: then `read` is called, once. The words have to stay as they are while he looks. */
export function overheardStateAt(
  transitionCache: TransitionCache,
  layout: Layout,
  words: Uint32Array,
  at: number,
  length: number,
  read: () => void,
): GlobalState {
  const state = new GlobalState(actorsAt(transitionCache, layout, words, at), []);
  let messages: GlobalState['messages'] | undefined;
  // Its own and enumerable, so that it is copied, compared and written as any other.
  return Object.defineProperty(state, 'messages', {
    enumerable: true,
    get: () => {
      if (messages === undefined) read();
      messages ??= messagesIn(transitionCache, layout, words, at, length);
      return messages;
    },
  });
}

function actorsAt(
  transitionCache: TransitionCache,
  layout: Layout,
  words: Uint32Array,
  at: number,
): GlobalState['actors'] {
  const actors: LocalState[] = [];
  for (const slot of transitionCache.slots.inOrder(words[at]!)) {
    const local = localAt(layout, words, at, slot);
    if (local === unborn) continue;
    const version = versionAt(layout, words, at, transitionCache.clusterOf(slot));
    actors.push(transitionCache.localStateOf(local, version));
  }
  return actors;
}

function messagesIn(
  transitionCache: TransitionCache,
  layout: Layout,
  words: Uint32Array,
  at: number,
  length: number,
): GlobalState['messages'] {
  const messages: MessageUnderWay[] = [];
  for (let i = messagesAt(layout, words, at); i < at + length; i += 2)
    messages.push(transitionCache.underWay(words[i + 1]!, words[i]!));
  return messages;
}
