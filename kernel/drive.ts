import type { AnyStateMachine } from 'xstate';
import { compile } from './compile.ts';
import { type Address, type LockstepEvent, type Post, WORLD } from './message.ts';
import { silentPort } from './port.ts';

/** What a state machine that is driven posted, and the tick in which that is due. */
export type DrivenPost = Post & { readonly due: number };

/** A state machine that runs alone. */
export interface Driven {
  /** Its context, as it is now. */
  readonly context: Record<string, unknown>;
  /** Hands it an event in a tick, which stays the same when none is given, and tells what it posts. `from`: who sent it, the outside when nobody is named. */
  take(event: LockstepEvent, now?: number, from?: Address): readonly DrivenPost[];
}

/**
 * Starts a state machine alone in tick 0, to be handed events one by one at times of one's own: for tests of a part's timing.
 *
 * Details: every pick is 0; probes, reports and timers vanish; nothing that is posted is delivered, not even to itself.
 */
export function drive(machine: AnyStateMachine, input: unknown, self: Address): Driven {
  let posts: DrivenPost[] = [];
  const port = {
    ...silentPort,
    self,
    post: (message: Post) => {
      posts.push({ ...message, due: port.now + (message.delay ?? 0) });
    },
    send: (to: Address, delay: number | undefined, message: Post) => {
      posts.push({ ...message, to, due: port.now + (delay ?? 0) });
    },
  };
  const tables = compile(machine);
  const state = tables.start(input, port);
  return {
    get context() {
      return state.context;
    },
    take(event, now = port.now, from = WORLD) {
      port.now = now;
      port.from = from;
      posts = [];
      tables.react(state, event, port);
      return posts;
    },
  };
}
