import { type Address, component } from 'lockstep';
import { setup } from 'xstate';

export type Baton = { type: 'baton'; left: number };
export type RunnerContext = { next: Address; held: number };
export const kit = component<RunnerContext, Baton, Baton>();
export const runner = setup({
  types: {} as { context: RunnerContext; events: Baton; input: { next: Address } },
  guards: { goesOn: kit.when((_me, { left }) => left > 0) },
  actions: {
    hold: kit.update((me) => {
      me.held++;
    }),
    pass: kit.post(({ next }, { left }) => ({ to: next, type: 'baton', left: left - 1 })),
  },
}).createMachine({
  id: 'runner',
  initial: 'ready',
  context: ({ input }) => ({ ...input, held: 0 }),
  states: { ready: { on: { baton: [{ guard: 'goesOn', actions: ['hold', 'pass'] }, { actions: 'hold' }] } } },
});
