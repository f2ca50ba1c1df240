import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { TapeChoices } from './choices.ts';
import { component, refused } from './kit.ts';
import type { Address } from './message.ts';
import { Run, type RunOptions } from './run.ts';
import { Wiring } from './wiring.ts';

interface PartContext {
  n: number;
  readonly list: number[];
  map: Map<string, number>;
}
type PartEvent =
  | { type: 'add'; by: number }
  | { type: 'reset' }
  | { type: 'try'; by: number }
  | { type: 'batch'; of: readonly number[] }
  | { type: 'draw' }
  | { type: 'ask' }
  | { type: 'heard'; n: number }
  | { type: 'late' };

const { update, post, when, choose, probe, report, act } = component<PartContext, PartEvent>();

/** Every helper of the kit once, with and without parameters. */
const part = setup({
  types: {} as { context: PartContext; events: PartEvent; input: number },
  guards: {
    positive: when<'try'>((_c, { by }) => by > 0),
    below: when<PartEvent['type'], { limit: number }>((c, _event, _envelope, { limit }) => c.n < limit),
  },
  actions: {
    add: update<'add' | 'try'>((c, { by }) => {
      c.n += by;
      c.list.push(by);
      c.map.set(`seen ${by}`, c.n);
    }),
    scale: update<PartEvent['type'], { factor: number }>((c, _event, _envelope, { factor }) => {
      c.n *= factor;
    }),
    tell: post((c) => ({ to: 1 as Address, type: 'heard', n: c.n })),
    tellTwice: post((c) => [
      { to: 1 as Address, type: 'heard', n: c.n },
      { to: 1 as Address, type: 'heard', n: -c.n, delay: 3 },
    ]),
    tellNobody: post(() => undefined),
    draw: choose(
      'a card',
      (c) => c.list.length,
      (c, _event, pick) => {
        c.n = c.list.splice(pick, 1)[0]!;
      },
    ),
    show: probe((c) => ({ type: 'shown', n: c.n })),
    showAll: probe((c) => c.list.map((one) => ({ type: 'one', one }))),
    showNothing: probe(() => undefined),
    complain: report<'try'>((c, { by }) =>
      by === 0 ? undefined : { property: 'nobody subtracts', why: `by ${by} from ${c.n}` },
    ),
    batch: act<'batch'>((c, { of }, out) => {
      for (const one of of) {
        c.n += one;
        out.post({ to: 1 as Address, type: 'heard', n: c.n } as never);
        if (out.observed) out.probe({ type: 'shown', n: c.n } as never);
        if (one < 0) out.report({ property: 'batches grow', why: `${one}` });
      }
    }),
  },
}).createMachine({
  id: 'part',
  context: ({ input }) => ({ n: input, list: [], map: new Map() }),
  initial: 'on',
  states: {
    on: {
      on: {
        add: { actions: ['add', 'show', 'tell', 'add'] },
        reset: {
          actions: [{ type: 'scale', params: { factor: 0 } }, 'tellNobody', 'showNothing', 'tellTwice'],
        },
        try: [{ guard: 'positive', actions: 'add' }, { actions: 'complain' }],
        batch: { actions: ['batch', 'tell'] },
        draw: { actions: ['draw', 'showAll'] },
        ask: [
          {
            guard: { type: 'below', params: { limit: 10 } },
            actions: { type: 'scale', params: ({ context }) => ({ factor: context.list.length }) },
          },
          { target: 'off' },
        ],
        late: refused,
      },
    },
    off: {},
  },
});

const listener = setup({
  types: {} as { context: { heard: number[] }; events: { type: 'heard'; n: number } },
  actions: {
    note: component<{ heard: number[] }, { type: 'heard'; n: number }>().update(
      (c, { n }) => void c.heard.push(n),
    ),
  },
}).createMachine({
  context: { heard: [] },
  on: { heard: { actions: 'note' } },
});

const ways: readonly [string, RunOptions][] = [
  ['XState', { engine: 'xstate' }],
  ['tables, mutable', {}],
  ['tables, immutable', { state: 'immutable' }],
  ['tables, immutable with patches', { state: 'immutable', patches: true }],
  ['tables, counted', { coverage: true }],
];

