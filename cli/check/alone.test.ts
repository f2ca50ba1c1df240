import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { numberedSymmetry } from '../../kernel/explore/testing/numbered-symmetry.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { exploreAlone } from './alone.ts';

interface Hand {
  readonly self: Address;
  readonly number: number;
  count: number;
}
const { choose, post } = component<Hand, { type: 'go' }>();

/** Counts up to `most` by as much as it likes each tick; the first hand of those that are unlike goes by two. */
const handOf = (most: number, alike: boolean) =>
  setup({
    types: {} as { context: Hand; events: { type: 'go' }; input: Omit<Hand, 'count'> },
    actions: {
      count: choose(
        'count',
        () => 2,
        (hand, _event, pick) => {
          hand.count = Math.min(most, hand.count + pick * (alike || hand.number > 0 ? 1 : 2));
        },
      ),
      again: post((hand) => ({ to: hand.self, type: 'go', delay: 1 })),
    },
  }).createMachine({
    id: 'hand',
    context: ({ input }) => ({ ...input, count: 0 }),
    initial: 'on',
    states: { on: { on: { go: { actions: ['count', 'again'] } } } },
  });

const names = ['Hand[0]', 'Hand[1]'];
const symmetry = numberedSymmetry(names);

async function explored(alike: boolean) {
  const machine = handOf(200, alike);
  const make = () => {
    const wiring = new Wiring();
    for (const [number, name] of names.entries()) {
      const self = wiring.reserve(name);
      wiring.place(self, machine, { self, number });
      wiring.begin({ to: self, type: 'go' });
    }
    return wiring;
  };
  let seen = 0;
  const exploring = exploreAlone(new Explorer(make, { symmetry }), 'hands.yaml', {
    onProgress: (states) => {
      seen = states;
    },
    shouldStop: () => false,
    turn: async () => {},
  });
  const outcome = await exploring.then(
    ({ exploration }) => `${exploration.verdict} ${exploration.states}`,
    (error: Error) => error.message.split('\n')[0]!,
  );
  return { outcome, seen };
}

test('actors that are not alike are told long before all states are explored', async () => {
  // The state before the first tick, in which the messages come from outside, and pairs of counts from 0 to 200, of which one stands for the other.
  expect(await explored(true)).toMatchObject({ outcome: `ok ${1 + (201 * 202) / 2}` });

  const { outcome, seen } = await explored(false);
  expect(outcome).toMatch(/^KRN013 Hand\[0\] and Hand\[1\]: exchanged/);
  expect(seen).toBeLessThan(5000);
});
