import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { TapeChoices } from '../choices.ts';
import { KernelError } from '../errors.ts';
import { component } from '../kit.ts';
import type { Address, Post } from '../message.ts';
import { Run } from '../run.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { enumerateChoices } from './enumerate-choices.ts';
import { Explorer } from './explorer.ts';
import { otherKeyOrder } from './key-order.ts';
import type { Observer } from './observer.ts';
import { inTurns } from './testing/in-turns.ts';
import { transcriptOf } from './transcript.ts';

/* The order of the keys of an object is no part of a state: a recipe that goes by it would do in one run what it does not do in another one from the same state. */

type Desk = { waiting: Record<string, Address>; seen: Map<string, number>; served: string[] };
type Asked = { type: 'ask'; name: string } | { type: 'serve' };
type Serve = (me: Desk, post: (post: Post & { number: number }) => void, from: Address) => void;

/** Two people ask at a desk that notes who waits by name, and serves when it is told to: `serve`. */
const desk =
  (serve: Serve, order: 'unordered' | 'perChannel' = 'unordered') =>
  () => {
    const d = component<Desk, Asked>();
    const clerk = setup({
      types: {} as { context: Desk; events: Asked },
      actions: {
        note: d.update<'ask'>((me, { name }, { from }) => {
          me.waiting[name] = from;
        }),
        serve: d.act((me, _event, out) => serve(me, (post) => out.post(post as Post), out.from)),
      },
    }).createMachine({
      id: 'clerk',
      context: () => ({ waiting: {}, seen: new Map(), served: [] }),
      initial: 'open',
      states: { open: { on: { ask: { actions: 'note' }, serve: { actions: 'serve' } } } },
    });
    type Person = { desk: Address; name: string; heard: number };
    const p = component<Person, { type: 'called'; number: number }>();
    const person = setup({
      types: {} as { context: Person; events: { type: 'called'; number: number }; input: Person },
      actions: {
        ask: p.post(({ desk, name }) => [
          { to: desk, type: 'ask', name },
          ...(name === 'Ann' ? [{ to: desk, type: 'serve' }] : []),
        ]),
        hear: p.update((me, { number }) => {
          me.heard = 2 * me.heard + number;
        }),
      },
    }).createMachine({
      id: 'person',
      context: ({ input }) => input,
      initial: 'there',
      entry: 'ask',
      states: { there: { on: { called: { actions: 'hear' } } } },
    });
    const wiring = new Wiring({ order });
    const to = wiring.reserve('Desk');
    wiring.place(to, clerk, undefined);
    for (const name of ['Ann', 'Bob'])
      wiring.place(wiring.reserve(name), person, { desk: to, name, heard: 0 });
    return wiring;
  };
const names = ({ waiting }: Desk) => Object.keys(waiting);
const explored = (...given: Parameters<typeof desk>) => new Explorer(desk(...given)).toEnd().verdict;

test('a recipe that takes the first key is refused, with the keys', () => {
  const serve: Serve = (me) => me.served.push(...names(me).slice(0, 1));

  expect(() => explored(serve)).toThrow(
    /^KRN025 Desk: "serve" came a second time in the same state, where the keys of its context, in waiting, came as ("Ann", "Bob"|"Bob", "Ann") and not as ("Ann", "Bob"|"Bob", "Ann"), and did something else: alternative\[0\]\.context\.served\[0\] is ("Ann", expected "Bob"|"Bob", expected "Ann")\n {2}help: the order of keys is no part of a state: keep a list or a Map/,
  );
});

test('so is it where several threads explore, whichever of them meets which order', () => {
  const serve: Serve = (me) => me.served.push(...names(me).slice(0, 1));

  for (const slices of [[1], [2, 1], [1000], [3, 1, 5]])
    for (const count of [2, 3])
      expect(() => inTurns(desk(serve), {}, count, slices)).toThrow(
        'KRN025 Desk: "serve" came a second time in the same state, where the keys of its context',
      );
});

test('one that goes through the keys and tells each is not: what goes to others has no order among them', () => {
  const serve: Serve = (me, post) => {
    for (const name of names(me)) post({ to: me.waiting[name]!, type: 'called', number: 1 });
  };

  for (const order of ['unordered', 'perChannel'] as const) expect(explored(serve, order)).toBe('ok');
});

test('what goes to one actor has an order in a network that keeps it, and none in another', () => {
  const serve: Serve = (me, post, to) => {
    for (const name of names(me)) post({ to, type: 'called', number: name === 'Ann' ? 1 : 0 });
  };

  expect(explored(serve, 'unordered')).toBe('ok');
  expect(() => explored(serve, 'perChannel')).toThrow('KRN025 Desk: "serve" came a second time');
});

