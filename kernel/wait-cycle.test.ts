import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cycleText, findCycle } from './wait-cycle.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const graph = fc.array(fc.array(fc.constantFrom(...names, 'nobody'), { maxLength: 3 }), {
  minLength: names.length,
  maxLength: names.length,
});

/** Whether somebody comes back to itself, by what is reached in ever more steps. */
function hasCycle(waits: ReadonlyMap<string, readonly string[]>): boolean {
  return names.some((first) => {
    let reached = new Set(waits.get(first));
    for (const _ of names)
      reached = new Set([...reached, ...[...reached].flatMap((one) => waits.get(one) ?? [])]);
    return reached.has(first);
  });
}

describe('the cycle of a wait graph', () => {
  test('is found exactly where there is one, and each of it waits for the next', () => {
    fc.assert(
      fc.property(graph, (lists) => {
        const waits = new Map(names.map((name, at) => [name, lists[at]!]));
        const cycle = findCycle(waits);

        expect(cycle.length > 0).toBe(hasCycle(waits));
        expect(new Set(cycle).size).toBe(cycle.length);
        for (const [at, name] of cycle.entries())
          expect(waits.get(name)).toContain(cycle[(at + 1) % cycle.length]);
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  test('is the first in the order of waiting, and is told with its beginning again', () => {
    const waits = new Map([
      ['x', ['a']],
      ['a', ['nobody', 'b']],
      ['b', ['c', 'a']],
      ['c', ['b']],
    ]);

    expect(findCycle(waits)).toEqual(['b', 'c']);
    expect(cycleText(findCycle(waits))).toBe('b -> c -> b');
    expect(findCycle(new Map([['x', ['y']]]))).toEqual([]);
  });
});
