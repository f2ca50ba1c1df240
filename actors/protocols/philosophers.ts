import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** What philosophers ask forks, and tell them. */
export type ForkEvent = { readonly type: 'Ask' } | { readonly type: 'Release' };

/** What a philosopher is told; `hungry` and `full` are its timers. */
export type PhilosopherEvent = { readonly type: 'Grant' | 'hungry' | 'full' };

/** A philosopher has become hungry, or eats. */
export interface PhilosopherShown {
  readonly type: 'philosopher.hungry' | 'philosopher.eats';
}

/** What a fork remembers. */
export interface ForkContext {
  /** Who waits for it, -1 for nobody: a fork has two neighbours, and one of them holds it. */
  waiting: number;
}

/** The kit of forks, also for planted faults. */
export const forkKit = component<ForkContext, ForkEvent, PhilosopherEvent>();

/** A fork: one has it at a time, then who waits for it. */
export const fork = setup({
  types: {} as { context: ForkContext; events: ForkEvent },
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
export const philosopherKit = component<PhilosopherSpec, PhilosopherEvent, ForkEvent>();
const { act, post } = philosopherKit;

/** A philosopher, who thinks, takes one fork, then the other, eats, and puts both back (Dijkstra 1971). */
export const philosopher = setup({
  types: {} as { context: PhilosopherSpec; events: PhilosopherEvent; input: PhilosopherSpec },
  actions: {
    think: act((_philosopher, _event, out) => out.setTimer('hungry')),
    askFirst: act(({ first: to }, _event, out) => {
      out.probe<PhilosopherShown>({ type: 'philosopher.hungry' });
      out.post({ to, type: 'Ask' });
    }),
    askSecond: post(({ second: to }) => ({ to, type: 'Ask' })),
    eat: act((_philosopher, _event, out) => {
      out.probe<PhilosopherShown>({ type: 'philosopher.eats' });
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
