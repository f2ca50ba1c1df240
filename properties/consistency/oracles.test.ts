import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { type Access, type History, valueKey } from './history.ts';
import { coherent, linearizable, sequentiallyConsistent } from './oracles.ts';
import { type GivenOrder, programOrder, realTime } from './order.ts';
import { tryCases } from './refute.ts';
import { MemoryReplay, type Model } from './replays.ts';
import { searchOrder } from './search.ts';
import { without } from './smallest.ts';
import { brute, works } from './testing/brute-force.ts';
import { objection, shortestLength, sourcesOf } from './testing/circle-check.ts';
import { type Refutation, refutationWords, type Verdict } from './verdict.ts';

const oracles = [
  { oracle: linearizable, holds: brute.linearizable, order: realTime, local: true },
  { oracle: sequentiallyConsistent, holds: brute.sequentiallyConsistent, order: programOrder, local: false },
  { oracle: coherent, holds: brute.coherent, order: programOrder, local: true },
];

const refuted = (verdict: Verdict): Refutation | undefined =>
  verdict.verdict === 'inconsistent' ? verdict : undefined;

/** Compares every oracle with all orders there are, and looks through the reasons that it gives, if asked. Returns how many found a fault. */
function check(history: History, reasons = true): number {
  let faults = 0;
  for (const { oracle, holds, order, local } of oracles) {
    const verdict = oracle(history);
    const expected = holds(history);
    if (verdict.verdict !== (expected ? 'consistent' : 'inconsistent'))
      expect({ [oracle.name]: verdict.verdict, history }).toEqual({ [oracle.name]: expected, history });
    if (verdict.verdict === 'consistent') checkWitness(verdict.witness, history, order, local);
    if (reasons && verdict.verdict === 'inconsistent') checkRefutation(verdict, history, order, holds);
    if (!expected) faults++;
  }
  return faults;
}

function checkWitness(witness: History, history: History, order: GivenOrder, local: boolean): void {
  const locations = new Set(history.map(({ location }) => location));
  const parts = local
    ? [...locations].map((name) => witness.filter(({ location }) => location === name))
    : [witness];
  const sound =
    witness.length === history.length &&
    new Set(witness).size === history.length &&
    parts.every(
      (part) =>
        works(part) && part.every((one, at) => part.slice(at).every((later) => !order.reason(later, one))),
    );
  if (!sound) expect({ witness }).toEqual({ history });
}

function checkRefutation(
  { accesses, unwritten, cases }: Refutation,
  history: History,
  order: GivenOrder,
  holds: (history: History) => boolean,
): void {
  const wrong: string[] = [];
  if (accesses.some((one) => !history.includes(one))) wrong.push('an access is not of the history');
  const missing = history.filter((one) => !accesses.includes(one));
  if (without(history, missing).length !== accesses.length) wrong.push('a read has lost its write');
  if (holds(accesses)) wrong.push('the part is consistent');
  for (const one of accesses)
    if (!holds(without(accesses, [one]))) wrong.push(`"${valueKey(one)}" can be left out`);
  if (unwritten ? sourcesOf(unwritten, accesses).length > 0 : cases.length === 0) wrong.push('no reason');
  for (const one of cases) {
    for (const [at, constraint] of one.circle.entries()) {
      if (one.circle[(at + 1) % one.circle.length]!.before !== constraint.after)
        wrong.push('the circle has a gap');
      wrong.push(...(objection(constraint, one, accesses, order) ?? []));
    }
    if (one.circle.length !== shortestLength(one, accesses, order)) wrong.push('there is a shorter circle');
  }
  if (wrong.length > 0) expect({ wrong, accesses, cases }).toEqual({ wrong: [], accesses, cases });
}

type Step = Pick<Access, 'kind' | 'location' | 'value' | 'found'>;

const steps = (locations: readonly string[], values: readonly number[]): Step[] =>
  locations.flatMap((location) => [
    ...values.map((value): Step => ({ kind: 'write', location, value })),
    ...[null, ...values].map((value): Step => ({ kind: 'read', location, value })),
  ]);

/** Every way for the processes p and q to take so many steps. `timing` tells when a step begins and ends. */
function* histories(
  counts: readonly [number, number],
  choices: readonly Step[],
  timing: (process: number, index: number) => readonly [invoked: number, responded: number],
): Generator<History> {
  const total = counts[0] + counts[1];
  for (let number = 0; number < choices.length ** total; number++) {
    let left = number;
    yield Array.from({ length: total }, (_, at): Access => {
      const step = choices[left % choices.length]!;
      left = Math.floor(left / choices.length);
      const process = at < counts[0] ? 0 : 1;
      const [invoked, responded] = timing(process, process === 0 ? at : at - counts[0]);
      return { ...step, process: 'pq'[process]!, invoked, responded };
    });
  }
}

