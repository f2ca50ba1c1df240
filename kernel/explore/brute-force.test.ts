import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import { againstBruteForce } from './testing/against-brute-force.ts';

describe('the exhaustive checker', () => {
  test('finds the states and the findings of plain runs under all tapes, and each finding replays to itself', () => {
    const compared = Array.from({ length: effort({ short: 70, long: 170 }) }, (_, seed) =>
      againstBruteForce(seed, 60),
    ).filter((one) => one !== undefined);

    expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
    expect(compared.length).toBeGreaterThan(effort({ short: 37, long: 90 }));
    const features = new Set(compared.flatMap((one) => one.features));
    expect([...features].sort()).toEqual(
      [
        'fault corrupt',
        'fault crash',
        'fault drop',
        'fault duplicate',
        'fault reorder',
        'families',
        'initial choices',
        'no end',
        'observers',
        'provide in assembly',
        'restarts',
        'shared objects',
        'symmetry',
      ].sort(),
    );
    const kinds = new Set(compared.flatMap(({ findings }) => findings.map((line) => line.split(':')[0])));
    expect([...kinds].sort()).toEqual(['deadlock', 'error', 'livelock', 'violated']);
  });

  test('does not tell what a run does not come to, but says what differs', () => {
    const { post, report } = component<{ self: Address }, { type: 'tick' }>();
    let handled = 0;
    // Complains as long as the checker carries the step out, once more to see that it does the same, and no longer in a run: what it does depends on something that no state knows.
    const fickle = setup({
      types: {} as { context: { self: Address }; events: { type: 'tick' }; input: Address },
      actions: {
        begin: post((one) => ({ to: one.self, type: 'tick' })),
        complain: report(() =>
          ++handled <= 2 ? { property: 'nobody is first', why: 'somebody is' } : undefined,
        ),
      },
    }).createMachine({
      id: 'fickle',
      context: ({ input }) => ({ self: input }),
      entry: 'begin',
      on: { tick: { actions: 'complain' } },
    });
    const make = () => {
      const wiring = new Wiring();
      const self = wiring.reserve('Fickle');
      wiring.place(self, fickle, self);
      return wiring;
    };
    const explorer = new Explorer(make);

    expect(() => explorer.toEnd()).toThrow(
      'Lockstep defect: the exhaustive checker found violated "nobody is first" (Fickle): somebody is\n  in tick 0, and a run along its 1 deliveries comes to: nothing',
    );
  });
});

// 427: an actor crashes and leaves messages to itself behind. 1558: two actors post to one address where nobody is. 1469: a crash could strike there.
test.each([427, 1469, 1558, 2042, 2075])('a system that once differed does not any more: seed %i', (seed) => {
  expect(againstBruteForce(seed, 60)?.differences).toEqual([]);
});
