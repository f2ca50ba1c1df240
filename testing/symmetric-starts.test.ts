import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { before, defineMachine, patternsOf, protocol, Wiring } from '../index.ts';
import { everySchedule } from './every-schedule.ts';

const talk = protocol({ Client: { receives: { go: {} }, shows: { came: {}, went: {} } } });
const { Client } = talk.roles;
const { shown } = patternsOf(talk);
const c = Client.component<object>();
const client = setup({
  types: Client.types<object, undefined>(),
  actions: { went: c.probe(() => ({ type: 'went' })), came: c.probe(() => ({ type: 'came' })) },
}).createMachine({
  id: 'client',
  context: {},
  initial: 'out',
  entry: 'went',
  states: { out: { on: { go: { target: 'in', actions: 'came' } } }, in: {} },
});

/** Clients that show something while they start, of which a sentence says something. */
const machine = (first: 'went' | 'came', then: 'went' | 'came') =>
  defineMachine({
    name: 'starts',
    summary: 'clients that show something while they start',
    asynchronous: true,
    protocol: talk,
    symmetric: 'Client',
    properties: [before('in this order', shown(first, { key: 'actor' }), shown(then, { key: 'actor' }))],
    assemble: () => {
      const wiring = new Wiring({});
      const all = Client.reserve(wiring, 2);
      for (const at of all) wiring.place(at, client, undefined);
      for (const to of all) wiring.begin({ to, type: 'go' });
      return { wiring, result: () => ({}) };
    },
  });

test.each([
  [false, 4],
  [true, 3],
])('what actors show while they start is judged, exchanged %s: %i states', async (symmetry, states) => {
  await everySchedule(machine('went', 'came'), { symmetry, states });
  await expect(everySchedule(machine('came', 'went'), { symmetry, record: false })).rejects.toThrow(
    'in this order',
  );
});