const sideBySide = (process: number, index: number) => [10 * index + process, 10 * index + 5] as const;
/** The steps of q begin while one of p goes on and end while the next one does. */
const shifted = (process: number, index: number) =>
  [10 * index + 6 * process, 10 * index + 6 * process + 8] as const;

/** Verdicts are compared on all histories; to look through reasons takes longer, so it is done on every so many. */
const thinned = 7;

describe('the oracles agree with trying every order, and can give reasons,', () => {
  test('on all histories of two processes, two accesses each, two locations, two values', () => {
    let faults = 0;
    // The names of the locations make no difference.
    for (const history of histories([2, 2], steps(['x', 'y'], [1, 2]), sideBySide))
      if (history[0]!.location === 'x') faults += check(history);

    expect(faults).toBe(11_734);
  });

  test('on all histories of three and two accesses, one location, with updates', () => {
    const choices: Step[] = [
      ...steps(['x'], [1]),
      { kind: 'update', location: 'x', found: null, value: 1 },
      { kind: 'update', location: 'x', found: 1, value: 2 },
    ];
    let faults = 0;
    let number = 0;
    for (const history of histories([3, 2], choices, shifted))
      faults += check(history, number++ % thinned === 0);

    expect(faults).toBe(8054);
  });

  test('on all histories of three and two accesses, one location, two values', () => {
    let faults = 0;
    let number = 0;
    for (const history of histories([3, 2], steps(['x'], [1, 2]), shifted))
      faults += check(history, number++ % thinned === 0);

    expect(faults).toBe(7382);
  });

  const step = (values: readonly number[]) =>
    fc.record({
      kind: fc.constantFrom('read' as const, 'write' as const, 'update' as const),
      location: fc.constantFrom('x', 'x', 'y'),
      value: fc.constantFrom(null, ...values),
      found: fc.constantFrom(null, ...values),
      gap: fc.nat(4),
      takes: fc.integer({ min: 1, max: 8 }),
    });
  const program = (process: string, values = [1, 2, 3], minLength = 0) =>
    fc.array(step(values), { minLength, maxLength: 3 }).map((list) => {
      let now = 0;
      return list.map(({ gap, takes, value, found, ...one }): Access => {
        const invoked = now + gap;
        const responded = invoked + takes;
        now = responded + 1;
        const values =
          one.kind === 'read' ? { value: found } : one.kind === 'write' ? { value } : { value, found };
        return { ...one, ...values, process, invoked, responded };
      });
    });

  test('on random ones of three processes', () => {
    let faults = 0;
    fc.assert(
      fc.property(program('p'), program('q'), program('r'), (...programs) => {
        const history = programs.flat();
        fc.pre(history.length <= 7);
        faults += check(history);
      }),
      { numRuns: effort({ short: 80, long: 400 }), seed: 3 },
    );
    expect(faults).toBeGreaterThan(100);
  });

  test('on processes that begin an access before the last one was answered', () => {
    const access = fc.record({
      process: fc.constantFrom('p', 'q'),
      kind: fc.constantFrom('read' as const, 'write' as const),
      location: fc.constant('x'),
      value: fc.constantFrom(1, 2),
      invoked: fc.nat(9),
      takes: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(access, { maxLength: 6 }), (list) => {
        const history = list.map(({ takes, ...one }): Access => ({ ...one, responded: one.invoked + takes }));
        expect(linearizable(history).verdict === 'consistent').toBe(brute.linearizable(history));
      }),
      { numRuns: effort({ short: 60, long: 300 }), seed: 3 },
    );
  });

  test('whichever way they judge: by searching, or by supposing one thing after another', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        program('p', [1, 2], 2),
        program('q', [1, 2], 2),
        program('r', [1, 2], 2),
        (...programs) => {
          const history = [...programs.flat()].sort((a, b) => a.invoked - b.invoked);
          fc.pre(history.length <= 7);
          for (const { order, holds, local } of oracles.slice(0, 2)) {
            const part = local ? history.filter(({ location }) => location === 'x') : history;
            const expected = holds(part);
            const needed = () => true;
            const justBefore = order.justBefore(part);
            const replay = new MemoryReplay(part, () => null);
            const found = searchOrder({ justBefore, needed, replay, budget: 100_000 });
            const trial = tryCases(part, order, () => null, 10_000);

            expect([found !== undefined, trial && 'witness' in trial]).toEqual([expected, expected]);
            if (trial && 'cases' in trial && trial.cases.length > 1) tried++;
          }
        },
      ),
      { numRuns: effort({ short: 100, long: 500 }), seed: 4 },
    );
    expect(tried).toBeGreaterThan(effort({ short: 4, long: 20 }));
  });
});

