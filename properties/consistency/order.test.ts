import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Access } from './history.ts';
import { programOrder, realTime } from './order.ts';

const histories = fc
  .array(
    fc.record({
      process: fc.constantFrom('p', 'q'),
      invoked: fc.nat(8),
      takes: fc.option(fc.nat(4), { nil: undefined, freq: 4 }),
    }),
    { maxLength: 8 },
  )
  .map((list) =>
    list
      .map(({ takes, ...one }): Access => {
        const access = { ...one, kind: 'write' as const, location: 'x', value: 1 };
        return takes === undefined ? access : { ...access, responded: one.invoked + takes };
      })
      .sort((a, b) => a.invoked - b.invoked),
  );

test.each([
  ['program order', programOrder],
  ['real time', realTime],
])('all that comes before an access in %s comes before it over those just before it', (_, order) => {
  fc.assert(
    fc.property(histories, (history) => {
      const justBefore = order.justBefore(history);
      const allBefore = history.map(() => new Set<number>());
      for (const [at, before] of justBefore.entries())
        for (const one of before)
          for (const earlier of [one, ...allBefore[one]!]) allBefore[at]!.add(earlier);

      const expected = history.map((later) =>
        [...history.keys()].filter((at) => order.reason(history[at]!, later) !== undefined),
      );
      expect(allBefore.map((set) => [...set].sort((a, b) => a - b))).toEqual(expected);
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('an order tells why: within a process its program, else the time', () => {
  const access = (process: string, invoked: number): Access => ({
    process,
    kind: 'write',
    location: 'x',
    value: 1,
    invoked,
    responded: invoked + 1,
  });

  expect(realTime.reason(access('p', 0), access('p', 2))).toBe('program order');
  expect(realTime.reason(access('p', 0), access('q', 2))).toBe('real time');
  expect(programOrder.reason(access('p', 0), access('q', 2))).toBeUndefined();
});
