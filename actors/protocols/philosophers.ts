import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';

/** Philosophers ask for forks, get them and give them back; they show that they have become hungry, and that they eat. */
export const philosophersProtocol = protocol({
  Fork: { receives: { Ask: {}, Release: {} } },
  Philosopher: {
    receives: { Grant: {} },
    timers: ['hungry', 'full'],
    shows: { 'philosopher.hungry': {}, 'philosopher.eats': {} },
  },
});
const { Fork, Philosopher } = philosophersProtocol.roles;

/** What a fork remembers. */
export interface ForkContext {
  /** Who waits for it, -1 for nobody: a fork has two neighbours, and one of them holds it. */
  waiting: number;
}

/** The kit of forks, also for planted faults. */
export const forkKit = Fork.component<ForkContext>();

/** A fork: one has it at a time, then who waits for it. */
export const fork = setup({
  types: Fork.types<ForkContext, undefined>(),
  guards: { isTaken: forkKit.when(() => true) },
  actions: {
    grant: forkKit.post((_fork, _event, { from: to }) => ({ to, type: 'Grant' })),
    note: forkKit.update((one, _event, { from }) => {
      one.waiting = from;
    }),
    grantNext: forkKit.act((one, _event, out) => {
      out.post({ to: one.waiting as Address, type: 'Grant' });
      one.waiting = -1;
    }),
  },
}).createMachine({
  id: 'fork',
  context: () => ({ waiting: -1 }),
  initial: 'free',
  states: {
    free: { on: { Ask: { target: 'held', actions: 'grant' }, Release: refused } },
    held: {
      on: {
        Ask: [{ guard: 'isTaken', target: 'awaited', actions: 'note' }, { actions: 'grant' }],
        Release: 'free',
      },
    },
    awaited: { on: { Ask: refused, Release: { target: 'held', actions: 'grantNext' } } },
  },
});

/** The forks of a philosopher, in the order in which it takes them. */
export interface PhilosopherSpec {
  readonly first: Address;
  readonly second: Address;
}

/** The kit of philosophers, also for planted faults. */
export const philosopherKit = Philosopher.component<PhilosopherSpec>();
const { act, post } = philosopherKit;

/** A philosopher, who thinks, takes one fork, then the other, eats, and puts both back (Dijkstra 1971). */
export const philosopher = setup({
  types: Philosopher.types<PhilosopherSpec, PhilosopherSpec>(),
  actions: {
    think: act((_philosopher, _event, out) => out.setTimer('hungry')),
    askFirst: act(({ first: to }, _event, out) => {
      out.probe({ type: 'philosopher.hungry' });
      out.post({ to, type: 'Ask' });
    }),
    askSecond: post(({ second: to }) => ({ to, type: 'Ask' })),
    eat: act((_philosopher, _event, out) => {
      out.probe({ type: 'philosopher.eats' });
      out.setTimer('full');
    }),
    putBack: post(({ first, second }) => [
      { to: first, type: 'Release' },
      { to: second, type: 'Release' },
    ]),
  },
}).createMachine({
  id: 'philosopher',
  context: ({ input }) => ({ ...input }),
  initial: 'thinking',
  on: { Grant: refused, hungry: refused, full: refused },
  states: {
    thinking: { entry: 'think', on: { hungry: { target: 'hungry', actions: 'askFirst' } } },
    hungry: { tags: ['waiting'], on: { Grant: { target: 'withOneFork', actions: 'askSecond' } } },
    withOneFork: { tags: ['waiting'], on: { Grant: 'eating' } },
    eating: { entry: 'eat', on: { full: { target: 'thinking', actions: 'putBack' } } },
  },
});