/** `pwx=1@0-1`: p writes 1 into x from 0 to 1; `pux=1>2@0-1` updates it; without an end it has no answer. */
const did = (text: string): Access[] =>
  text.split(' ').map((word) => {
    const [, process, kind, location, found, value, from, to] =
      /^(\w)([rwu])(\w)=(?:(\w+)>)?(\w+)@(\d+)-(\d*)$/.exec(word) as unknown as string[];
    const number = (digits: string) => (digits === 'null' ? null : Number(digits));
    return {
      process: process!,
      kind: kind === 'r' ? 'read' : kind === 'w' ? 'write' : 'update',
      location: location!,
      value: number(value!),
      ...(found !== undefined && { found: number(found) }),
      invoked: Number(from),
      ...(to !== '' && { responded: Number(to) }),
    };
  });

describe('planted violations are found and told with the smallest circle:', () => {
  test.each([
    [
      'a stale read',
      linearizable,
      'pwx=1@0-1 pwx=2@2-3 qrx=2@4-5 rrx=1@6-7 qry=null@8-9',
      'pwx=1@0-1 pwx=2@2-3 rrx=1@6-7',
      '"p writes x = 2" before "r reads x = 1" (real time), "r reads x = 1" before "p writes x = 2" (from read)',
    ],
    [
      'a lost write',
      linearizable,
      'pwx=1@0-1 qrx=null@2-3 pwy=5@4-5',
      'pwx=1@0-1 qrx=null@2-3',
      '"p writes x = 1" before "q reads x = null" (real time), "q reads x = null" before "p writes x = 1" (from read)',
    ],
    [
      'two writes that two readers see in different orders',
      coherent,
      'pwx=1@0-9 qwx=2@0-9 rrx=1@10-11 rrx=2@12-13 srx=2@10-11 srx=1@12-13',
      'pwx=1@0-9 qwx=2@0-9 rrx=1@10-11 rrx=2@12-13 srx=2@10-11 srx=1@12-13',
      '"p writes x = 1" before "q writes x = 2" (write order), "q writes x = 2" before "p writes x = 1" (write order)',
    ],
    [
      'two processes that both miss the write of the other',
      sequentiallyConsistent,
      'pwx=1@0-1 pry=null@2-3 qwy=1@0-1 qrx=null@2-3 rrz=null@0-1',
      'pwx=1@0-1 pry=null@2-3 qwy=1@0-1 qrx=null@2-3',
      '"p writes x = 1" before "p reads y = null" (program order), "p reads y = null" before "q writes y = 1" (from read), ' +
        '"q writes y = 1" before "q reads x = null" (program order), "q reads x = null" before "p writes x = 1" (from read)',
    ],
    [
      'two updates that found the same value',
      coherent,
      'pux=null>1@0-9 qux=null>2@0-9 rwx=3@0-9',
      'pux=null>1@0-9 qux=null>2@0-9',
      '"p updates x from null to 1" before "q updates x from null to 2" (from read), ' +
        '"q updates x from null to 2" before "p updates x from null to 1" (from read)',
    ],
    [
      'a value out of the air',
      coherent,
      'pwx=1@0-1 qrx=7@0-1 qrx=1@2-3',
      'qrx=7@0-1',
      '"q reads x = 7", which nobody wrote',
    ],
    [
      'a read that comes too early for one write of its value and too late for the other',
      linearizable,
      'pwx=1@0-1 pwx=2@2-3 qrx=1@4-5 pwx=1@6-7',
      'pwx=1@0-1 pwx=2@2-3 qrx=1@4-5 pwx=1@6-7',
      'if "q reads x = 1" saw what "p writes x = 1" wrote: "p writes x = 2" before "q reads x = 1" (real time), ' +
        '"q reads x = 1" before "p writes x = 2" (from read); if "q reads x = 1" saw what "p writes x = 1" wrote: ' +
        '"q reads x = 1" before "p writes x = 1" (real time), "p writes x = 1" before "q reads x = 1" (reads from)',
    ],
  ] as const)('%s', (_, oracle, text, part, why) => {
    const verdict = refuted(oracle(did(text)))!;

    expect(verdict.accesses).toEqual(did(part).sort((a, b) => a.invoked - b.invoked));
    expect(refutationWords(verdict)).toBe(why);
  });

  test('the reads of one value are not laid to another write of it', () => {
    // Without the second write of 1 the first read would be stale, which it is not; the one fault is that of 9.
    const rewritten = 'pwx=1@0-1 pwx=2@2-3 pwx=1@4-5 qrx=1@6-7';
    const verdict = refuted(linearizable(did(`${rewritten} pwx=9@8-9 pwx=8@10-11 qrx=9@12-13`)))!;

    expect(verdict.accesses.map(({ value }) => value)).toEqual([9, 8, 9]);
  });
});

