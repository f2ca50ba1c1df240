import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { type Tape, TapeChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../../machines/machine.ts';
import { watch } from '../property.ts';
import { atMostOne, shown } from '../temporal/temporal.ts';
import { partWords } from './cause-words.ts';
import { explainFailure } from './explain.ts';
import { toyTrials } from './testing/toy-trials.ts';
import { Trials } from './trial.ts';
import { Wording } from './wording.ts';

type Heard = { type: 'go' } | { type: 'come' } | { type: 'over' };
const guest = component<{ readonly desk: Address }, Heard>();
const guestMachine = setup({
  types: {} as { context: { readonly desk: Address }; events: Heard; input: { readonly desk: Address } },
  actions: {
    ask: guest.post(({ desk: to }) => ({ to, type: 'ask', delay: 1 })),
    enter: guest.act((_c, _event, out) => {
      out.probe({ type: 'enter' });
      out.setTimer('over', 4);
    }),
    leave: guest.probe(() => ({ type: 'leave' })),
  },
}).createMachine({
  id: 'guest',
  context: ({ input }) => input,
  initial: 'out',
  states: {
    out: { on: { go: { actions: 'ask' }, come: { target: 'in', actions: 'enter' } } },
    in: { on: { over: { target: 'out', actions: 'leave' } } },
  },
});

type Asked = { type: 'ask' } | { type: 'next' };
interface Desk {
  readonly queue: Address[];
}
const desk = component<Desk, Asked>();
/** Lets the first in when both have asked, and the second in the tick in which the first has to leave. */
const deskMachine = setup({
  types: {} as { context: Desk; events: Asked; input: object },
  actions: {
    note: desk.act<'ask'>((c, _event, out) => {
      c.queue.push(out.from);
      if (c.queue.length < 2) return;
      out.post({ to: c.queue[0]!, type: 'come', delay: 1 });
      out.setTimer('next', 4);
    }),
    second: desk.post((c) => ({ to: c.queue[1]!, type: 'come', delay: 1 })),
  },
}).createMachine({
  id: 'desk',
  context: () => ({ queue: [] }),
  initial: 'on',
  states: { on: { on: { ask: { actions: 'note' }, next: { actions: 'second' } } } },
});

const machine: Machine<unknown> = {
  name: 'guests',
  config: z.unknown(),
  programs: z.unknown(),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring();
    const at = wiring.reserve('Desk');
    for (const name of ['Guest[0]', 'Guest[1]'])
      wiring.boot.push({ to: wiring.place(name, guestMachine, { desk: at }), type: 'go' });
    wiring.place(at, deskMachine, {});
    return { wiring, result: () => null };
  },
  figures: () => [],
};

test('of two turns under either of which the run passes, the later one is the cause', () => {
  const property = atMostOne('one guest at a time', shown('enter'), shown('leave'));
  const trials = new Trials(toyTrials(machine).scenario, machine as unknown as Machine, {
    sentences: [property.sentence],
    watch: (run) => watch(run, [property]),
  });
  const tapes = Array.from({ length: 12 }, (_, zeros): Tape => [...new Array<number>(zeros).fill(0), 1]);
  const failing = tapes.find((tape) => trials.attempt(new TapeChoices(tape)).failure)!;

  for (const until of [undefined, 6]) {
    const explanation = explainFailure(trials, failing, until === undefined ? {} : { until })!;
    const words = new Wording(explanation.history);
    expect(explanation.causes.causes.map(({ parts }) => parts.map((part) => partWords(part, words)))).toEqual(
      [['Guest[1] got come from Desk before Guest[0] got its timer over']],
    );
  }
});
