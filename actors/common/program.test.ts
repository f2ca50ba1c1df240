import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../kernel/hash.ts';
import { Program, programOf } from './program.ts';

type Result = number | { readonly status: number } | undefined;

/** A program whose every operation depends on all results before it. */
const summing = function* (): Generator<string, void, Result> {
  let sum = 0;
  for (let step = 0; step < 40; step++) {
    const result: Result = yield `${step}:${sum}`;
    const value = typeof result === 'object' ? result.status : (result ?? 0);
    sum = (sum * 31 + value + 1) % 9973;
    if (value === 5 && step > 3) return;
    if (value === 6 && step > 3) throw new Error('six');
  }
};

const anyResult: fc.Arbitrary<Result> = fc.oneof(
  fc.nat(6),
  fc.record({ status: fc.nat(2) }),
  fc.constant(undefined),
);
const results = fc
  .array(fc.tuple(anyResult, fc.integer({ min: 1, max: 4 })), { maxLength: 20 })
  .map((runs) => runs.flatMap(([one, times]) => Array.from({ length: times }, () => one)));

/** What a program answers to results; `threw` where it threw. */
function answers(program: Program<string, Result>, fed: readonly Result[]): (string | undefined)[] {
  return fed.map((result) => {
    try {
      return program.next(result);
    } catch (error) {
      return `threw ${(error as Error).message}`;
    }
  });
}

describe('a program', () => {
  test.each([undefined, null])('that yields %s is not taken for one that has ended', (nothing) => {
    const program = new Program<unknown, Result>(function* () {
      yield nothing;
    });

    expect(() => program.next(undefined)).toThrow('yields nothing, expected an operation');
  });

  test('goes on after a fork as if there had been none, on both sides', () => {
    fc.assert(
      fc.property(results, results, results, fc.nat(), (before, mine, other, cut) => {
        const program = new Program(summing);
        const at = before.length === 0 ? 0 : cut % before.length;
        answers(program, before.slice(0, at));
        const early = program.fork();
        answers(program, before.slice(at));
        const late = program.fork().fork();

        // The sides take turns, so that a shared generator or log would show.
        answers(early, other);
        const goesOn = answers(program, mine);
        answers(program.fork(), other);
        const late2 = answers(late, mine);

        const straight = answers(new Program(summing), [...before, ...mine]).slice(before.length);
        expect(goesOn).toEqual(straight);
        expect(late2).toEqual(straight);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test('that threw stays over in its forks', () => {
    const program = new Program(summing);
    const fed = [undefined, 0, 0, 0, 0, 6];

    expect(answers(program, fed).at(-1)).toBe('threw six');
    expect(answers(program.fork(), [1, 1])).toEqual([undefined, undefined]);
    expect(answers(program, [1])).toEqual([undefined]);
  });

  test('ignores its first result, since it asked for nothing yet', () => {
    expect(answers(new Program(summing), [4, 1])).toEqual(answers(new Program(summing), [undefined, 1]));
  });

  test('counts its operations and is over for good after the last', () => {
    const program = programOf<string, Result>(['one', 'two']);

    expect(answers(program, [undefined, 1, 2, 3])).toEqual(['one', 'two', undefined, undefined]);
    expect(program.steps).toBe(4);
    expect(program.fork().steps).toBe(4);
  });

  test('has a hash that tells apart what it was fed, also equal neighbours', () => {
    const fed = (list: readonly Result[]) => {
      const program = new Program(summing);
      answers(program, list);
      return hashOf(program);
    };

    expect(fed([0, 1, 1, 2])).toBe(fed([9, 1, 1, 2]));
    expect(fed([0, 1, 1, 2])).not.toBe(fed([0, 1, 2, 2]));
    expect(fed([0, { status: 1 }])).not.toBe(fed([0, 1]));
    expect(fed([0])).not.toBe(fed([]));
  });

  test('keeps results apart that have the same values under different names', () => {
    const telling = function* (): Generator<string, void, object> {
      let said = '';
      for (;;) said += Object.keys(yield said).join();
    };
    const program = new Program<string, object>(telling);
    for (const result of [{}, { a: undefined }, { b: undefined }, []]) program.next(result);

    expect(program.fork().next({ c: 1 })).toBe('abc');
  });
});
