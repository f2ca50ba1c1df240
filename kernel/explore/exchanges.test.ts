import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import type { Symmetry } from './symmetry.ts';

interface Hand {
  readonly self: Address;
  readonly number: number;
  raised: number;
}
const { choose, post } = component<Hand, { type: 'go' }>();

/** Raises by 0 or 1 each tick, at most to 2; the one of `stiff` never does. */
const handOf = (stiff: number) =>
  setup({
    types: {} as { context: Hand; events: { type: 'go' }; input: Omit<Hand, 'raised'> },
    actions: {
      raise: choose(
        'raise',
        (hand) => (hand.raised < 2 && hand.number !== stiff ? 2 : 1),
        (hand, _event, pick) => {
          hand.raised += pick;
        },
      ),
      again: post((hand) => ({ to: hand.self, type: 'go', delay: 1 })),
    },
  }).createMachine({
    id: 'hand',
    context: ({ input }) => ({ ...input, raised: 0 }),
    initial: 'on',
    states: { on: { on: { go: { actions: ['raise', 'again'] } } } },
  });

const names = ['Hand[0]', 'Hand[1]', 'Hand[2]'];
const hands =
  (stiff = -1, first = 0) =>
  (): Wiring => {
    const machine = handOf(stiff);
    const wiring = new Wiring();
    names.forEach((name, number) => {
      const self = wiring.reserve(name);
      wiring.place(self, machine, { self, number });
      wiring.begin({ to: self, type: 'go', ...(number < first && { delay: 1 }) });
    });
    return wiring;
  };
const symmetry: Symmetry = {
  actors: names,
  exchange: (data, { address, index }) => ({
    ...data,
    ...('self' in data && { self: address(data['self'] as Address) }),
    ...('number' in data && { number: index(data['number'] as number) }),
    ...('to' in data && { to: address(data['to'] as Address) }),
  }),
};

describe('actors that can be exchanged', () => {
  test('make one state of those that differ in their places only', () => {
    const all = new Explorer(hands());
    const classes = new Explorer(hands(), { symmetry });

    // 3 heights of 3 hands: 27 in all, and 10 when nobody asks whose they are.
    expect(all.toEnd()).toMatchObject({ verdict: 'ok', states: 27 + 1 });
    expect(classes.toEnd()).toMatchObject({ verdict: 'ok', states: 10 + 1 });
    expect(classes.exchanged).toBeGreaterThan(0);
    expect(() => classes.verifySymmetry()).not.toThrow();
  });

  test('are refused when one of them does something else', () => {
    const explorer = new Explorer(hands(1), { symmetry });

    explorer.toEnd();

    expect(() => explorer.verifySymmetry()).toThrow(
      'KRN013 Hand[0] and Hand[1]: exchanged, Hand[0] does something else with "go"\n  help: mend the symmetry',
    );
  });

  test('are refused when one of them starts otherwise', () => {
    expect(() => new Explorer(hands(-1, 1), { symmetry })).toThrow(
      'KRN013 Hand[0] and Hand[1]: they do not start',
    );
  });
});