function carryOut(events: readonly (PartEvent & { readonly delay?: number })[], options: RunOptions) {
  const wiring = new Wiring();
  const at = wiring.place('Part', part, 2);
  wiring.place('Listener', listener, 0);
  for (const event of events) wiring.boot.push({ ...event, to: at });
  const run = new Run(wiring, options);
  const probes: unknown[] = [];
  const heard: [number, unknown][] = [];
  const picks: string[] = [];
  const patches: unknown[] = [];
  run.probes$.subscribe(({ probe: shown }) => probes.push(shown));
  run.messages$.subscribe(
    ({ message }) => message.to === 1 && heard.push([message.due, (message.event as { n?: number }).n]),
  );
  run.picks$.subscribe(({ what, count, pick }) => picks.push(`${what}: ${pick} of ${count}`));
  run.patches$.subscribe(({ actor, patches: changes }) => patches.push([actor, changes]));
  const outcome = run.toEnd();
  const { n, list, map } = run.part(at).context as unknown as PartContext;
  return {
    outcome,
    probes,
    heard,
    picks,
    patches,
    n,
    list: [...list],
    map: [...map],
    state: run.part(at).configuration.name,
    print: run.fingerprint,
  };
}

describe.each(ways)('the kit, carried out by %s', (_, options) => {
  test('update changes the context, and each following action sees it', () => {
    const { n, list, map, probes, heard } = carryOut([{ type: 'add', by: 5 }], options);

    expect({ n, list, map }).toEqual({ n: 12, list: [5, 5], map: [['seen 5', 12]] });
    expect(probes).toEqual([{ type: 'shown', n: 7 }]);
    expect(heard).toEqual([[0, 7]]);
  });

  test('update takes parameters, fixed or computed from context and event', () => {
    expect(carryOut([{ type: 'add', by: 1 }, { type: 'ask' }], options).n).toBe(8);
    expect(carryOut([{ type: 'reset' }], options).n).toBe(0);
  });

  test('post sends nothing, one message or several, now or later', () => {
    const { heard, outcome } = carryOut([{ type: 'add', by: 1 }, { type: 'reset' }], options);

    expect(heard).toEqual([
      [0, 3],
      [0, 0],
      [3, -0],
    ]);
    expect(outcome.ticks).toBe(4);
  });

  test('when decides by context, event and parameters', () => {
    expect(carryOut([{ type: 'try', by: 3 }], options).n).toBe(5);
    expect(carryOut([{ type: 'try', by: -3 }], options).n).toBe(2);
    expect(carryOut([{ type: 'add', by: 9 }, { type: 'ask' }], options).state).toBe('off');
    expect(carryOut([{ type: 'ask' }], options).state).toBe('on');
  });

  test('choose is given a pick, named after the actor and the decision; one candidate is no choice', () => {
    const tries: PartEvent[] = [3, 4, 5].map((by) => ({ type: 'try', by }));
    const drawn = carryOut([...tries, { type: 'draw' }], { ...options, choices: new TapeChoices([1]) });
    const only = carryOut([{ type: 'try', by: 3 }, { type: 'draw' }], options);

    expect(drawn.picks).toEqual(['Part a card: 1 of 3']);
    expect([drawn.n, drawn.list]).toEqual([4, [3, 5]]);
    expect(drawn.probes).toEqual([
      { type: 'one', one: 3 },
      { type: 'one', one: 5 },
    ]);
    expect([only.n, only.list, only.picks]).toEqual([3, [], []]);
  });

  test('report makes the verdict "violated", unless it reports nothing', () => {
    expect(carryOut([{ type: 'try', by: 0 }], options).outcome.verdict).toBe('ok');
    expect(carryOut([{ type: 'try', by: -1 }], options).outcome).toMatchObject({
      verdict: 'violated',
      violations: [{ property: 'nobody subtracts', tick: 0, actors: ['Part'], why: 'by -1 from 2' }],
    });
  });

  test('act changes, posts, shows and reports in one step, before the actions that follow', () => {
    const { n, heard, probes, outcome } = carryOut([{ type: 'batch', of: [3, -4, 10] }], options);

    expect(n).toBe(11);
    expect(heard).toEqual([
      [0, 5],
      [0, 1],
      [0, 11],
      [0, 11],
    ]);
    expect(probes).toEqual([
      { type: 'shown', n: 5 },
      { type: 'shown', n: 1 },
      { type: 'shown', n: 11 },
    ]);
    expect(outcome.violations.map(({ why }) => why)).toEqual(['-4']);
  });

  test('a refused event is known, and nothing happens', () => {
    const before = carryOut([], options);
    const { outcome, print } = carryOut([{ type: 'late' }], options);

    expect(outcome).toMatchObject({ verdict: 'ok', deliveries: 1 });
    expect(print).toBe(before.print);
  });

  test('leads to the same fingerprint as with XState', () => {
    const events: PartEvent[] = [
      { type: 'add', by: 5 },
      { type: 'try', by: 2 },
      { type: 'batch', of: [1, 2] },
      { type: 'draw' },
      { type: 'reset' },
    ];
    const tape = [1, 0, 2, 1, 1, 0, 1, 1, 1];

    const found = carryOut(events, { ...options, choices: new TapeChoices(tape) });
    const oracle = carryOut(events, { engine: 'xstate', choices: new TapeChoices(tape) });

    expect(found).toEqual({ ...oracle, patches: found.patches });
  });
});

