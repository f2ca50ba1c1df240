import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { canonical, RandomChoices, TapeChoices } from './choices.ts';
import { type Coverage, coverageKinds, emptyCoverage, mergeCoverage, type Seen } from './coverage.ts';
import { CoverageSum, coverageOf } from './coverage-sum.ts';
import { summaryOf } from './coverage-summary.ts';
import { unseenIn } from './coverage-unseen.ts';
import { component, refused } from './kit.ts';
import type { Address } from './message.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

type DoorEvent = { type: 'push' } | { type: 'lock' } | { type: 'knock' };
interface DoorContext {
  readonly strength: number;
  pushes: number;
}

const door = component<DoorContext, DoorEvent>();

/** A door that opens at the push that reaches its strength; once open it can be locked open, and falls shut by itself when it is not. */
const doorMachine = setup({
  types: {} as { context: DoorContext; events: DoorEvent; input: { strength: number } },
  guards: {
    opens: door.when<'push'>((c) => c.pushes + 1 >= c.strength),
    worn: door.when((c) => c.pushes > 100),
  },
  actions: {
    count: door.update((c) => {
      c.pushes++;
    }),
  },
}).createMachine({
  id: 'door',
  context: ({ input }) => ({ strength: input.strength, pushes: 0 }),
  initial: 'shut',
  states: {
    shut: {
      on: {
        push: [{ guard: 'opens', target: 'open', actions: 'count' }, { actions: 'count' }],
        lock: { target: 'locked' },
        knock: refused,
      },
    },
    open: {
      initial: 'ajar',
      on: { push: refused, lock: '#door.locked', knock: refused },
      states: { ajar: { always: { guard: 'worn', target: 'loose' } }, loose: {} },
    },
    locked: { on: { push: refused, lock: refused, knock: refused } },
  },
});

type HandEvent = { type: 'go' };
const hand = component<{ readonly door: Address; readonly does: 'push' | 'lock' }, HandEvent>();

const handMachine = setup({
  types: {} as {
    context: { readonly door: Address; readonly does: 'push' | 'lock' };
    events: HandEvent;
    input: { readonly door: Address; readonly does: 'push' | 'lock' };
  },
  actions: { act: hand.post((c) => ({ to: c.door, type: c.does, delay: 1 })) },
}).createMachine({
  id: 'hand',
  context: ({ input }) => input,
  initial: 'ready',
  states: { ready: { on: { go: { actions: 'act' } } } },
});

/** Two doors of a strength, and hands that all act on the first door in tick 1. */
function house(strength: number, ...does: readonly ('push' | 'lock')[]): Wiring {
  const wiring = new Wiring();
  const front = wiring.place('Front', doorMachine, { strength });
  wiring.place('Back', doorMachine, { strength });
  for (const [index, one] of does.entries()) {
    const at = wiring.place(`Hand[${index}]`, handMachine, { door: front, does: one });
    wiring.begin({ to: at, type: 'go' });
  }
  return wiring;
}

const covered = (wiring: Wiring, choices = canonical): Coverage => {
  const run = new Run(wiring, { coverage: true, choices });
  run.toEnd();
  return coverageOf(run);
};

describe('the coverage of a run', () => {
  test('counts states, transitions, guards both ways and refusals, as counted by hand', () => {
    // The first push is one too few, the second opens, the third is refused by the open door.
    const { runs, states, transitions, holds, fails, refusals } = covered(house(2, 'push', 'push', 'push'));

    expect(runs).toBe(1);
    expect(states['door']).toEqual({
      shut: [2, 1],
      open: [1, 1],
      'open.ajar': [1, 1],
      'open.loose': [0, 0],
      locked: [0, 0],
    });
    expect(transitions['door']).toEqual({
      'shut: push [opens] -> open': [1, 1],
      'shut: push': [1, 1],
      'shut: lock -> locked': [0, 0],
      'open: lock -> locked': [0, 0],
      'open.ajar: always [worn] -> open.loose': [0, 0],
    });
    expect(holds['door']).toEqual({
      'shut: push [opens] -> open': [1, 1],
      'open.ajar: always [worn] -> open.loose': [0, 0],
    });
    expect(fails['door']?.['shut: push [opens] -> open']).toEqual([1, 1]);
    expect(refusals['door']?.['open: push']).toEqual([1, 1]);
    expect(transitions['hand']).toEqual({ 'ready: go': [3, 1] });
  });

  test('tells in which order messages came that could come in both', () => {
    const wiring = () => house(1, 'push', 'lock');

    const [first, second] = [[], [0, 1]].map(
      (tape) => covered(wiring(), new TapeChoices(tape)).orders['door'],
    );

    expect(first).toEqual({
      'push by hand before lock by hand': [1, 1],
      'lock by hand before push by hand': [0, 0],
    });
    expect(second).toEqual({
      'push by hand before lock by hand': [0, 0],
      'lock by hand before push by hand': [1, 1],
    });
  });

  test('tells the order of two messages that differ only in their senders', () => {
    const orders = covered(house(9, 'push', 'push'), new TapeChoices([0, 1])).orders['door'];

    expect(orders).toEqual({
      'push by hand (lower) before push by hand (higher)': [0, 0],
      'push by hand (higher) before push by hand (lower)': [1, 1],
    });
  });

  test('changes nothing in the run', () => {
    const plain = new Run(house(3, 'push', 'lock', 'push'), { choices: new RandomChoices(5) });
    const counted = new Run(house(3, 'push', 'lock', 'push'), {
      choices: new RandomChoices(5),
      coverage: true,
    });

    expect(counted.toEnd()).toEqual(plain.toEnd());
    expect(counted.fingerprint).toBe(plain.fingerprint);
  });

  test('asks for no picks when first come is first served', () => {
    const run = new Run(house(3, 'push', 'lock', 'push'), { coverage: true });
    const picks: unknown[] = [];
    run.picks$.subscribe((pick) => picks.push(pick));

    run.toEnd();

    expect(picks).toEqual([]);
    expect(run.orders.length).toBeGreaterThan(0);
  });

  test('counts also what generated functions would handle otherwise', () => {
    const many = Array.from({ length: 300 }, () => 'push' as const);
    // Rows that were used often have functions of their own by now.
    new Run(house(1000, ...many)).toEnd();

    expect(covered(house(1000, ...many)).transitions['door']?.['shut: push']).toEqual([300, 1]);
  });

  test('is empty when it was not asked for', () => {
    const run = new Run(house(1, 'push'));
    run.toEnd();

    expect(coverageOf(run)).toEqual({ ...emptyCoverage, runs: 1 });
  });
});

