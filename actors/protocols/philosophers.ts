import { setup } from 'xstate';
import { component, refused } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';

/** What philosophers ask forks; a fork that is held leaves the question under way. */
export type ForkEvent = { readonly type: 'Ask' } | { readonly type: 'Release' };

/** What a philosopher is told; `hungry` and `full` are its timers. */
export type PhilosopherEvent = { readonly type: 'Grant' | 'hungry' | 'full' };

/** The kit of forks, also for planted faults. */
export const forkKit = component<object, ForkEvent, PhilosopherEvent>();

/** A fork: one has it at a time. */
export const fork = setup({
  types: {} as { context: object; events: ForkEvent },
  guards: { isTaken: forkKit.when(() => true) },
  actions: { grant: forkKit.post((_fork, _event, { from: to }) => ({ to, type: 'Grant' })) },
}).createMachine({
  id: 'fork',
  context: () => ({}),
  initial: 'free',
  states: {
    free: { on: { Ask: { target: 'held', actions: 'grant' }, Release: refused } },
    held: { on: { Ask: [{ guard: 'isTaken' }, { actions: 'grant' }], Release: 'free' } },
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
    askFirst: post(({ first: to }) => ({ to, type: 'Ask' })),
    askSecond: post(({ second: to }) => ({ to, type: 'Ask' })),
    eat: act((_philosopher, _event, out) => out.setTimer('full')),
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
