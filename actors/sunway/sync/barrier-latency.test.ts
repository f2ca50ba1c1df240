import { describe, expect, test } from 'vitest';
import { spcDistance } from '../array/identity.ts';
import type { BarrierKind } from '../messages.ts';
import { barrierLatency, barrierMembers } from './barrier-line.ts';

const base = 14;
const hop = 3;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

/** The rule as specification 9.4 has it: the longest way between two members. */
const byPairs = (members: readonly number[]): number =>
  base +
  hop *
    Math.max(
      0,
      ...members.flatMap((a) =>
        members.map((b) => {
          const { x, y } = spcDistance(a, b);
          return x + y;
        }),
      ),
    );

const lines: readonly (readonly [BarrierKind, readonly number[], readonly number[]])[] = [
  ['row', upTo(8), upTo(256)],
  ['column', upTo(8), upTo(256)],
  ['pair', upTo(64), upTo(64)],
];

describe('the latency of a barrier', () => {
  test.each(lines)('is that of its longest way, for every %s', (kind, indices, masks) => {
    for (const index of indices)
      for (const mask of masks) {
        const members = barrierMembers(kind, index, mask);

        if (barrierLatency(members, { base, hop }) !== byPairs(members))
          expect.fail(`${kind} ${index} ${mask}: ${barrierLatency(members, { base, hop })}`);
      }
  });

  test('is that of its longest way, for sets that are no line', () => {
    for (const members of [[], [5], [0, 63], [7, 56], [7, 56, 27], upTo(64), [0, 9, 18, 27], [1, 12, 50]])
      expect(barrierLatency(members, { base, hop })).toBe(byPairs(members));
  });
});
