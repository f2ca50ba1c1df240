import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, setup } from 'xstate';
import { RandomChoices } from './choices.ts';
import { Explorer } from './explore/explorer.ts';
import { component } from './kit.ts';
import type { Address, Post } from './message.ts';
import { type Delivery, Run, type RunOptions } from './run.ts';
import { memberOf, Wiring } from './wiring.ts';

type Order = { readonly type: 'order'; readonly posts: readonly Post[]; readonly mark?: string };
interface ClerkContext {
  readonly marks: string[];
}
const { update, post, probe, report } = component<ClerkContext, Order | { type: 'break' }>();

/** Posts what it is told to post: a run can be written as data. */
const clerk = setup({
  types: {} as { context: ClerkContext; events: Order | { type: 'break' }; input: unknown },
  actions: {
    note: update<'order'>((c, { mark }) => {
      if (mark !== undefined) c.marks.push(mark);
    }),
    carryOut: post<'order'>((_c, { posts }) => posts),
    show: probe<'order'>((c, { mark }) => ({ type: 'marked', mark, so: [...c.marks] })),
    complain: report<'order'>((_c, { mark }) =>
      mark === 'bad' ? { property: 'no bad marks', why: 'a bad one' } : undefined,
    ),
    break: update(() => {
      throw new Error('the pen broke');
    }),
  },
}).createMachine({
  id: 'clerk',
  context: () => ({ marks: [] }),
  initial: 'ready',
  states: {
    ready: {
      on: { order: { actions: ['note', 'carryOut', 'show', 'complain'] }, break: { actions: 'break' } },
    },
  },
});

const order = (to: number, mark: string, posts: readonly Post[] = [], delay = 0) =>
  ({ type: 'order', to: to as Address, mark, posts, delay }) as Post;
const marked = ({ message }: Delivery) => `${message.due}:${(message.event as unknown as Order).mark}`;

/** A run of some clerks, and all that its streams tell. */
function start(boot: readonly Post[], options: RunOptions = {}, count = 3) {
  const wiring = new Wiring();
  for (let index = 0; index < count; index++) wiring.place(`Clerk[${index}]`, clerk, 0);
  wiring.boot.push(...boot);
  const run = new Run(wiring, options);
  const deliveries: Delivery[] = [];
  run.messages$.subscribe((delivery) => deliveries.push(delivery));
  return { run, wiring, deliveries };
}

const engines: readonly [string, RunOptions][] = [
  ['tables, mutable', {}],
  ['tables, immutable', { state: 'immutable' }],
  ['XState', { engine: 'xstate' }],
];

describe('a message from the outside', () => {
  test('comes in the next tick, or so many ticks later, and lets a run that had come to rest go on', () => {
    const { run, deliveries } = start([order(0, 'a', [], 4)]);
    run.toEnd();

    run.post(order(1, 'b', [order(2, 'd', [], 1)]));
    run.post(order(2, 'c', [], 3));
    expect(run.ended).toBe(false);
    run.toEnd();

    expect(deliveries.map(marked)).toEqual(['4:a', '5:b', '6:d', '8:c']);
    expect(run.outcome).toMatchObject({ verdict: 'ok', ticks: 9 });
  });

  test('is not taken by a run that failed', () => {
    const { run } = start([{ type: 'break', to: 0 as Address }]);
    run.toEnd();

    expect(() => run.post(order(1, 'b'))).toThrow(
      'KRN005 world: "order" was posted to a run that cannot go on',
    );
  });
});

