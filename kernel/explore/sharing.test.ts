import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { fixed, type Resource } from '../resource.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';

class Tally implements Resource {
  constructor(public count = 0) {}
  fork(): Tally {
    return new Tally(this.count);
  }
  hash(): void {}
}

type Touch = { readonly type: 'look' | 'change'; readonly delay?: number };
interface Holder {
  readonly held: { readonly list: number[] } | Resource;
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
