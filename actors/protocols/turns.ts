import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { bookkeeping } from '../../kernel/outcome.ts';

/** Asks for one turn. Gotchas: what may happen at the same time is what is asked for; an asker has to remember what it wants to do. */
export interface TurnAsk {
  readonly type: 'turn.ask';
  readonly by: Address;
  /** On whose behalf; the asker itself when absent. */
  readonly for?: Address;
}

/** The asker may carry out one step, now. */
export interface TurnTake {
  readonly type: 'turn.take';
  /** On whose behalf it asked. */
  readonly for: Address;
}

/** A turn that was asked for. */
export interface Asked {
  readonly by: Address;
  readonly for: Address;
}

/** Fixed when the parts are wired. */
export interface TurnsSpec {
  readonly self: Address;
  /** Who has something to do from the beginning, as if it had asked. */
  readonly askers?: readonly Address[];
}

/** What the turns remember. */
export interface TurnsContext {
  readonly self: Address;
  /** By address, whom it is for first: who asked first must make no difference to what can happen. */
  asked: Asked[];
}

type TurnsEvent = TurnAsk | { readonly type: 'turn.next' };

const { update, post, when, choose } = component<TurnsContext, TurnsEvent>();
const inOrder = (one: Asked, other: Asked) => one.for - other.for || one.by - other.by;

/**
 * Hands out one turn a tick, to any of those who asked: parties of arbitrary speed, one step at a time.
 *
 * Use when a protocol must be right whatever the speeds of its parties. Without turns all parts advance in lock step, each tick each of them.
 *
 * Details: a tick costs one delivery here and one at the part whose turn it is. When nobody asks nothing is under way, so a protocol that comes to its
 * end ends the run. In the canonical run the lowest address goes first, always.
 */
export const turns = setup({
  types: {} as { context: TurnsContext; events: TurnsEvent; input: TurnsSpec },
  guards: { wanted: when((t) => t.asked.length > 0) },
  actions: {
    note: update<'turn.ask'>((t, { by, for: whom = by }) => {
      t.asked.push({ by, for: whom });
      t.asked.sort(inOrder);
    }),
    choose: choose(
      'turn',
      (t) => t.asked.length,
      (t, _event, pick) => {
        t.asked.unshift(...t.asked.splice(pick, 1));
      },
    ),
    give: post(({ asked: [first] }) => ({ to: first!.by, type: 'turn.take', for: first!.for })),
    forget: update((t) => {
      t.asked.shift();
    }),
    wake: post((t) => ({ to: t.self, type: 'turn.next', delay: 1 })),
  },
}).createMachine({
  id: 'turns',
  meta: bookkeeping,
  context: ({ input: { self, askers = [] } }) => ({
    self,
    asked: askers.map((by) => ({ by, for: by })).sort(inOrder),
  }),
  initial: 'quiet',
  states: {
    quiet: { always: { guard: 'wanted', target: 'busy' }, on: { 'turn.ask': { actions: 'note' } } },
    busy: {
      entry: 'wake',
      on: {
        'turn.ask': { actions: 'note' },
        'turn.next': { target: 'quiet', actions: ['choose', 'give', 'forget'] },
      },
    },
  },
});