describe.each(engines)('a run (%s)', (_, options) => {
  test('delivers by tick, and within a tick in the order of posting', () => {
    const { run, deliveries } = start(
      [
        order(0, 'a', [order(1, 'd'), order(2, 'f', [], 2)]),
        order(1, 'b', [order(0, 'e')]),
        order(2, 'c', [order(0, 'g', [], 2)]),
      ],
      options,
    );

    run.toEnd();

    expect(deliveries.map(marked)).toEqual(['0:a', '0:b', '0:c', '0:d', '0:e', '2:f', '2:g']);
    expect(deliveries.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(deliveries.map(({ from, to }) => `${from} to ${to}`).slice(2, 5)).toEqual([
      'world to Clerk[2]',
      'Clerk[0] to Clerk[1]',
      'Clerk[1] to Clerk[0]',
    ]);
  });

  test('knows for each message the one whose handling posted it', () => {
    const { run, deliveries } = start(
      [order(0, 'a', [order(1, 'c', [order(2, 'd', [], 5)])]), order(1, 'b')],
      options,
    );

    run.toEnd();

    expect(
      deliveries.map(({ message }) => [(message.event as unknown as Order).mark, message.seq, message.cause]),
    ).toEqual([
      ['a', 0, -1],
      ['b', 1, -1],
      ['c', 2, 0],
      ['d', 3, 2],
    ]);
  });

  test('jumps over ticks without messages, and tells each tick that had some at its end', () => {
    const { run, deliveries } = start(
      [order(0, 'a', [order(1, 'b', [order(2, 'd', [], 10 ** 12)], 7), order(2, 'c', [], 7)])],
      options,
    );
    const ends: [number, number][] = [];
    run.ticks$.subscribe((tick) => ends.push([tick, deliveries.length]));

    const outcome = run.toEnd();

    expect(ends).toEqual([
      [0, 1],
      [7, 3],
      [10 ** 12 + 7, 4],
    ]);
    expect(outcome).toEqual({ verdict: 'ok', ticks: 10 ** 12 + 8, deliveries: 4, violations: [] });
  });

  test('is carried out up to a tick, and further, as if it had gone on at once', () => {
    const boot = [order(0, 'a', [order(1, 'b', [order(2, 'c', [], 3)], 4)])];
    const { run, deliveries } = start(boot, options);
    const straight = start(boot, options);
    straight.run.toEnd();

    expect(run.outcome).toEqual({ verdict: 'ok', ticks: 0, deliveries: 0, violations: [] });
    expect(run.until(0)).toMatchObject({ ticks: 1, deliveries: 1 });
    expect(run.until(3)).toMatchObject({ ticks: 1, deliveries: 1 });
    expect([run.now, run.ended]).toEqual([0, false]);
    expect(run.until(6)).toMatchObject({ ticks: 5, deliveries: 2 });
    expect(run.tick()).toBe(true);
    expect(run.tick()).toBe(false);
    expect([run.now, run.ended]).toEqual([7, true]);
    expect(run.outcome).toEqual(straight.run.outcome);
    expect(run.fingerprint).toBe(straight.run.fingerprint);
    expect(deliveries.map(marked)).toEqual(straight.deliveries.map(marked));
    expect(run.tick()).toBe(false);
    expect(run.toEnd()).toEqual(straight.run.outcome);
  });

  test('of no messages at all is over at once, with no tick', () => {
    expect(start([], options).run.toEnd()).toEqual({
      verdict: 'ok',
      ticks: 0,
      deliveries: 0,
      violations: [],
    });
  });

  test('tells its violations, from actors and from outside, and keeps them', () => {
    const { run } = start([order(0, 'good', [order(1, 'bad', [], 2)])], options);
    const told: unknown[] = [];
    run.violations$.subscribe((violation) => told.push(violation));

    const before = run.until(1);
    const outcome = run.toEnd();
    run.report(['Clerk[2]', 'Clerk[0]'], { property: 'all is well', why: 'it is not' });

    expect(before.violations).toEqual([]);
    expect(outcome.verdict).toBe('violated');
    expect(outcome.violations).toEqual([
      { property: 'no bad marks', tick: 2, actors: ['Clerk[1]'], why: 'a bad one' },
    ]);
    expect(run.outcome.violations).toEqual(told);
    expect(told[1]).toEqual({
      property: 'all is well',
      tick: 2,
      actors: ['Clerk[2]', 'Clerk[0]'],
      why: 'it is not',
    });
  });

  test('shows its probes with tick and actor, from the first tick that is observed', () => {
    const { run } = start([order(0, 'a', [order(1, 'b', [], 2), order(1, 'c', [], 3)])], options);
    const shown: unknown[] = [];

    run.until(1);
    const subscription = run.probes$.subscribe((one) => shown.push(one));
    run.until(2);
    subscription.unsubscribe();
    run.toEnd();

    expect(shown).toEqual([
      { tick: 2, actor: 'Clerk[1]', address: 1, probe: { type: 'marked', mark: 'b', so: ['b'] } },
    ]);
  });

  test('tells its picks: who may be delivered next', () => {
    const { run } = start([order(0, 'a', [order(1, 'c'), order(2, 'd')]), order(1, 'b')], {
      ...options,
      choices: { canonical: false, pick: (_what, count) => count - 1, save: () => null, load: () => {} },
    });
    const picks: unknown[] = [];
    run.picks$.subscribe((pick) => picks.push(pick));

    run.toEnd();

    expect(picks).toEqual([
      { tick: 0, what: 'deliver', count: 2, pick: 1 },
      { tick: 0, what: 'deliver', count: 2, pick: 1 },
    ]);
  });

  test('lets everybody listen to an inbox, before the actor handles what comes', () => {
    const { run } = start([order(0, 'a', [order(1, 'b')])], options);
    const heard: unknown[] = [];
    const part = run.part('Clerk[1]');
    part.inbox.subscribe((event) =>
      heard.push([event.type, (event as Order).mark, [...(part.context['marks'] as string[])]]),
    );

    run.toEnd();

    expect(heard).toEqual([['order', 'b', []]]);
    expect(part.context['marks']).toEqual(['b']);
  });

  test('is the same whether anybody observes it or not', () => {
    const boot = [
      order(0, 'a', [order(1, 'b', [order(0, 'bad', [], 1)]), order(2, 'c', [order(1, 'd'), order(0, 'e')])]),
    ];
    for (let seed = 0; seed < 5; seed++) {
      const observed = start(boot, { ...options, choices: new RandomChoices(seed) }).run;
      for (const stream of [
        observed.messages$,
        observed.ticks$,
        observed.violations$,
        observed.reports$,
        observed.probes$,
        observed.picks$,
        observed.patches$,
      ])
        (stream as typeof observed.ticks$).subscribe(() => {});
      for (const part of observed.parts) part.inbox.subscribe(() => {});
      const wiring = new Wiring();
      for (let index = 0; index < 3; index++) wiring.place(`Clerk[${index}]`, clerk, 0);
      wiring.boot.push(...boot);
      const alone = new Run(wiring, { ...options, choices: new RandomChoices(seed) });

      expect(observed.toEnd()).toEqual(alone.toEnd());
      expect(observed.fingerprint).toBe(alone.fingerprint);
      expect(observed.fingerprints).toEqual(alone.fingerprints);
    }
  });

  test('fails on an event that nobody decided on (KRN004)', () => {
    const { run } = start([order(0, 'a'), { type: 'riddle', to: 1 as Address }, order(2, 'never')], options);

    const outcome = run.toEnd();

    expect(outcome).toMatchObject({
      verdict: 'error',
      ticks: 0,
      deliveries: 1,
      failure: { tick: 0, actor: 'Clerk[1]', event: 'riddle' },
    });
    expect(outcome.failure!.message).toBe(
      'KRN004 Clerk[1]: state "ready" does not decide on "riddle"\n  help: handle it; where it may come and nothing is to be done, list it: on: { \'the.event\': refused }',
    );
    expect([run.ended, run.tick()]).toEqual([true, false]);
  });

  test('fails when a recipe throws (KRN008)', () => {
    const { run, deliveries } = start(
      [order(0, 'a'), { type: 'break', to: 1 as Address, delay: 3 }, order(2, 'never', [], 3)],
      options,
    );

    const { verdict, failure } = run.toEnd();

    expect(verdict).toBe('error');
    expect(failure).toMatchObject({
      tick: 3,
      actor: 'Clerk[1]',
      event: 'break',
      error: { code: 'KRN008', cause: { message: 'the pen broke' } },
    });
    expect(failure!.message).toContain('KRN008 Clerk[1]: "break" threw: the pen broke');
    expect(deliveries).toHaveLength(1);
  });

  test.each(['post', 'send', 'probe', 'report', 'pick', 'setTimer', 'cancelTimer'] as const)(
    'what is taken out of its envelope is named: %s',
    (method) => {
      const { act } = component<object, { type: 'go' }>();
      const hasty = setup({
        types: {} as { context: object; events: { type: 'go' } },
        actions: {
          go: act((_context, _event, out) => {
            const { [method]: taken } = out;
            (taken as (one: never, count: number) => void)({ to: 0, type: 'go' } as never, 2);
          }),
        },
      }).createMachine({ id: 'hasty', context: {}, on: { go: { actions: 'go' } } });
      const make = () => {
        const wiring = new Wiring();
        wiring.begin({ to: wiring.place('Hasty', hasty, {}), type: 'go' });
        return wiring;
      };
      const words = `"go" threw: "${method}" was taken out of its envelope: call it as out.${method}(…)`;

      for (const engine of ['compiled', 'xstate'] as const)
        expect(new Run(make(), { engine }).toEnd().failure?.message).toContain(words);
      expect(new Explorer(make).toEnd().findings[0]?.why).toContain(words);
    },
  );

  test.each([
    [
      'a negative delay',
      [order(0, 'a', [order(1, 'b', [], -1)])],
      'KRN006 Clerk[0]: the delay of "order" is -1',
    ],
    [
      'a fraction as delay',
      [order(0, 'a', [order(1, 'b', [], 0.5)])],
      'KRN006 Clerk[0]: the delay of "order" is 0.5',
    ],
    [
      'a delay beyond the last tick',
      [order(0, 'a', [order(1, 'b', [], Number.MAX_SAFE_INTEGER)], 2)],
      'KRN006 Clerk[0]: the delay of "order" leads beyond the last tick',
    ],
    [
      'a message to the outside',
      [order(0, 'a', [order(-1, 'b')])],
      'KRN005 Clerk[0]: "order" was posted to address -1',
    ],
    [
      'a message to nowhere',
      [order(0, 'a', [order(Number.NaN, 'b')])],
      'KRN005 Clerk[0]: "order" was posted to address NaN',
    ],
    [
      'a message to an address without actor',
      [order(0, 'a', [order(77, 'b')])],
      'KRN005 Clerk[0]: "order" was posted to address 77',
    ],
    [
      'a message to a family that is not there',
      [order(0, 'a', [order(2 ** 21, 'b')])],
      'KRN005 Clerk[0]: "order" was posted to address 2097152',
    ],
  ])('fails on %s', (_what, boot, message) => {
    const { verdict, failure } = start(boot, options).run.toEnd();

    expect(verdict).toBe('error');
    expect(failure?.message).toContain(message);
  });

  test('refuses to start with an actor whose context cannot be made (KRN008)', () => {
    const wiring = new Wiring();
    const machine = setup({}).createMachine({
      id: 'broken',
      context: () => {
        throw new Error('no ink');
      },
    });
    wiring.place('Broken', machine, 0);

    expect(() => new Run(wiring, options)).toThrow('KRN008 Broken: its start threw: no ink');
  });

  test('knows its actors by address and name, and refuses others (KRN005)', () => {
    const { run } = start([], options);

    expect(run.part('Clerk[2]')).toBe(run.part(2 as Address));
    expect(run.parts.map(({ name }) => name)).toEqual(['Clerk[0]', 'Clerk[1]', 'Clerk[2]']);
    expect(() => run.part('Cleric')).toThrow('KRN005 Cleric: no actor is there');
    expect([
      run.nameOf(1 as Address),
      run.nameOf(-1 as Address),
      run.nameOf(9 as Address),
      run.nameOf((2 ** 20) as Address),
    ]).toEqual(['Clerk[1]', 'world', 'address 9', 'address 1048576']);
  });

  test('gives each actor as XState knows it, and is the same run with it', () => {
    const boot = [order(0, 'a', [order(1, 'b', [], 1), order(1, 'c', [], 2)]), order(2, 'd')];
    const plain = start(boot, options).run;
    plain.toEnd();
    const { run } = start(boot, options);
    const snapshots: unknown[] = [];

    const ref = run.actor('Clerk[1]');
    ref.subscribe((snapshot: { value: unknown; context: ClerkContext; status: string }) =>
      snapshots.push([snapshot.value, [...snapshot.context.marks], snapshot.status]),
    );
    run.toEnd();

    expect(snapshots).toEqual([
      ['ready', ['b'], 'active'],
      ['ready', ['b', 'c'], 'active'],
    ]);
    expect(ref.getSnapshot()).toMatchObject({ value: 'ready', context: { marks: ['b', 'c'] } });
    expect(run.fingerprint).toBe(plain.fingerprint);
    expect(run.outcome).toEqual(plain.outcome);
    expect(run.actor('Clerk[1]')).toBe(ref);
  });

  test('fails in the same way when somebody holds the actor that breaks', () => {
    const { run } = start([order(0, 'a'), { type: 'break', to: 1 as Address }], options);
    run.actor('Clerk[1]');

    expect(run.toEnd()).toMatchObject({
      verdict: 'error',
      failure: { actor: 'Clerk[1]', error: { code: 'KRN008' } },
    });
  });

  test('may have as many deliveries in a tick as it is allowed, and not one more', () => {
    const boot = [order(0, 'a', [order(1, 'b', [order(2, 'c')])], 5)];

    expect(start(boot, { ...options, deliveriesPerTickMax: 3 }).run.toEnd()).toMatchObject({
      verdict: 'ok',
      deliveries: 3,
    });
    expect(start(boot, { ...options, deliveriesPerTickMax: 2 }).run.toEnd()).toMatchObject({
      verdict: 'livelock',
      deliveries: 2,
      livelock: { tick: 5, budget: 2 },
    });
  });
});

/** Greets as soon as it lives, and counts its visits. */
const kitOfMember = component<{ readonly index: number; visits: number }, Order>();
const member: AnyStateMachine = setup({
  types: {} as { context: { readonly index: number; visits: number }; events: Order; input: number },
  actions: {
    greet: kitOfMember.post((c) => order(0, `born ${c.index}`)),
    showBirth: kitOfMember.probe((c) => ({ type: 'born', index: c.index })),
    count: kitOfMember.update((c) => {
      c.visits++;
    }),
  },
}).createMachine({
  id: 'member',
  context: ({ input }) => ({ index: input, visits: 0 }),
  initial: 'alive',
  states: { alive: { entry: ['greet', 'showBirth'], on: { order: { actions: 'count' } } } },
});

function withFamily(
  options: RunOptions,
  memberOfIndex: (index: number) => { machine: AnyStateMachine; input: unknown } = (index) => ({
    machine: member,
    input: index,
  }),
) {
  const wiring = new Wiring();
  wiring.place('Clerk', clerk, 0);
  const first = wiring.family('Job', memberOfIndex);
  const to = (index: number) => memberOf(first, index);
  wiring.boot.push(
    order(0, 'a', [order(to(7), 'hello', [], 2), order(to(3), 'hello', [], 2), order(to(7), 'again', [], 4)]),
  );
  const run = new Run(wiring, options);
  const deliveries: Delivery[] = [];
  run.messages$.subscribe((delivery) => deliveries.push(delivery));
  return { run, wiring, deliveries };
}

describe.each(engines)('a family (%s)', (_, options) => {
  test('has a member once a message is sent to it, under its own name and address', () => {
    const { run, deliveries } = withFamily(options);

    run.until(1);
    const before = run.parts.map(({ name }) => name);
    const nameBefore = run.nameOf(memberOf((2 ** 20) as Address, 7));
    run.toEnd();

    expect(before).toEqual(['Clerk']);
    expect(nameBefore).toBe('Job[7]');
    expect(run.parts.map(({ name }) => name)).toEqual(['Clerk', 'Job[3]', 'Job[7]']);
    expect(run.part('Job[7]').context).toEqual({ index: 7, visits: 2 });
    expect(deliveries.map(({ from, to }) => `${from} to ${to}`)).toEqual([
      'world to Clerk',
      'Clerk to Job[7]',
      'Clerk to Job[3]',
      'Job[7] to Clerk',
      'Job[3] to Clerk',
      'Clerk to Job[7]',
    ]);
  });

  test('posts at the birth of a member because of the message that brought it to life, and shows it', () => {
    const { run, deliveries } = withFamily(options);
    const shown: unknown[] = [];
    run.probes$.subscribe(({ actor, tick, probe: one }) => one.type === 'born' && shown.push([actor, tick]));

    run.toEnd();

    const seqOf = (to: string) => deliveries.find((one) => one.to === to)!.message.seq;
    expect(
      deliveries.filter(({ from }) => from.startsWith('Job')).map(({ message }) => message.cause),
    ).toEqual([seqOf('Job[7]'), seqOf('Job[3]')]);
    expect(shown).toEqual([
      ['Job[7]', 2],
      ['Job[3]', 2],
    ]);
    expect(run.part('Job[3]').since).toBe(2);
  });

  test('is in snapshots with the members that live', () => {
    const { run, wiring } = withFamily(options);
    run.until(3);
    const snapshot = run.snapshot();
    run.toEnd();

    const other = Run.restore(wiring, snapshot, options);
    const living = other.parts.map(({ name }) => name);
    const messages = other.snapshot().messages.length;

    expect(living).toEqual(['Clerk', 'Job[3]', 'Job[7]']);
    expect(messages).toBe(1);
    expect(other.toEnd()).toEqual(run.outcome);
    expect(other.fingerprint).toBe(run.fingerprint);
  });

  test('fails the run when a member cannot be made (KRN008)', () => {
    const { run } = withFamily(options, () => {
      throw new Error('nobody is left');
    });

    expect(run.toEnd()).toMatchObject({
      verdict: 'error',
      failure: { tick: 2, actor: 'Job[7]', event: 'order', error: { code: 'KRN008' } },
    });
  });
});

test('coverage counts the transitions that were taken and the guards by their answers, by state machine', () => {
  const kit = component<{ n: number }, { type: 'go' }>();
  const machine = setup({
    types: {} as { context: { n: number }; events: { type: 'go' } },
    guards: { few: kit.when((c) => c.n < 2) },
    actions: {
      count: kit.update((c) => {
        c.n++;
      }),
    },
  }).createMachine({
    id: 'counter',
    context: { n: 0 },
    initial: 'on',
    states: {
      on: { on: { go: [{ guard: 'few', actions: 'count' }, { target: 'off' }] } },
      off: { on: { go: {} } },
    },
  });
  const wiring = new Wiring();
  for (const name of ['A', 'B']) {
    const to = wiring.place(name, machine, 0);
    for (let i = 0; i < 4; i++) wiring.boot.push({ to, type: 'go' });
  }

  const counted = new Run(wiring, { coverage: true });
  counted.toEnd();
  const plain = new Run(wiring);
  plain.toEnd();

  const { taken, guardTrue, guardFalse } = counted.coverage.get('counter')!;
  expect([[...taken], [...guardTrue], [...guardFalse]]).toEqual([
    [4, 2, 2],
    [4, 0, 0],
    [2, 0, 0],
  ]);
  expect(counted.fingerprint).toBe(plain.fingerprint);
  expect(plain.coverage.size).toBe(0);
});

test('coverage does not count a transition of a region that lost against another one', () => {
  const machine = setup({ types: {} as { events: { type: 'go' } } }).createMachine({
    id: 'pair',
    initial: 'both',
    states: {
      both: {
        type: 'parallel',
        states: {
          p: { initial: 'a', states: { a: { on: { go: '#pair.left' } } } },
          q: { initial: 'a', states: { a: { on: { go: '#pair.right' } } } },
        },
      },
      left: {},
      right: {},
    },
  });
  const wiring = new Wiring();
  wiring.boot.push({ to: wiring.place('Pair', machine, 0), type: 'go' });
  const run = new Run(wiring, { coverage: true });

  run.toEnd();

  expect(run.part('Pair').value).toBe('left');
  expect([...run.coverage.get('pair')!.taken]).toEqual([1, 0]);
});