test('patches tell what each delivery changed, and are there only when asked for', () => {
  const events: PartEvent[] = [{ type: 'reset' }, { type: 'try', by: -1 }];

  expect(carryOut(events, { state: 'immutable', patches: true }).patches).toEqual([
    ['Part', [{ op: 'replace', path: ['n'], value: 0 }]],
    ['Listener', [{ op: 'add', path: ['heard', 0], value: 0 }]],
    ['Listener', [{ op: 'add', path: ['heard', 1], value: -0 }]],
  ]);
  expect(carryOut(events, { state: 'immutable' }).patches).toEqual([]);
  expect(carryOut(events, { patches: true }).patches).toEqual([]);
});

test('a probe nobody observes is not even computed', () => {
  let computed = 0;
  const kit = component<{ n: number }, { type: 'go' }>();
  const machine = setup({
    types: {} as { context: { n: number }; events: { type: 'go' } },
    actions: {
      show: kit.probe(() => {
        computed++;
        return { type: 'shown' };
      }),
    },
  }).createMachine({ context: { n: 0 }, on: { go: { actions: 'show' } } });
  for (const options of [{}, { engine: 'xstate' }, { state: 'immutable' }] as const) {
    const wiring = new Wiring();
    wiring.boot.push({ to: wiring.place('Part', machine, 0), type: 'go' });
    new Run(wiring, options).toEnd();
  }

  expect(computed).toBe(0);
});

test('two parts of one machine never share a context, also when it is written as plain data', () => {
  for (const options of [{}, { engine: 'xstate' }, { state: 'immutable' }] as const) {
    const wiring = new Wiring();
    const first = wiring.place('First', listener, 0);
    wiring.place('Second', listener, 0);
    wiring.boot.push({ to: first, type: 'heard', n: 1 } as never);
    const run = new Run(wiring, options);
    run.toEnd();

    expect(run.part('First').context).toEqual({ heard: [1] });
    expect(run.part('Second').context).toEqual({ heard: [] });
  }
});

test('a mutant may change one action where another one says which event it is for', () => {
  type Lent = { type: 'ask' } | { type: 'returned' };
  const kit = component<{ queue: number }, Lent>();
  const right = setup({
    types: {} as { context: { queue: number }; events: Lent },
    actions: {
      queue: kit.update((me) => {
        me.queue++;
      }),
      takeBack: kit.update<'returned'>((me) => {
        me.queue--;
      }),
    },
  }).createMachine({
    context: { queue: 0 },
    on: { ask: { actions: 'queue' }, returned: { actions: 'takeBack' } },
  });
  // It compiles: the action has no parameters of another one.
  const wrong = right.provide({ actions: { queue: kit.act(() => {}) } });

  const queues = [right, wrong].map((machine) => {
    const wiring = new Wiring();
    wiring.boot.push({ to: wiring.place('Part', machine, undefined), type: 'ask' });
    const run = new Run(wiring);
    run.toEnd();
    return run.part('Part').context;
  });
  expect(queues).toEqual([{ queue: 1 }, { queue: 0 }]);
});

test.each([undefined, {}, { what: 'bad', why: 'because' }, { property: 'good' }])(
  'a report that says nothing is an error of its actor: %j',
  (given) => {
    const kit = component<object, { type: 'go' }>();
    const machine = setup({
      types: {} as { context: object; events: { type: 'go' } },
      actions: { tell: kit.act((_me, _event, out) => out.report(given as never)) },
    }).createMachine({ context: {}, on: { go: { actions: 'tell' } } });
    for (const engine of ['compiled', 'xstate'] as const) {
      const wiring = new Wiring();
      wiring.boot.push({ to: wiring.place('Part', machine, undefined), type: 'go' });
      const { verdict, failure } = new Run(wiring, { engine }).toEnd();

      expect([verdict, failure?.message]).toEqual([
        'error',
        expect.stringMatching(/found a report with .* in it, expected \{ property, why \}/),
      ]);
    }
  },
);

test.each<[string, (kit: ReturnType<typeof component<{ n: number }, { type: 'go' }>>) => unknown]>([
  ['act: found an async function', ({ act }) => act(async () => {})],
  ['update: found an async function', ({ update }) => update(async () => {})],
  ['when: found an async function', ({ when }) => when((async () => false) as never)],
  ['choose: found an async function', ({ choose }) => choose('way', (async () => 2) as never, () => {})],
  ['act: found a generator', ({ act }) => act(function* () {} as never)],
])('a recipe that is not done when it returns is refused: %s', (told, make) => {
  expect(() => make(component<{ n: number }, { type: 'go' }>())).toThrow(told);
});
