import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hasher } from '../hash.ts';
import { fixed, type Resource } from '../resource.ts';
import { enumerateChoices } from './enumerate-choices.ts';
import { StateSet } from './state-set.ts';
import { transcriptOf } from './transcript.ts';
import { WordList } from './word-list.ts';

describe('a set of states', () => {
  test('has each list of words once, under the number it was first added with', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 200 }), (lists) => {
        const set = new StateSet();
        const numbers = new Map<string, number>();
        for (const list of lists) {
          const known = numbers.get(list.join());
          const number = set.add(Uint32Array.from([9, ...list, 9]), 1, list.length);

          expect(number).toBe(known === undefined ? numbers.size : ~known);
          if (known === undefined) numbers.set(list.join(), number);
        }
        for (const [text, number] of numbers) {
          const into = new Uint32Array(8);
          const length = set.read(number, into, 2);
          expect([...into.subarray(2, 2 + length)].join()).toBe(text);
          expect(set.lengthOf(number)).toBe(length);
        }
      }),
      { seed: 1 },
    );
  });

  test('tells apart what has the same hash, and outgrows its room', () => {
    const set = new StateSet();
    const words = new Uint32Array(4);
    const count = 250_000;
    let wrong = 0;
    for (const pass of [0, 1]) {
      for (let i = 0; i < count; i++) {
        words[0] = Math.imul(i, 0x9e3779b1);
        words[1] = i;
        if (set.add(words, 0, 4) !== (pass === 0 ? i : ~i)) wrong++;
      }
    }
    expect([set.size, wrong]).toEqual([count, 0]);
  });

  test('is empty when it was cleared, and can be filled again', () => {
    const set = new StateSet();
    for (let i = 0; i < 1000; i++) set.add(Uint32Array.of(i), 0, 1);

    set.clear();

    expect([set.size, set.add(Uint32Array.of(7), 0, 1), set.add(Uint32Array.of(7), 0, 1)]).toEqual([
      0,
      0,
      ~0,
    ]);
  });
});

test('a list of words gives back what was pushed, over many chunks', () => {
  const list = new WordList();
  for (let i = 0; i < 200_000; i++) list.push(2 * i);

  expect([list.length, list.at(0), list.at(65_535), list.at(65_536), list.at(199_999)]).toEqual([
    200_000, 0, 131_070, 131_072, 399_998,
  ]);
});

describe('a transcript', () => {
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom(0.5, 2 ** 32, 2 ** 31, Number.NaN, null, undefined, true, false, 'a', 'ab', '', 1n),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  test('is equal for equal values and for no others', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        expect(transcriptOf(one) === transcriptOf(other)).toBe(equal(one, other));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('does not read a fraction as whole numbers, nor a resource as what follows it', () => {
    class Words implements Resource {
      constructor(readonly words: readonly number[]) {}
      fork(): Words {
        return this;
      }
      hash(into: { word(value: number): void }): void {
        for (const word of this.words) into.word(word);
      }
    }
    const halves = new Uint32Array(Float64Array.of(0.5).buffer);

    expect([...halves]).toEqual([0, 0x3fe00000]);
    expect(transcriptOf([0.5])).not.toBe(transcriptOf([0x3fe00000]));
    expect(transcriptOf([new Words([1]), new Words([])])).not.toBe(
      transcriptOf([new Words([]), new Words([1])]),
    );
    expect(transcriptOf([new Words([1, 2])])).not.toBe(transcriptOf([new Words([1, 3])]));
    expect(transcriptOf(fixed({ any: 1 }))).toBe(transcriptOf(fixed({ other: 2 })));
  });

  test('tells the elements of typed arrays and the words of pages apart', () => {
    const numbers = fc.array(fc.constantFrom(0, 1, 0x7ffe, 0x7fff, 0x8000, 70_000, 2 ** 31, -1, 0.5), {
      maxLength: 3,
    });
    class Page implements Resource {
      constructor(readonly words: readonly number[]) {}
      fork(): Page {
        return this;
      }
      hash(into: Hasher): void {
        into.words(Uint32Array.from(this.words));
      }
    }

    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const same = one.join() === other.join();
        expect(
          transcriptOf([Float64Array.from(one), 1]) === transcriptOf([Float64Array.from(other), 1]),
        ).toBe(same);
        const [page, otherPage] = [one, other].map((list) => list.filter((word) => Number.isInteger(word)));
        const samePage =
          page!.map((word) => word >>> 0).join() === otherPage!.map((word) => word >>> 0).join();
        expect(transcriptOf([new Page(page!), 1]) === transcriptOf([new Page(otherPage!), 1])).toBe(samePage);
      }),
      { seed: 1, numRuns: 5000 },
    );
    expect(transcriptOf(Uint8Array.of(1, 2))).not.toBe(transcriptOf(Uint8Array.of(1, 3)));
    expect(transcriptOf(Uint8Array.of(1, 2))).toBe(transcriptOf(Float64Array.of(1, 2)));
  });

  test('is whole however long the value is', () => {
    const long = (last: number) => [...Array.from({ length: 20_000 }, (_, i) => i * 70_000), last];

    expect(transcriptOf(long(1))).toBe(transcriptOf(long(1)));
    expect(transcriptOf(long(1))).not.toBe(transcriptOf(long(2)));
  });
});

function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one).sort(), Object.keys(other).sort()];
  return (
    keys.join() === others.join() &&
    keys.every((key) => equal((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}

test('every way to answer is taken once, in order, also where later questions depend on earlier answers', () => {
  const ways = [
    ...enumerateChoices((ask) => {
      const first = ask(3);
      return first === 1 ? [first, ask(2), ask(2)] : [first];
    }),
  ];

  expect(ways.map(({ result }) => result.join(''))).toEqual(['0', '100', '101', '110', '111', '2']);
  expect(ways.every(({ result, picks }) => result.join() === picks.join())).toBe(true);
});
