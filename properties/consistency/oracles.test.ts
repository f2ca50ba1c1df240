import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, cycleWords, type History, type Verdict, valueKey } from './history.ts';
import { coherent, linearizable, sequentiallyConsistent } from './oracles.ts';

/** All orders of a list. */
function* permutations<T>(list: readonly T[]): Iterable<readonly T[]> {
  if (list.length === 0) yield [];
  for (const [at, one] of list.entries())
    for (const rest of permutations(list.toSpliced(at, 1))) yield [one, ...rest];
}

/** True when the values are those of one access after another. */
function works(order: readonly Access[]): boolean {
  const memory = new Map<string, unknown>();
  return order.every(({ kind, location, value }) => {
    if (kind === 'write') memory.set(location, value);
    return kind === 'write' || valueKey(memory.get(location) ?? null) === valueKey(value);
  });
}

const keepsPrograms = (order: readonly Access[]) =>
  order.every((one, at) =>
    order.slice(at + 1).every((later) => later.process !== one.process || later.invoked > one.invoked),
  );
const keepsTime = (order: readonly Access[]) =>
  order.every((one, at) => order.slice(at + 1).every((later) => !(later.responded! < one.invoked)));

/** By trying every order. */
const brute = {
  sequential: (history: History) =>
    [...permutations(history)].some((order) => keepsPrograms(order) && works(order)),
  linear: (history: History) =>
    [...permutations(history)].some((order) => keepsPrograms(order) && keepsTime(order) && works(order)),
};
const byLocation = (holds: (history: History) => boolean) => (history: History) =>
  [...new Set(history.map(({ location }) => location))].every((location) =>
    holds(history.filter((one) => one.location === location)),
  );

const says = ({ verdict }: Verdict) => verdict === 'consistent';

function expectAgreement(history: History): void {
  const verdicts = {
    linear: linearizable(history),
    sequential: sequentiallyConsistent(history),
    coherent: coherent(history),
  };
  expect({
    linear: says(verdicts.linear),
    sequential: says(verdicts.sequential),
    coherent: says(verdicts.coherent),
  }).toEqual({
    linear: brute.linear(history),
    sequential: brute.sequential(history),
    coherent: byLocation(brute.sequential)(history),
  });
  for (const verdict of Object.values(verdicts)) {
    if (verdict.verdict === 'consistent') {
      const locations = new Set(verdict.witness.map(({ location }) => location));
      expect(new Set(verdict.witness)).toEqual(new Set(history));
      for (const location of locations)
        expect(works(verdict.witness.filter((one) => one.location === location))).toBe(true);
    }
  }
}

/** Every history of two processes of so many accesses, over locations and values. */
function* histories(
  counts: readonly [number, number],
  locations: readonly string[],
  values: readonly number[],
) {
  const accesses = locations.flatMap((location) => [
    ...values.map((value) => ({ kind: 'write' as const, location, value })),
    ...[null, ...values].map((value) => ({ kind: 'read' as const, location, value })),
  ]);
  const total = counts[0] + counts[1];
  const size = accesses.length ** total;
  for (let number = 0; number < size; number++) {
    let left = number;
    yield Array.from({ length: total }, (_, at): Access => {
      const access = accesses[left % accesses.length]!;
      left = Math.floor(left / accesses.length);
      const [process, index] = at < counts[0] ? ['p', at] : ['q', at - counts[0]];
      // p and q overlap step by step, but for the last of p, which comes after all of q.
      const begins =
        10 * index + (process === 'p' ? 0 : 1) + (process === 'p' && index === counts[0] - 1 ? 100 : 0);
      return { ...access, process: String(process), invoked: begins, responded: begins + 5 };
    });
  }
}

describe('agree with brute force', () => {
  test('on all histories of two processes, two accesses each, one location, two values', () => {
    for (const history of histories([2, 2], ['x'], [1, 2])) expectAgreement(history);
  });

  test('on all histories of two and one accesses over two locations', () => {
    for (const history of histories([2, 1], ['x', 'y'], [1])) expectAgreement(history);
  });

  const access = (process: string) =>
    fc.record({
      process: fc.constant(process),
      kind: fc.constantFrom('read' as const, 'write' as const),
      location: fc.constantFrom('x', 'y'),
      value: fc.constantFrom(null, 1, 2, 3),
      gap: fc.nat(4),
      takes: fc.integer({ min: 1, max: 8 }),
    });
  const program = (process: string) =>
    fc.array(access(process), { maxLength: 3 }).map((list) => {
      let now = 0;
      return list.map(({ gap, takes, ...one }): Access => {
        const invoked = now + gap;
        now = invoked + takes;
        const value = one.kind === 'write' ? (one.value ?? 4) : one.value;
        return { ...one, value, invoked, responded: now++ };
      });
    });

  test('on random ones of three processes', () => {
    fc.assert(
      fc.property(program('p'), program('q'), program('r'), (p, q, r) => {
        fc.pre(p.length + q.length + r.length <= 6);
        expectAgreement([...p, ...q, ...r]);
      }),
      { numRuns: 300 },
    );
  });
});