test('an access without an answer may take effect or not, at any time from its beginning on', () => {
  const judge = (text: string) =>
    [linearizable, sequentiallyConsistent, coherent].map(
      (oracle) => oracle(did(text)).verdict === 'consistent',
    );

  expect(judge('pwx=1@0- qrx=1@5-6')).toEqual([true, true, true]);
  expect(judge('pwx=1@0- qrx=null@5-6 qrx=1@7-8')).toEqual([true, true, true]);
  expect(judge('pwx=1@0- qrx=1@5-6 qrx=null@7-8')).toEqual([false, false, false]);
  expect(judge('pwx=1@0- pwx=2@2-3 qrx=2@5-6 qrx=1@7-8')).toEqual([true, true, true]);
  expect(judge('prx=9@0- qrx=2@5-6')).toEqual([false, false, false]);
});

test('the first value is what it is said to be', () => {
  const judge = (initial: unknown) => coherent(did('qrx=0@0-1'), { initial: () => initial }).verdict;

  expect([judge(0), judge(1)]).toEqual(['consistent', 'inconsistent']);
  expect(linearizable(did('pwx=1@0-1 pwx=0@2-3 qrx=0@4-5'), { initial: () => 0 }).verdict).toBe('consistent');
});

describe('on long histories', () => {
  /** Three processes, one after another or two at once; every other access reads what was written last. */
  const long = (length: number): Access[] =>
    Array.from({ length }, (_, at) => ({
      process: 'pqr'[at % 3]!,
      kind: at % 2 === 0 ? 'write' : 'read',
      location: `x${at % 4 < 2 ? 0 : 1}`,
      value: at - (at % 2),
      invoked: 10 * at,
      responded: 10 * at + (at % 4 === 0 ? 15 : 5),
    }));
  const history = long(2000);
  const stale = history.with(1501, { ...history[1501]!, value: history[1493]!.value });

  test('they find an order', () => {
    for (const oracle of [linearizable, coherent, sequentiallyConsistent])
      expect(oracle(history).verdict).toBe('consistent');
  });

  test('they find one fault in it', () => {
    expect(refuted(linearizable(stale))!.accesses).toEqual([history[1492], history[1496], stale[1501]]);
  });

  test('they say that they did not find out, rather than guess', () => {
    const verdict = sequentiallyConsistent(
      history.map((access) => ({ ...access, process: `${access.process}${access.invoked % 70}` })),
      { budget: 500 },
    );

    expect(verdict).toEqual({ verdict: 'undecided', steps: expect.any(Number) });
  });
});

describe('linearizable, of another kind of object,', () => {
  /** First in, first out: writes put in, reads take out, null from an empty one. */
  const queue: Model<readonly unknown[]> = {
    initial: [],
    step: (waiting, { kind, value, responded }) => {
      if (kind === 'write') return [...waiting, value];
      const [first = null, ...others] = waiting;
      return responded === undefined || first === value ? others : undefined;
    },
  };
  const worksAsQueue = (order: History) => {
    let state: readonly unknown[] | undefined = queue.initial;
    for (const access of order) state = state && queue.step(state, access);
    return state !== undefined;
  };

  test('agrees with trying every order', () => {
    const access = fc.record({
      process: fc.constantFrom('p', 'q', 'r'),
      kind: fc.constantFrom('read' as const, 'write' as const),
      location: fc.constant('x'),
      value: fc.constantFrom(1, 2, null),
      invoked: fc.nat(12),
      takes: fc.nat(6),
    });
    let faults = 0;
    fc.assert(
      fc.property(fc.array(access, { maxLength: 6 }), (list) => {
        const history = list.map(({ takes, ...one }): Access => ({ ...one, responded: one.invoked + takes }));
        const expected = brute.linearizable(history, worksAsQueue);
        if (!expected) faults++;
        expect(linearizable(history, { model: queue }).verdict === 'consistent').toBe(expected);
      }),
      { numRuns: effort({ short: 60, long: 300 }), seed: 3 },
    );
    expect(faults).toBeGreaterThan(effort({ short: 25, long: 50 }));
  });

  test('tells the shortest beginning that fails', () => {
    const verdict = linearizable(did('pwx=1@0-1 pwx=2@2-3 qrx=2@4-9 rrx=1@10-11 rwx=3@12-13'), {
      model: queue,
    });

    expect(refuted(verdict)!.accesses).toEqual(did('pwx=1@0-1 pwx=2@2-3 qrx=2@4-9'));
  });
});
