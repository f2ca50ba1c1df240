import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from './explore/explorer.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import type { Network } from './network.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

/*
 * What is handed over is a value: a message, a probe or a state does not change with what it was made of, in a run as in the exhaustive checker.
 */

type Event = { type: 'go' | 'back' } | { type: 'list'; list: number[] };
interface Context {
  readonly self: Address;
  readonly others: readonly Address[];
  log: number[];
  got: number[];
}
type Input = Pick<Context, 'self' | 'others'>;

const { act } = component<Context, Event>();
const holder = setup({
  types: {} as { context: Context; events: Event; input: Input },
  actions: {
    go: act((me, _event, out) => {
      for (const to of me.others) out.post({ to, type: 'list', list: me.log });
      out.probe({ type: 'log', log: me.log } as never);
      me.log.push(1);
      out.post({ to: me.self, type: 'back' });
    }),
    back: act((me, _event, out) => {
      me.log.length = 0;
      out.probe({ type: 'log', log: me.log } as never);
    }),
    list: act((me, event, out) => {
      if (event.type !== 'list') return;
      event.list.push(me.self);
      me.got = event.list;
      out.probe({ type: 'log', log: me.got } as never);
    }),
  },
}).createMachine({
  id: 'holder',
  context: ({ input }) => ({ ...input, log: [7], got: [] }),
  initial: 'on',
  states: { on: { on: { go: { actions: 'go' }, back: { actions: 'back' }, list: { actions: 'list' } } } },
});

const wiringOf = (network?: Network) => (): Wiring => {
  const wiring = new Wiring(network);
  const all = ['A', 'B', 'C'].map((name) => wiring.reserve(name));
  const [first, ...others] = all as [Address, ...Address[]];
  wiring.place(first, holder, { self: first, others });
  for (const other of others) wiring.place(other, holder, { self: other, others: [] });
  wiring.begin({ to: first, type: 'go' });
  wiring.boundary = ({ actors }) =>
    actors.every(({ context }) => (context['got'] as readonly number[]).length < 3);
  return wiring;
};

const contextsIn = (actors: readonly { readonly context: object }[]) =>
  JSON.stringify(actors.map(({ context }) => [(context as Context).log, (context as Context).got]));

describe.each([
  ['a clocked wiring', undefined],
  ['an asynchronous network', {}],
] as const)('in %s', (_name, network) => {
  test.each(['compiled', 'xstate'] as const)(
    'a run (%s) comes to a state that the exhaustive checker knows',
    (engine) => {
      const explorer = new Explorer(wiringOf(network));
      explorer.toEnd();
      const known = new Set([...explorer.states()].map(({ actors }) => contextsIn(actors)));
      const run = new Run(wiringOf(network)(), { engine });
      for (let step = 1; step < 8; step++) {
        run.until(step);
        expect(known).toContain(contextsIn(run.state.actors));
      }

      expect(contextsIn(run.state.actors)).toBe('[[[],[]],[[7],[7,1]],[[7],[7,2]]]');
    },
  );
});

test('a message under way does not change with what it was made of, nor with what its receiver makes of it', () => {
  const run = new Run(wiringOf()());
  const lists: unknown[] = [];
  run.messages$.subscribe(({ message }) => lists.push((message.event as { list?: unknown }).list));
  run.toEnd();

  expect(lists).toEqual([undefined, [7], [7], undefined]);
});

describe('an input that several runs have', () => {
  interface Bag {
    readonly items: number[];
  }
  const bag = setup({
    types: {} as { context: Bag; events: { type: 'add' }; input: Bag },
    actions: {
      add: component<Bag, { type: 'add' }>().update(({ items }) => {
        items.push(items.length);
      }),
    },
  }).createMachine({
    id: 'bag',
    // The context is the input itself.
    context: ({ input }) => input,
    entry: 'add',
    initial: 'on',
    states: { on: { on: { add: { actions: 'add' } } } },
  });
  const input: Bag = { items: [] };
  const make = (network?: Network) => () => {
    const wiring = new Wiring(network);
    const [one, other] = [wiring.place('One', bag, input), wiring.place('Other', bag, { items: [7] })];
    for (const to of [one, other]) wiring.begin({ to, type: 'add' });
    return wiring;
  };
  const itemsIn = (run: Run) => run.state.actors.map(({ context }) => (context as unknown as Bag).items);

  test.each([undefined, {}])('is what it was when the next one begins', (network) => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = new Run(make(network)());
      run.toEnd();
      const explorer = new Explorer(make(network));
      explorer.toEnd();

      expect(itemsIn(run)).toEqual([
        [0, 1],
        [7, 1, 2],
      ]);
      expect(
        [...explorer.states()].map((state) => (state.actors[0]!.context as Bag).items.length),
      ).not.toContain(3);
    }
    expect(input.items).toEqual([]);
  });

  test('is what it was when a party comes back from a crash', () => {
    const network: Network = { crashes: { max: 1, recover: true, of: ['One'] } };
    const explorer = new Explorer(make(network));
    explorer.toEnd();
    const lengths = [...explorer.states()].map(
      ({ actors }) => (actors[0]!.context as Partial<Bag>).items?.length,
    );

    expect(new Set(lengths)).toEqual(new Set([1, 2, undefined]));
  });
});
