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

/** The state at `at` with messages as a property of its own that is described. */
export function overheardStateAt(
  transitionCache: TransitionCache,
  layout: Layout,
  words: Uint32Array,
  at: number,
  messages: PropertyDescriptor,
): GlobalState {
  // No constructor: what replaces a property makes an object slow.
  const state = Object.create(GlobalState.prototype) as { actors: GlobalState['actors'] };
  state.actors = actorsAt(transitionCache, layout, words, at);
  return Object.defineProperty(state, 'messages', messages) as GlobalState;
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

/** The messages under way in the state at `at`. */
export function messagesIn(
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
