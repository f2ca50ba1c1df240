import { expect, test } from 'vitest';
import { z } from 'zod';
import { fixedIn, limitsFault, limitsOf } from './declared-limits.ts';

const machine = {
  config: z.strictObject({
    size: z.int().min(1).max(8).default(2),
    rate: z.number().positive(),
    names: z.array(z.string().min(1)).min(2).max(5),
    way: z.enum(['in', 'out']).default('in'),
    by: z.record(z.string(), z.int().min(3)),
  }),
};

const lines = ['size 1..8 = 2', 'rate >0..', 'names 2..5', 'names[] 1..', 'way = "in" of in out', 'by.* 3..'];

test('each limit, default and choice of a configuration is a line', () => {
  expect(limitsOf(machine)).toEqual(lines);
});

test('the scalars of a record, and those of a list, are a line', () => {
  expect(
    fixedIn({ codes: { ok: 0, bad: -1 }, list: [1, 2], deep: { of: new Map([[3, { a: true }]]) } }),
  ).toEqual(['codes: bad -1, ok 0', 'deep.of.3: a true', 'list: 1, 2']);
});

test('the first line that is not as declared is told, and one that is missing', () => {
  const declared = [...lines, 'codes: ok 0'].join('\n');

  expect(limitsFault(machine, { codes: { ok: 0 } }, declared)).toBeUndefined();
  expect(limitsFault(machine, { codes: { ok: 1 } }, declared)).toBe(
    'the machine has "codes: ok 1", declared is "codes: ok 0"',
  );
  expect(limitsFault(machine, {}, declared)).toBe('the machine lacks "codes: ok 0"');
});
