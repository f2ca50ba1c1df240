import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Agreement, agreed, barrierFlags, barrierPartner, barrierRounds } from './barrier.ts';

const said = fc.record({ id: fc.integer({ min: 1, max: 3 }), flags: fc.constantFrom(0, 0, 1, 2) });
const { anonymous, mismatch } = barrierFlags;

/** What all know after all rounds, whatever they said. */
function disseminated(first: readonly Agreement[]): readonly Agreement[] {
  let known = [...first];
  for (let round = 0; round < barrierRounds(first.length); round++) {
    const next = [...known];
    for (const [rank, one] of known.entries()) {
      const to = barrierPartner(rank, round, first.length);
      next[to] = agreed(next[to]!, one);
    }
    known = next;
  }
  return known;
}

test('after all rounds every node knows the name that was given, or that there were two', () => {
  const law = fc.property(fc.array(said, { minLength: 1, maxLength: 9 }), (nodes) => {
    const names = new Set(nodes.filter(({ flags }) => flags === 0).map(({ id }) => id));
    const asked = nodes.some(({ flags }) => flags === mismatch);

    for (const { id, flags } of disseminated(nodes))
      if (asked || names.size > 1) expect(flags).toBe(mismatch);
      else if (names.size === 0) expect(flags).toBe(anonymous);
      else expect([id, flags]).toEqual([[...names][0], 0]);
  });

  fc.assert(law, { seed: 8 });
});
