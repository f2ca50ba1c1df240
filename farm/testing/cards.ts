import { type Address, component, defineMachine, Wiring } from 'lockstep';
import { setup } from 'xstate';
import { z } from 'zod';

/*
 * A machine of a user for tests of farms: hands lay one card each at the same time, and the schedule decides in which order. What an order comes to, up to the death of the process, is written in
 * the scenario.
 */

const config = z.strictObject({
  hands: z.int().min(2).max(9).default(4),
  /** Cards that must not come first; each is a fault of its own. */
  never: z.array(z.int()).default([]),
  /** Orders of cards, as text, of which the process dies, and whose handling never ends. */
  deadly: z.string().default(''),
  endless: z.string().default(''),
});
type Config = z.output<typeof config>;

type Laid = { readonly type: 'card.laid'; readonly card: number };
type Lay = { readonly type: 'card.lay' };
interface TableContext {
  readonly config: Config;
  order: string;
}

const table = component<TableContext, Laid>();
const tableMachine = setup({
  types: {} as { context: TableContext; events: Laid; input: Config },
  actions: {
    take: table.act((me, { card }, out) => {
      if (me.order === '' && me.config.never.includes(card))
        out.report({ property: `card ${card} never comes first`, why: `card ${card} came first` });
      me.order += String(card);
      if (me.order === me.config.deadly) process.kill(process.pid, 'SIGKILL');
      while (me.order === me.config.endless);
    }),
  },
}).createMachine({
  id: 'table',
  context: ({ input }) => ({ config: input, order: '' }),
  initial: 'taking',
  states: { taking: { on: { 'card.laid': { actions: 'take' } } } },
});

interface HandContext {
  readonly table: Address;
  readonly card: number;
}
const hand = component<HandContext, Lay, Laid>();
const handMachine = setup({
  types: {} as { context: HandContext; events: Lay; input: HandContext },
  actions: { lay: hand.post(({ table: to, card }) => ({ to, type: 'card.laid', card })) },
}).createMachine({
  id: 'hand',
  context: ({ input }) => ({ ...input }),
  initial: 'holding',
  states: { holding: { on: { 'card.lay': { target: 'empty', actions: 'lay' } } }, empty: {} },
});

export const cards = defineMachine({
  name: 'cards',
  summary: 'hands that lay one card each',
  config,
  assemble: ({ config: given }) => {
    const wiring = new Wiring();
    const to = wiring.reserve('Table');
    wiring.place(to, tableMachine, given);
    for (let card = 0; card < given.hands; card++) {
      const at = wiring.reserve(`Hand[${card}]`);
      wiring.place(at, handMachine, { table: to, card });
      wiring.begin({ to: at, type: 'card.lay' });
    }
    return { wiring, result: (run) => ({ order: String(run.part(to).context['order']) }) };
  },
});
