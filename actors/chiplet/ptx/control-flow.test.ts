import fc from 'fast-check';
import { expect, test } from 'vitest';
import { postDominators } from './control-flow.ts';

/** Nodes that lie on every way from a node to the exit, by trying what happens without each. */
function slowPostDominators(
  successors: readonly (readonly number[])[],
): readonly (readonly number[] | undefined)[] {
  const exit = successors.length;
  const reaches = (from: number, without: number): boolean => {
    const seen = new Set([without]);
    const open = [from];
    while (open.length > 0) {
      const node = open.pop()!;
      if (seen.has(node)) continue;
      if (node === exit) return true;
      seen.add(node);
      open.push(...successors[node]!);
    }
    return false;
  };
  return successors.map((_, node) => {
    if (!reaches(node, -1)) return undefined;
    const all = [...Array(exit).keys(), exit];
    return all.filter((other) => other !== node && (other === exit || !reaches(node, other)));
  });
}

test('the immediate post-dominator is the first node that no way to the exit avoids', () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: size }), { minLength: 1, maxLength: 2 }), {
      minLength: size,
      maxLength: size,
    }),
  );
  fc.assert(
    fc.property(graph, (successors) => {
      const found = postDominators(successors);
      const all = slowPostDominators(successors);
      for (const [node, dominators] of all.entries()) {
        if (dominators === undefined) expect(found[node]).toBe(successors.length);
        else {
          expect(dominators).toContain(found[node]);
          // All others come behind it.
          const behind = all[found[node]!] ?? [];
          const others = dominators.filter((one) => one !== found[node]);
          expect(others.every((one) => behind.includes(one))).toBe(true);
        }
      }
    }),
    { numRuns: 1500, seed: 4 },
  );
});
