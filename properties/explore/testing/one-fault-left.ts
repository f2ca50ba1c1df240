import { setup } from 'xstate';
import { z } from 'zod';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import { Trials } from '../trial.ts';

/*
 * A toy machine for tests: a caller sends a call and then a letter, of which one may be lost. Only the call is complained of. So a run in which the
 * letter is lost fails, and one in which the call is lost does not; but then nothing is left that could have lost the letter.
 */

const caller = component<{ readonly desk: Address }, { type: 'start' }>();
const callerMachine = setup({
  types: {} as {
    context: { readonly desk: Address };
    events: { type: 'start' };
    input: { readonly desk: Address };
  },
  actions: {
    speak: caller.post(({ desk }) => [
      { to: desk, type: 'call' } as never,
      { to: desk, type: 'letter' } as never,
    ]),
  },
}).createMachine({
  id: 'caller',
  context: ({ input }) => input,
  initial: 'on',
  states: { on: { on: { start: { actions: 'speak' } } } },
});

type DeskEvent = { type: 'call' } | { type: 'letter' };
const desk = component<object, DeskEvent>();
const deskMachine = setup({
  types: {} as { context: object; events: DeskEvent; input: null },
  actions: { complain: desk.report(() => ({ property: 'nobody calls', why: 'a call came' })) },
}).createMachine({
  id: 'desk',
  context: {},
  initial: 'open',
  states: { open: { on: { call: { actions: 'complain' }, letter: {} } } },
});

const machine: Machine<unknown> = {
  name: 'one-fault-left',
  config: z.unknown(),
  programs: z.unknown(),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring();
    const to = wiring.place('Desk', deskMachine, null);
    wiring.boot.push({ to: wiring.place('Caller', callerMachine, { desk: to }), type: 'start', delay: 1 });
    return { wiring, result: () => null };
  },
  figures: () => [],
};

/** Trials of the toy machine: one message may be dropped. With the tape `[0, 1]` it is the letter. */
export const oneFaultLeft = (): Trials =>
  new Trials(
    {
      file: 'one-fault-left.yaml',
      text: '',
      name: 'one fault left',
      machine: machine.name,
      config: {},
      programs: [],
      faults: [{ kind: 'drop' }],
      schedule: { kind: 'fifo', seed: 0 },
    },
    machine as unknown as Machine,
    undefined,
  );