describe('coverage of several runs', () => {
  const wirings = [
    house(2, 'push', 'push'),
    house(1, 'push', 'lock'),
    house(1, 'lock', 'push', 'push'),
    house(1),
  ];

  test('added up in place is the same as merged', () => {
    const sum = new CoverageSum();
    const single = wirings.map((wiring) => {
      const run = new Run(wiring, { coverage: true, choices: new RandomChoices(3) });
      run.toEnd();
      sum.add(run);
      return coverageOf(run);
    });

    expect(sum.coverage).toEqual(single.reduce(mergeCoverage, emptyCoverage));
    expect(sum.coverage.runs).toBe(4);
  });

  const seen: fc.Arbitrary<Seen> = fc.tuple(fc.nat(99), fc.nat(9));
  const names = fc.dictionary(fc.constantFrom('a', 'b', 'c before d'), seen, { noNullPrototype: true });
  const byType = fc.dictionary(fc.constantFrom('door', 'hand', 'window'), names, { noNullPrototype: true });
  const coverage: fc.Arbitrary<Coverage> = fc
    .tuple(fc.nat(9), ...coverageKinds.map(() => byType))
    .map(([runs, ...kinds]) => ({
      runs,
      ...(Object.fromEntries(coverageKinds.map((kind, index) => [kind, kinds[index]])) as Omit<
        Coverage,
        'runs'
      >),
    }));

  test('merges in any grouping and order, with the empty coverage as identity', () => {
    fc.assert(
      fc.property(coverage, coverage, coverage, (a, b, c) => {
        const text = JSON.stringify(mergeCoverage(a, mergeCoverage(b, c)));
        expect(JSON.stringify(mergeCoverage(mergeCoverage(a, b), c))).toBe(text);
        expect(JSON.stringify(mergeCoverage(mergeCoverage(c, a), b))).toBe(text);
        expect(mergeCoverage(a, emptyCoverage)).toEqual(a);
        expect(mergeCoverage(emptyCoverage, a)).toEqual(a);
      }),
    );
  });
});

describe('the summary', () => {
  test('names what is missing: states, transitions, guards never true or never false, orders', () => {
    const both = mergeCoverage(covered(house(2, 'push', 'push')), covered(house(1, 'push', 'lock')));

    const [summary] = summaryOf(both);

    expect(summary).toEqual({
      type: 'door',
      states: { seen: 4, of: 5 },
      transitions: { seen: 3, of: 5 },
      guards: { seen: 1, of: 2 },
      refusals: { seen: 0, of: 6 },
      complaints: { seen: 0, of: 0 },
      orders: { seen: 0, of: 2 },
      missing: {
        states: ['open.loose'],
        transitions: ['open.ajar: always [worn] -> open.loose', 'shut: lock -> locked'],
        neverTrue: ['open.ajar: always [worn] -> open.loose'],
        neverFalse: [],
        orders: ['lock by hand before push by hand', 'push by hand (higher) before push by hand (lower)'],
      },
    });
  });
});

