import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Transcript } from './transcript.ts';

/** What is written, and with what. */
type Entry = readonly [kind: 'word' | 'string' | 'number' | 'numbers' | 'words', value: never];

const edges = [0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0x8002, 0xffff];
const small = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...edges) }, fc.nat(0xffff));
const word = fc.oneof(small, fc.constantFrom(0x10000, 0x3fff_ffff, 0x4000_0000, 0x8000_0000, 0xffff_ffff));
const number = fc.oneof(word, fc.constantFrom(-1, -0x8000, 0.5, 2 ** 31, 2 ** 40, Number.NaN));
const few = { maxLength: 3 };
const entry = fc.oneof(
  fc.tuple(fc.constant('word'), word),
  fc.tuple(
    fc.constant('string'),
    fc.array(small, few).map((chars) => String.fromCharCode(...chars)),
  ),
  fc.tuple(fc.constant('number'), number),
  fc.tuple(fc.constant('numbers'), fc.array(number, few)),
  fc.tuple(
    fc.constant('words'),
    fc.array(fc.constantFrom(0, 0, 1, 0x8000), few).map((all) => Uint32Array.from(all)),
  ),
) as unknown as fc.Arbitrary<Entry>;

function transcriptOf(entries: readonly Entry[]): string {
  const transcript = new Transcript();
  for (const [kind, value] of entries) transcript[kind](value);
  return transcript.text;
}

const textOf = (entries: readonly Entry[]): string =>
  JSON.stringify(entries, (_, value) =>
    Number.isNaN(value) ? 'NaN' : value instanceof Uint32Array ? [...value] : value,
  );

test('of two lists of entries of the same kinds only equal ones have equal transcripts', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(entry),
      (entries, others) => {
        const other = entries.map(([kind, value]): Entry => {
          for (const one of others)
            if (one[0] === kind) return kind === 'words' && one[1] !== value ? [kind, value] : one;
          return [kind, value];
        });

        expect(transcriptOf(entries) === transcriptOf(other)).toBe(textOf(entries) === textOf(other));
      },
    ),
    { numRuns: 3000 },
  );
});

test('a character of two bytes is not taken for the beginning of another one', () => {
  const entries = (text: string, ...words: readonly number[]) =>
    [['string', text], ...words.map((one) => ['word', one])] as unknown as readonly Entry[];

  for (const [first, second] of [
    [0x8000, 0x8001],
    [0x7fff, 0x8000],
    [0x8000, 0xffff],
  ] as const) {
    const [one, other] = [first, second].map((char) => transcriptOf(entries(String.fromCharCode(char))));
    expect(one!.startsWith(other!) || other!.startsWith(one!)).toBe(false);
  }
});