const did = (text: string): History =>
  text.split(' ').map((word) => {
    const [, process, kind, location, value, from, to] = /^(\w)([rw])(\w)=(\w+)@(\d+)-(\d+)$/.exec(
      word,
    ) as unknown as string[];
    return {
      process: process!,
      kind: kind === 'r' ? 'read' : 'write',
      location: location!,
      value: value === 'null' ? null : Number(value),
      invoked: Number(from),
      responded: Number(to),
    };
  });

describe('planted violations are found and told with the smallest circle', () => {
  test.each([
    [
      'a stale read',
      linearizable,
      'pwx=1@0-1 pwx=2@2-3 qrx=2@4-5 rrx=1@6-7 qry=null@8-9',
      ['pwx=1@0-1', 'pwx=2@2-3', 'rrx=1@6-7'],
    ],
    ['a lost write', linearizable, 'pwx=1@0-1 qrx=null@2-3 pwy=5@4-5', ['pwx=1@0-1', 'qrx=null@2-3']],
    [
      'values that go back',
      coherent,
      'pwx=1@0-9 qwx=2@0-9 rrx=1@10-11 rrx=2@12-13 srx=2@10-11 srx=1@12-13',
      undefined,
    ],
    [
      'two processes that both miss the write of the other',
      sequentiallyConsistent,
      'pwx=1@0-1 pry=null@2-3 qwy=1@0-1 qrx=null@2-3 rrz=null@0-1',
      ['pwx=1@0-1', 'pry=null@2-3', 'qwy=1@0-1', 'qrx=null@2-3'],
    ],
  ] as const)('%s', (_, oracle, text, smallest) => {
    const verdict = oracle(did(text));

    expect(verdict.verdict).toBe('inconsistent');
    if (verdict.verdict !== 'inconsistent') return;
    expect(verdict.cycle.length).toBeGreaterThan(1);
    for (const [at, { after }] of verdict.cycle.entries())
      expect(verdict.cycle[(at + 1) % verdict.cycle.length]!.before).toBe(after);
    if (smallest)
      expect([...verdict.accesses].sort(byStart)).toEqual([...did(smallest.join(' '))].sort(byStart));
  });

  test('in words', () => {
    const verdict = linearizable(did('pwx=1@0-1 qrx=null@2-3'));

    expect(verdict.verdict === 'inconsistent' && cycleWords(verdict.cycle)).toBe(
      '"p writes x = 1" before "q reads x = null" (real time), "q reads x = null" before "p writes x = 1" (from read)',
    );
  });

  test('no part of the smallest one can be left out', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            process: fc.constantFrom('p', 'q', 'r'),
            kind: fc.constantFrom('read' as const, 'write' as const),
            value: fc.integer({ min: 1, max: 6 }),
          }),
          { minLength: 2, maxLength: 7 },
        ),
        (list) => {
          const history = list.map(
            (one, at): Access => ({ ...one, location: 'x', invoked: 2 * at, responded: 2 * at + 1 }),
          );
          const verdict = linearizable(history);
          fc.pre(verdict.verdict === 'inconsistent');
          const { accesses } = verdict as Extract<Verdict, { verdict: 'inconsistent' }>;

          expect(says(linearizable(accesses))).toBe(false);
          for (const one of accesses)
            if (one.kind === 'read')
              expect(says(linearizable(accesses.filter((other) => other !== one)))).toBe(true);
        },
      ),
    );
  });
});

test('an access without an answer may take effect or not', () => {
  const open: Access = { process: 'p', kind: 'write', location: 'x', value: 1, invoked: 0 };
  const read = (value: unknown): Access => ({
    process: 'q',
    kind: 'read',
    location: 'x',
    value,
    invoked: 5,
    responded: 6,
  });

  expect([1, null, 2].map((value) => says(linearizable([open, read(value)])))).toEqual([true, true, false]);
});

test('a search that takes too long says so and nothing else', () => {
  const history = did(Array.from({ length: 12 }, (_, at) => `${'abcdefghijkl'[at]}wx=${at}@0-99`).join(' '));
  const late: Access = { process: 'z', kind: 'read', location: 'x', value: 77, invoked: 100, responded: 101 };

  expect(linearizable([...history, late], { budget: 500 })).toEqual({ verdict: 'undecided', steps: 501 });
});

function byStart(a: Access, b: Access): number {
  return a.invoked - b.invoked || a.process.localeCompare(b.process);
}