describe('transitions that report a violation', () => {
  const clerk = component<{ calls: number }, { type: 'call'; from: number }>();
  const clerkMachine = setup({
    types: {} as { context: { calls: number }; events: { type: 'call'; from: number } },
    guards: { known: clerk.when<'call'>((_c, { from }) => from < 10) },
    actions: {
      count: clerk.update((c) => {
        c.calls++;
      }),
      complain: clerk.report<'call'>((_c, { from }) => ({ property: 'callers are known', why: `${from}` })),
    },
  }).createMachine({
    id: 'clerk',
    context: { calls: 0 },
    initial: 'open',
    states: {
      open: { on: { call: [{ guard: 'known', actions: 'count' }, { actions: ['complain', 'count'] }] } },
    },
  });
  const called = (...callers: readonly number[]) => {
    const wiring = new Wiring();
    const at = wiring.place('Clerk', clerkMachine, undefined);
    for (const from of callers) wiring.begin({ to: at, type: 'call', from });
    const run = new Run(wiring, { coverage: true });
    run.toEnd();
    const [summary] = summaryOf(coverageOf(run));
    return { summary, run };
  };

  test('are no gap of a sound run, and neither is the guard that keeps it from them', () => {
    const { summary } = called(1, 2);

    expect(summary).toMatchObject({
      transitions: { seen: 1, of: 1 },
      guards: { seen: 1, of: 1 },
      complaints: { seen: 0, of: 1 },
      missing: { transitions: [], neverTrue: [], neverFalse: [] },
    });
  });

  test('are counted where they are taken, with all that they do', () => {
    const { summary, run } = called(1, 99);

    expect(summary).toMatchObject({ transitions: { seen: 1, of: 1 }, complaints: { seen: 1, of: 1 } });
    expect(run.outcome.violations.map(({ why }) => why)).toEqual(['99']);
    expect(run.state.actor('Clerk').context).toEqual({ calls: 2 });
  });
});

describe('states that are entered only after a violation', () => {
  const guard = component<{ code: number }, { type: 'open'; code: number } | { type: 'reset' }>();
  const vault = setup({
    types: {} as { context: { code: number }; events: { type: 'open'; code: number } | { type: 'reset' } },
    guards: { right: guard.when<'open'>((_c, { code }) => code === 7) },
    actions: { alarm: guard.report(() => ({ property: 'codes are right', why: 'alarm' })) },
  }).createMachine({
    id: 'vault',
    context: { code: 7 },
    initial: 'shut',
    states: {
      shut: { on: { open: [{ guard: 'right', target: 'open' }, { target: 'alarmed' }], reset: {} } },
      open: { on: { reset: 'shut', open: {} } },
      alarmed: { entry: 'alarm', on: { reset: 'shut', open: {} } },
    },
  });
  const opened = (...codes: readonly number[]) => {
    const wiring = new Wiring();
    const at = wiring.place('Vault', vault, undefined);
    for (const code of codes) wiring.begin({ to: at, type: 'open', code });
    wiring.begin({ to: at, type: 'reset' });
    const run = new Run(wiring, { coverage: true });
    run.toEnd();
    return summaryOf(coverageOf(run))[0];
  };

  test('are no gap of a sound run, with all that leaves them', () => {
    expect(opened(7)).toMatchObject({
      states: { seen: 2, of: 2 },
      transitions: { seen: 2, of: 2 },
      guards: { seen: 1, of: 1 },
      refusals: { seen: 0, of: 2 },
      complaints: { seen: 0, of: 3 },
      missing: { states: [], transitions: [], neverTrue: [], neverFalse: [] },
    });
  });

  test('are counted with the complaints', () => {
    expect(opened(8)).toMatchObject({ states: { seen: 1, of: 2 }, complaints: { seen: 2, of: 3 } });
  });
});

describe('the estimate of what was not seen', () => {
  const withRuns = (runs: number, inRuns: readonly number[]): Coverage => ({
    ...emptyCoverage,
    runs,
    states: {
      door: Object.fromEntries(inRuns.map((count, index) => [`s${index}`, [count, count] as const])),
    },
  });

  test('is what Good, Turing and Chao say of things seen in one run and in two', () => {
    // 10 runs; 3 things seen in one of them, 2 in two, 1 in all, 1 in none.
    expect(unseenIn(withRuns(10, [1, 1, 1, 2, 2, 10, 0]))).toEqual({
      seen: 6,
      inOneRun: 3,
      expectedInNextRun: 0.3,
      unseenAtLeast: (9 / 10) * ((3 * 2) / (2 * 3)),
    });
  });

  test('says nothing without runs, and nothing is left when everything was seen often', () => {
    expect(unseenIn(emptyCoverage)).toMatchObject({ expectedInNextRun: undefined, unseenAtLeast: 0 });
    expect(unseenIn(withRuns(50, [50, 40, 9]))).toMatchObject({ expectedInNextRun: 0, unseenAtLeast: 0 });
  });

  test('is near the truth for things of known chances', () => {
    const chances = Array.from({ length: 400 }, (_, index) => 1 / (index + 2));
    const random = new RandomChoices(21);
    const runs = 60;
    const draw = (chance: number) => random.pick('seen', 1_000_000) < chance * 1_000_000;
    const inRuns = chances.map(
      (chance) => Array.from({ length: runs }, () => draw(chance)).filter(Boolean).length,
    );

    const { expectedInNextRun } = unseenIn(withRuns(runs, inRuns));

    const truth = chances.reduce((sum, chance, index) => sum + (inRuns[index] === 0 ? chance : 0), 0);
    expect(expectedInNextRun).toBeGreaterThan(truth * 0.6);
    expect(expectedInNextRun).toBeLessThan(truth * 1.6);
  });
});
