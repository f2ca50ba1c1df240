import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import type { Hasher } from '../hash.ts';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import type { Network } from '../network.ts';
import { fixed, type Resource } from '../resource.ts';
import { Run } from '../run.ts';
import { type Shared, shared } from '../shared.ts';
import { memberOf, Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';

class Tally implements Resource {
  constructor(public count = 0) {}
  fork(): Tally {
    return new Tally(this.count);
  }
  hash(into: Hasher): void {
    into.number(this.count);
  }
}

type Touch = { readonly type: 'look' | 'change'; readonly delay?: number };
interface Holder {
  readonly held: { readonly list: number[] } | Resource | Resource[];
}

const { update } = component<Holder, Touch>();
const holder = setup({
  types: {} as { context: Holder; events: Touch; input: Holder },
  actions: {
    change: update(({ held }) => {
      if ('list' in held) held.list.push(1);
    }),
  },
}).createMachine({
  id: 'holder',
  context: ({ input }) => ({ held: input.held }),
  initial: 'on',
  states: { on: { on: { look: {}, change: { actions: 'change' } } } },
});

/** Two actors that hold the same thing, or each its own, and a message to the second. */
function pair(held: () => Holder['held'], type: Touch['type'], delay = 0): Wiring {
  const wiring = new Wiring();
  const one = held();
  wiring.place('One', holder, { held: one });
  const two = wiring.place('Two', holder, { held: one });
  wiring.begin({ to: two, type, delay });
  return wiring;
}
const explore = (make: () => Wiring) => new Explorer(make).toEnd();

describe('an object in the contexts of two actors', () => {
  test('may be there as long as nobody changes it', () => {
    expect(explore(() => pair(() => ({ list: [1] }), 'look')).verdict).toBe('ok');
    expect(explore(() => pair(() => fixed([1]), 'look')).verdict).toBe('ok');
  });

  test('is refused when one of them changes it, with the names of both', () => {
    expect(() => explore(() => pair(() => ({ list: [1] }), 'change'))).toThrow(
      'KRN011 Two and One: their contexts hold one and the same object, and Two changed it\n  help: give each actor',
    );
  });

  test('is refused at once when it is a resource, also inside of another object', () => {
    expect(() => explore(() => pair(() => new Tally(), 'look'))).toThrow(
      'KRN011 One and Two: their contexts hold one and the same Tally, which can change',
    );
  });

  test('is found in the members of a family before any of them comes to life', () => {
    const make = () => {
      const wiring = new Wiring();
      const tally = new Tally();
      wiring.place('One', holder, { held: tally });
      wiring.family('Many', () => ({ machine: holder, input: { held: tally } }));
      wiring.begin({ to: 0 as Address, type: 'look' });
      return wiring;
    };

    expect(() => explore(make)).toThrow('KRN011 One and Many[0]');
  });

  test('is refused by what holds it where it is declared itself', () => {
    const make = () => {
      const wiring = new Wiring();
      const held = [wiring.share('Tally', new Tally())];
      wiring.place('One', holder, { held });
      const two = wiring.place('Two', holder, { held });
      wiring.begin({ to: two, type: 'look' });
      return wiring;
    };

    expect(() => explore(make)).toThrow(
      'KRN011 One and Two: what they share is declared, but their contexts hold it in one and the same list\n  help: give each of them a copy of the list',
    );
  });

  test('counts for nothing when each has its own', () => {
    const make = () => {
      const wiring = new Wiring();
      wiring.place('One', holder, { held: { list: [1] } });
      const two = wiring.place('Two', holder, { held: { list: [1] } });
      wiring.begin({ to: two, type: 'change' });
      return wiring;
    };

    expect(explore(make).verdict).toBe('ok');
  });
});

describe('an object that the wiring declares to be shared', () => {
  type Act = { readonly type: 'double' | 'add' | 'look' | 'hand'; readonly delay?: number };
  interface Counter {
    readonly tally: Tally;
    seen: number;
  }
  const { update: change, post } = component<Counter, Act>();
  const counter = setup({
    types: {} as { context: Counter; events: Act; input: { tally: Tally } },
    actions: {
      double: change(({ tally }) => {
        tally.count *= 2;
      }),
      add: change(({ tally }) => {
        tally.count += 3;
      }),
      look: change((one) => {
        one.seen = one.tally.count;
      }),
      hand: post(({ tally }) => ({ to: 0 as Address, type: 'look', tally })),
    },
  }).createMachine({
    id: 'counter',
    context: ({ input }) => ({ tally: input.tally, seen: 0 }),
    initial: 'on',
    states: {
      on: {
        on: {
          double: { actions: 'double' },
          add: { actions: 'add' },
          look: { actions: 'look' },
          hand: { actions: 'hand' },
        },
      },
    },
  });

  /** One actor for each message, all with one tally that begins with 1. */
  const sharers = (types: readonly Act['type'][], network?: Network) => () => {
    const wiring = new Wiring(network);
    const tally = wiring.share('Tally', new Tally(1));
    types.forEach((type, index) => {
      wiring.begin({ to: wiring.place(`Counter[${index}]`, counter, { tally }), type });
    });
    return wiring;
  };
  const ends = (explorer: Explorer) => {
    explorer.toEnd();
    return [...explorer.states()]
      .filter(({ messages }) => messages.length === 0)
      .map(({ actors }) => actors.map(({ context }) => context as unknown as Counter))
      .map((contexts) => `${contexts.map(({ tally }) => tally.count)} ${contexts.map(({ seen }) => seen)}`)
      .sort();
  };

  test('is one thing in a state, and both orders of two changes are tried', () => {
    const explorer = new Explorer(sharers(['double', 'add']));

    expect(ends(explorer)).toEqual(['5,5 0,0', '8,8 0,0']);
    expect(ends(new Explorer(sharers(['double', 'add'], {})))).toEqual(['5,5 0,0', '8,8 0,0']);
  });

  test('is seen before and after a change by who only looks, while those who only look commute', () => {
    const looking = new Explorer(sharers(['look', 'look', 'look']));
    const changing = new Explorer(sharers(['add', 'look', 'look']));

    expect([ends(looking), looking.figures.states]).toEqual([['1,1,1 1,1,1'], 2]);
    expect(ends(changing)).toEqual(['4,4,4 0,1,1', '4,4,4 0,1,4', '4,4,4 0,4,1', '4,4,4 0,4,4']);
    expect(ends(new Explorer(sharers(['add', 'look', 'look']), { reduction: false }))).toEqual(
      ends(changing),
    );
  });

  test('may not travel in a message', () => {
    expect(() => new Explorer(sharers(['hand', 'look'])).toEnd()).toThrow(
      'KRN011 Counter[0]: "look" carries a Tally that is shared',
    );
  });

  test('may not be held by a later member of a family when the first ones hold another one', () => {
    const make = () => {
      const wiring = new Wiring();
      const tallies = [0, 1, 2].map((index) => wiring.share(`Tally[${index}]`, new Tally()));
      const first = wiring.family('Counter', (index) => ({
        machine: counter,
        input: { tally: tallies[Math.max(0, index - 1)]! },
      }));
      wiring.begin({ to: memberOf(first, 2), type: 'add' });
      return wiring;
    };

    expect(() => new Explorer(make).toEnd()).toThrow(
      'KRN011 Counter[2]: it holds "Tally[1]", and others in its place did not',
    );
  });

  test('is refused where actors are exchanged, and two of one name are refused', () => {
    const symmetry = {
      actors: ['Counter[0]', 'Counter[1]'],
      exchange: (data: Record<string, unknown>) => data,
    };

    expect(() => new Explorer(sharers(['add', 'add']), { symmetry })).toThrow(
      'KRN013 Tally: found an object that actors share',
    );
    const wiring = new Wiring();
    const tally = wiring.share('A', new Tally());
    expect(() => wiring.place('A', counter, { tally })).toThrow('KRN021 A: two actors have this name');
  });
});

test('a delay that a state has no room for is refused', () => {
  const late = setup({
    types: {} as { context: Record<string, never>; events: { type: 'go' } },
    actions: {
      post: component<Record<string, never>, { type: 'go' }>().post(() => ({
        to: 0 as Address,
        type: 'go',
        delay: 2 ** 32,
      })),
    },
  }).createMachine({
    id: 'late',
    context: {},
    initial: 'on',
    states: { on: { on: { go: { actions: 'post' } } } },
  });
  const make = () => {
    const wiring = new Wiring();
    wiring.begin({ to: wiring.place('Late', late, {}), type: 'go' });
    return wiring;
  };

  expect(() => explore(make)).toThrow('KRN012 Late: the delay of "go" is 4294967296');
});

describe('plain data that actors share', () => {
  interface Registers {
    readonly values: number[];
  }
  type Order = { readonly type: 'add' | 'keep' };
  interface Worker {
    readonly memory: Shared<Registers>;
    readonly at: number;
    kept?: readonly number[];
  }
  const { update } = component<Worker, Order>();
  const worker = setup({
    types: {} as { context: Worker; events: Order; input: Worker },
    actions: {
      add: update(({ memory, at }) => {
        memory.value.values[at] = memory.value.values.reduce((sum, one) => sum + one, 0) + 1;
      }),
      keep: update((me) => {
        me.kept = me.memory.value.values;
      }),
    },
  }).createMachine({
    id: 'worker',
    context: ({ input }) => ({ ...input }),
    initial: 'on',
    states: { on: { on: { add: { actions: 'add' }, keep: { actions: 'keep' } } } },
  });
  const workers = (type: Order['type'], network?: Network) => () => {
    const wiring = new Wiring(network);
    const memory = wiring.share('Memory', shared({ values: [0, 0] }));
    for (const at of [0, 1])
      wiring.begin({ to: wiring.place(`Worker[${at}]`, worker, { memory, at }), type });
    return wiring;
  };
  const valuesIn = ({ actors }: { readonly actors: readonly { readonly context: object }[] }) =>
    actors.map(({ context }) => `${(context as Worker).memory.value.values}`);

  test.each([undefined, {}])('is one thing in a state, in a run as well', (network) => {
    const explorer = new Explorer(workers('add', network));
    explorer.toEnd();
    const ends = [...explorer.states()].filter(({ messages }) => messages.length === 0).map(valuesIn);
    const run = new Run(workers('add', network)());
    run.toEnd();

    expect(ends.sort()).toEqual([
      ['1,2', '1,2'],
      ['2,1', '2,1'],
    ]);
    expect(valuesIn(run.state)).toEqual(['1,2', '1,2']);
  });

  test('keeps its parts: no context may hold one', () => {
    expect(() => new Explorer(workers('keep')).toEnd()).toThrow(
      'KRN011 Worker[0]: its context holds a list that is a part of "Memory", which is shared',
    );
  });

  test('is wrapped, or refused', () => {
    expect(() => new Wiring().share('Memory', { values: [0] } as never)).toThrow(
      'KRN021 Memory: found no resource that actors could share',
    );
  });
});