/** What a message may make a clerk do with a dictionary; some go by the order of its keys. */
const deeds: readonly ((me: Clerk, key: string) => void)[] = [
  (me, key) => {
    me.held[key] = Object.keys(me.held).length % 2;
  },
  (me, key) => {
    me.held[key] = 1;
  },
  (me) => {
    const [first] = Object.keys(me.held);
    if (first !== undefined) delete me.held[first];
  },
  (me) => {
    const last = Object.keys(me.held).at(-1);
    if (last !== undefined) me.held[last] = 5;
  },
  (me, key) => {
    delete me.held[key];
  },
  (me) => {
    me.sum = Object.values(me.held).reduce((sum, one) => sum + one, me.sum) % 7;
  },
  (me) => {
    me.sum = Object.values(me.held).reduce((sum, one) => 2 * sum + one, me.sum) % 7;
  },
  (me) => {
    me.held = Object.fromEntries(Object.entries(me.held).sort());
  },
];
type Clerk = { held: Record<string, number>; sum: number };
const c = component<Clerk, { type: 'do'; deed: number; key: string }>();
const clerk = setup({
  types: {} as { context: Clerk; events: { type: 'do'; deed: number; key: string } },
  actions: { do: c.update((me, { deed, key }) => deeds[deed]!(me, key)) },
}).createMachine({
  id: 'clerk',
  context: () => ({ held: {}, sum: 0 }),
  initial: 'there',
  states: { there: { on: { do: { actions: 'do' } } } },
});

test('random clerks with a dictionary are refused, or explored to all states that plain runs come to', () => {
  const done = { refused: 0, explored: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.record({ deed: fc.nat(deeds.length - 1), key: fc.constantFrom('a', 'b', 'c') }), {
        minLength: 3,
        maxLength: 5,
      }),
      (messages) => {
        const make = () => {
          const wiring = new Wiring({});
          const to = wiring.reserve('Clerk');
          wiring.place(to, clerk, undefined);
          for (const message of messages) wiring.begin({ to, type: 'do', ...message });
          return wiring;
        };
        const met = new Set<string>();
        const attempt = (ask: (count: number) => number) => {
          const run = new Run(make(), {
            choices: {
              canonical: false,
              pick: (_what, count) => ask(count),
              save: () => null,
              load: () => {},
            },
          });
          const note = () => void met.add(transcriptOf(run.part('Clerk').context));
          note();
          run.ticks$.subscribe(note);
          run.toEnd();
        };
        for (const _ of enumerateChoices(attempt));
        const isRefused = (explore: () => void): boolean => {
          try {
            explore();
            return false;
          } catch (error) {
            if (error instanceof KernelError && error.code === 'KRN025') return true;
            throw error;
          }
        };
        const explorer = new Explorer(make);
        const alone = isRefused(() => explorer.toEnd());
        if (alone) done.refused++;
        else {
          done.explored++;
          const found = new Set(
            Array.from(explorer.states(), ({ actors }) => transcriptOf(actors[0]!.context)),
          );
          expect(found).toEqual(met);
        }
        expect(isRefused(() => inTurns(make, {}, 2, [1, 2]))).toBe(alone);
      },
    ),
    { numRuns: effort({ short: 60, long: 500 }), seed: 1 },
  );
  expect(Math.min(done.refused, done.explored)).toBeGreaterThan(effort({ short: 2, long: 20 }));
});

test('a Map may be gone through in its order, which is a part of the state', () => {
  const serve: Serve = (me) => {
    me.seen = new Map(Object.entries(me.waiting).sort());
    me.served = [...me.seen.keys()];
  };

  expect(explored(serve)).toBe('ok');
});

test('a sentence that tells the keys of its memory in their order is told in the words of the run that shows it', () => {
  const both: Observer<Record<string, true>> = {
    sentence: 'not both ask',
    watches: ['ask'],
    begin: () => ({}),
    see(memory, observation) {
      if (observation.kind !== 'message') return undefined;
      memory[observation.from] = true;
      const names = Object.keys(memory);
      return names.length === 2 ? { actors: names, why: `${names.join(' and ')} asked` } : undefined;
    },
  };
  const explorer = new Explorer(
    desk(() => {}),
    { observers: [both], findingsMax: Number.POSITIVE_INFINITY },
  );
  const { findings } = explorer.toEnd();

  expect(findings.length).toBeGreaterThan(0);
  for (const { why, tape } of findings) {
    const run = new Run(desk(() => {})(), { choices: new TapeChoices(tape!) });
    const asked: string[] = [];
    run.messages$.subscribe(({ from, message }) => {
      if (message.event.type === 'ask') asked.push(from);
    });
    run.toEnd();
    expect(why).toBe(`${asked.join(' and ')} asked`);
  }
});

test('two values that are equal as data are compared by the order of their keys, wherever they are', () => {
  const order = (one: unknown, other: unknown) => otherKeyOrder(one, other)?.path;

  expect(order({ a: 1, b: { c: 1 } }, { a: 1, b: { c: 1 } })).toBeUndefined();
  expect(order({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe('');
  expect(order({ a: [1, { x: 1, y: 2 }] }, { a: [1, { y: 2, x: 1 }] })).toBe('a[1]');
  expect(order(new Map([['k', { x: 1, y: 2 }]]), new Map([['k', { y: 2, x: 1 }]]))).toBe('[1]');
  // Numbers come in their own order, whenever they are set.
  expect(order({ 2: 'b', 1: 'a' }, { 1: 'a', 2: 'b' })).toBeUndefined();
});
