import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { bookkeeping } from '../../kernel/outcome.ts';
import { field } from '../../kernel/protocol/field.ts';
import { type EventsOf, protocol } from '../../kernel/protocol/protocol.ts';

const party = field.address();

/** What one who asks for turns receives: it may carry out one step, now. `for`: on whose behalf it asked. */
export const turnTake = { for: party };

/** The role of the turns. Gotchas: what may happen at the same time is what is asked for; an asker has to remember what it wants to do. */
export const turnsRole = {
  receives: {
    /** Asks for one turn, on behalf of somebody; of the asker itself when nobody is named. */
    'turn.ask': { by: party, for: field.optional(party) },
  },
  timers: ['turn.next'],
  // Who asked first must make no difference to what can happen.
  remembers: { asked: field.set(field.record({ for: party, by: party })) },
} as const;

/** What the turns tell an asker. */
export type TurnTake = EventsOf<typeof turnsProtocol, 'Asker'>;

const turnsProtocol = protocol({ Turns: turnsRole, Asker: { receives: { 'turn.take': turnTake } } });
const role = turnsProtocol.roles.Turns;

/** A turn that was asked for. */
export interface Asked {
  readonly for: Address;
  readonly by: Address;
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

const { update, post, when, choose } = role.component<TurnsContext>();
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
  types: role.types<TurnsContext, TurnsSpec>(),
  guards: { wanted: when((t) => t.asked.length > 0) },
  actions: {
    note: update<'turn.ask'>((t, { by, for: whom = by }) => {
      t.asked.push({ for: whom, by });
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
    asked: askers.map((by) => ({ for: by, by })).sort(inOrder),
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
