import { component, defineMachine, Wiring } from 'lockstep';
import { setup } from 'xstate';

const { update } = component();

const ticker = setup({
  actions: {
    count: update((me) => {
      me.count++;
    }),
  },
}).createMachine({
  id: 'ticker',
  initial: 'counting',
  context: { count: 0 },
  states: { counting: { on: { tick: { actions: 'count' } } } },
});

/** The smallest machine: one actor that counts three messages. */
export const counter = defineMachine({
  name: 'counter',
  summary: 'one actor that counts',
  assemble() {
    const wiring = new Wiring();
    const at = wiring.reserve('Ticker');
    wiring.place(at, ticker, {});
    for (let n = 0; n < 3; n++) wiring.begin({ to: at, type: 'tick', delay: n });
    return { wiring, result: (run) => ({ count: run.part(at).context.count }) };
  },
});
