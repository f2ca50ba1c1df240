import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { effort } from '../testing/effort.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import { byAllTapes, byExploration } from './testing/by-all-tapes.ts';

/** Keeps the letters that it gets; hands one on once when it has a word, and takes none any more once it has another. */
interface Reader {
  readonly sorts: boolean;
  readonly full: string;
  readonly word: string;
  readonly to: Address;
  readonly letter: string;
  seen: string;
}
type Letter = { type: 'letter'; letter: string };
type ReaderInput = Partial<Omit<Reader, 'seen'>>;

const { update, post } = component<Reader, Letter>();
const reader = setup({
  types: {} as { context: Reader; events: Letter; input: ReaderInput },
  actions: {
    take: update((one, { letter }) => {
      if (one.seen === one.full) return;
      one.seen += letter;
      if (one.sorts) one.seen = [...one.seen].sort().join('');
    }),
    handOn: post((one) =>
      one.seen === one.word && one.word !== one.full
        ? { to: one.to, type: 'letter', letter: one.letter }
        : undefined,
    ),
  },
}).createMachine({
  id: 'reader',
  context: ({ input }) => ({
    sorts: false,
    full: 'none',
    word: 'none',
    to: 0 as Address,
    letter: '',
    ...input,
    seen: '',
  }),
  entry: 'handOn',
  on: { letter: { actions: ['take', 'handOn'] } },
});

/** Readers by name, the first of which get a letter each from somebody of their own, all in one tick. */
function readers(
  letters: readonly (readonly [to: string, letter: string])[],
  of: Readonly<Record<string, Omit<ReaderInput, 'to'> & { readonly to?: string }>>,
): () => Wiring {
  return () => {
    const wiring = new Wiring();
    const addresses = new Map(Object.keys(of).map((name) => [name, wiring.reserve(name)]));
    for (const [name, { to = name, ...input }] of Object.entries(of))
      wiring.place(addresses.get(name)!, reader, { ...input, to: addresses.get(to)! });
    for (const [index, [to, letter]] of letters.entries())
      wiring.place(`Writer[${index}]`, reader, { word: '', to: addresses.get(to)!, letter });
    return wiring;
  };
}

const names = ['One', 'Two', 'Three'];
const word = fc.constantFrom('none', 'a', 'b', 'ab', 'ba', 'aa', 'abc');
const letter = fc.constantFrom('a', 'b', 'c');
const name = fc.constantFrom(...names);
/** Three readers that hand on to each other, and three to five letters. */
const systems = fc.record({
  letters: fc.array(fc.tuple(name, letter), { minLength: 3, maxLength: 5 }),
  of: fc
    .tuple(...names.map(() => fc.record({ sorts: fc.boolean(), full: word, word, to: name, letter })))
    .map((each) => Object.fromEntries(names.map((one, at) => [one, each[at]!]))),
});

/** What is found with deliveries left for later that commute, and without, is what all runs come to. */
function expectAll(make: () => Wiring): void {
  const { ways, ...everything } = byAllTapes(make, [], 1000)!;

  for (const reduction of [false, true]) {
    const explorer = new Explorer(make, { reduction });
    explorer.toEnd();
    expect(byExploration(explorer)).toEqual(everything);
  }
}

test('a delivery that commutes with each of two others, but not with the second behind the first, is not tried alone', () => {
  expectAll(
    readers(
      [
        ['One', 'c'],
        ['One', 'a'],
        ['One', 'b'],
        ['Two', 'd'],
      ],
      { One: { sorts: true, full: 'ab' }, Two: {} },
    ),
  );
});

test('what somebody else posts behind two deliveries can come before one that is tried', () => {
  expectAll(
    readers(
      [
        ['One', 'c'],
        ['Two', 'a'],
        ['Two', 'b'],
      ],
      { One: {}, Two: { word: 'ab', to: 'One', letter: 'd' } },
    ),
  );
});

test('whatever readers hand on, all that runs come to is found', () => {
  fc.assert(
    fc.property(systems, ({ letters, of }) => {
      const make = readers(letters, of);
      fc.pre(byAllTapes(make, [], 400) !== undefined);
      expectAll(make);
    }),
    { numRuns: effort({ short: 30, long: 300 }) },
  );
});

// Alone no letter commutes with the other one for the same reader; both together do with those for somebody else.
test('of letters for two readers those for the first one are tried first, each, and then those for the other one', () => {
  const make = readers(
    [
      ['One', 'a'],
      ['One', 'b'],
      ['Two', 'c'],
      ['Two', 'd'],
    ],
    { One: {}, Two: {} },
  );

  const transitions = [false, true].map((reduction) => new Explorer(make, { reduction }).toEnd().transitions);
  expect(transitions).toEqual([48, 24]);
  expectAll(make);
});
