import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rules } from './clock.ts';
import { RaceStory } from './race-story.ts';
import { racesInSomeSchedule, SmallMachine, type SmallOperation } from './small-machine.ts';

const below = (count: number) => fc.nat({ max: count - 1 });

/** Small operations. The lenient rules excuse words of two roles, which the small machine does not: there, each role has its own words. */
const operation = (rules: Rules): fc.Arbitrary<SmallOperation> => {
  const far = rules === 'lenient' ? below(2).map((word) => word + 2) : below(2);
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('load', 'store'), buffer: below(2) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constantFrom('get', 'put'),
        buffer: below(2),
        slot: below(2),
        word: below(2),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constant('remotePut'), buffer: below(2), word: below(2), far }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('wait'),
        word: below(rules === 'lenient' ? 4 : 2),
        value: fc.integer({ min: 1, max: 2 }),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ op: 'sync' } as const) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('order'), engine: fc.constantFrom('dma', 'rma', 'both') }),
    },
  ) as fc.Arbitrary<SmallOperation>;
};

const anything = (rules: Rules) =>
  fc.tuple(
    fc.array(operation(rules), { minLength: 1, maxLength: 6 }),
    fc.array(operation(rules), { minLength: 0, maxLength: 5 }),
  );

/** Something done properly by a CPE, the other one's part of it included. Waits say `value: 0`, which stands for all that was issued. */
type Fragment = readonly [mine: readonly SmallOperation[], theirs: readonly SmallOperation[]];

const all = (word: number): SmallOperation => ({ op: 'wait', word, value: 0 });
const sync: SmallOperation = { op: 'sync' };

const fragment: fc.Arbitrary<Fragment> = fc
  .record({
    shape: below(6),
    buffer: below(2),
    slot: below(2),
    word: below(2),
    use: fc.constantFrom('load', 'store'),
  })
  .map(({ shape, buffer, slot, word, use }): Fragment => {
    const get: SmallOperation = { op: 'get', buffer, slot, word };
    const put: SmallOperation = { op: 'put', buffer, slot, word };
    const used: SmallOperation = { op: use, buffer };
    const send: SmallOperation = { op: 'remotePut', buffer, word, far: 2 };
    switch (shape) {
      case 0:
        return [[get, all(word), used], []];
      case 1:
        return [[get, { op: 'get', buffer: 1 - buffer, slot, word }, all(word), used], []];
      case 2:
        return [[put, all(word), used], []];
      case 3:
        return [[put, { op: 'order', engine: 'dma' }, get, all(word), used], []];
      case 4:
        return [
          [send, all(word), sync],
          [sync, used],
        ];
      default:
        return [
          [put, all(word), sync],
          [sync, get, all(word), used],
        ];
    }
  });

/** Proper programs with at most one operation left out, or one wait for one fewer. */
const nearlyProper = fc
  .record({
    fragments: fc.array(fragment, { minLength: 1, maxLength: 2 }),
    swapped: fc.boolean(),
    spoilt: fc.option(fc.record({ at: below(12), fewer: fc.boolean() })),
  })
  .map(({ fragments, swapped, spoilt }) => {
    // A last synchronisation between fragments keeps one CPE's apart from the other's.
    const both = fragments.reduce<[SmallOperation[], SmallOperation[]]>(
      ([first, second], [mine, theirs], index) => {
        const turned = swapped && index % 2 === 1 ? [theirs, mine] : [mine, theirs];
        return [
          [...first, ...turned[0]!, ...(index === 0 ? [sync] : [])],
          [...second, ...turned[1]!, ...(index === 0 ? [sync] : [])],
        ];
      },
      [[], []],
    );
    const counted = both.map((operations) => countedWaits(operations));
    if (!spoilt) return counted;
    const cpe = spoilt.at % 2;
    const at = spoilt.at >> 1;
    return counted.map((operations, which) =>
      which !== cpe
        ? operations
        : operations.flatMap((one, index) => {
            if (index !== at || one.op === 'sync') return [one];
            return spoilt.fewer && one.op === 'wait' ? [{ ...one, value: one.value - 1 }] : [];
          }),
    );
  });

/** Gives each wait the number of transfers issued on its word before. */
function countedWaits(operations: readonly SmallOperation[]): readonly SmallOperation[] {
  const issued = new Map<number, number>();
  return operations.map((one) => {
    if ('slot' in one || one.op === 'remotePut') issued.set(one.word, (issued.get(one.word) ?? 0) + 1);
    return one.op === 'wait' ? { ...one, value: issued.get(one.word) ?? 0 } : one;
  });
}

/** Runs the programs once, in the order that the picks give, and asks the detector. */
function reportsIn(
  both: readonly (readonly SmallOperation[])[],
  rules: Rules,
  pick: (count: number) => number,
) {
  const story = new RaceStory(rules);
  const machine = new SmallMachine(both, rules === 'lenient');
  for (let moves = machine.moves; moves.length > 0; moves = machine.moves)
    machine.make(moves[pick(moves.length)]!, story);
  return story.reports.filter(({ severity }) => severity === 'error');
}

/** Pseudo-random picks from a seed, the same in every run. */
function picks(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const schedules = 12;

/** Compares the detector with all schedules of programs. Returns how many had a race and how many had none. */
function compared(
  programs: fc.Arbitrary<readonly (readonly SmallOperation[])[]>,
  rules: Rules,
  runs: number,
) {
  const tally = { raced: 0, free: 0 };
  fc.assert(
    fc.property(programs, (both) => {
      const races = racesInSomeSchedule(both, rules === 'lenient');
      tally[races ? 'raced' : 'free']++;
      const reports = Array.from({ length: schedules }, (_, seed) => reportsIn(both, rules, picks(seed)));
      if (races) expect(reports.some((found) => found.length > 0)).toBe(true);
      else expect(reports.flat()).toEqual([]);
    }),
    { numRuns: runs, seed: 22 },
  );
  return tally;
}

describe.each(['lenient', 'strict'] as const)(
  'the detector reports a race exactly where some schedule has one (%s)',
  (rules) => {
    test('of small programs of any kind', () => {
      const { raced, free } = compared(anything(rules), rules, 100);

      expect(Math.min(raced, free)).toBeGreaterThan(15);
    });

    test('of proper programs with one operation left out or one wait for one fewer', () => {
      const { raced, free } = compared(nearlyProper, rules, 160);

      expect(Math.min(raced, free)).toBeGreaterThan(15);
    });
  },
);
