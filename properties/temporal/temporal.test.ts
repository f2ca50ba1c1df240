import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { watch } from '../property.ts';
import {
  always,
  atMostOne,
  before,
  endOfTick,
  eventually,
  leadsTo,
  message,
  never,
  reachable,
  shown,
} from './temporal.ts';

interface Word {
  readonly type: string;
  readonly id: number;
}

const { act } = component<object, Word>();

/** Takes any message and shows what it hears as a probe; the word `fail` makes it fail. */
const listener = setup({
  types: {} as { context: object; events: Word },
  actions: {
    show: act((_context, { type, id }, out) => {
      if (type === 'fail') throw new Error('it failed');
      out.probe({ type: `heard.${type}`, id } as never);
    }),
  },
}).createMachine({ id: 'listener', context: {}, on: { '*': { actions: 'show' } } });

/** Messages that reach one actor: `ask1@3` is `{type: 'ask', id: 1}` in tick 3. */
function desk(script: string): Wiring {
  const wiring = new Wiring();
  const to = wiring.place('Shop.Desk', listener, {});
  for (const word of script.split(' ').filter(Boolean)) {
    const [, type, id, tick] = /^([a-z]+)(\d)@(\d+)$/.exec(word) as unknown as string[];
    wiring.boot.push({ to: to as Address, type, id: Number(id), delay: Number(tick) } as never);
  }
  return wiring;
}

/** What a sentence finds in a run, each with its tick; `until` cuts the run short. */
function findings(observer: Observer, script: string, until?: number): string[] {
  const run = new Run(desk(script));
  const watching = watch(run, [observer]);
  run.until(until);
  watching.end();
  return run.outcome.violations.map(({ tick, why }) => `${tick}: ${why}`);
}

const key = ({ id }: Word) => id;
const ask = message<Word>('ask', { key });
const answer = message<Word>('answer', { key });
const anyAnswer = message<Word>('answer');

describe('never', () => {
  test.each([
    ['ask1@0 ask2@2', []],
    [
      'ask1@0 answer1@2 answer2@3',
      [
        '2: answer id=1 from world to Shop.Desk at tick 2',
        '3: answer id=2 from world to Shop.Desk at tick 3',
      ],
    ],
  ])('in %j', (script, expected) => {
    expect(findings(never('nobody answers', answer), script)).toEqual(expected);
  });

  test.each([
    ['after', { after: ask }, 'answer1@0 ask2@1 answer1@1 ask1@2 answer1@3 answer1@4', [3, 4]],
    ['until', { until: ask }, 'answer1@0 ask2@1 answer1@1 ask1@2 answer1@3', [0, 1]],
    ['between', { after: ask, until: answer }, 'rest1@0 ask1@1 rest1@2 rest2@2 answer1@3 rest1@4', [2]],
  ])('is looked at only in its scope: %s', (name, scope, script, ticks) => {
    const judged = name === 'between' ? message<Word>('rest', { key }) : answer;

    expect(findings(never('nobody', judged, scope), script).map(Number.parseFloat)).toEqual(ticks);
  });

  test('a moment that closes its scope is not in it, and one that opens it is not either', () => {
    const twice = never('never twice in a tick', anyAnswer, { after: anyAnswer, until: endOfTick });

    expect(findings(twice, 'answer1@0 answer2@1 answer3@2')).toEqual([]);
    expect(findings(twice, 'answer1@0 answer2@1 answer3@1')).toHaveLength(1);
    expect(findings(never('no answer', anyAnswer, { until: anyAnswer }), 'answer1@0 answer1@1')).toEqual([]);
  });
});

describe('a pattern', () => {
  const count = (pattern: ReturnType<typeof message>, script = 'ask1@0 ask3@0 heard1@0') =>
    findings(never('it never comes', pattern), script).length;

  test('means the actors that it names, a star being a part of a path', () => {
    const names = ['Shop.Desk', 'Shop.*', '*.D*k', '**', '*', 'Shop.Clerk', 'Shop.Des'];

    expect(names.map((to) => count(message('ask', { to })))).toEqual([2, 2, 2, 2, 0, 0, 0]);
    expect(['world', 'Shop.Desk'].map((from) => count(message('ask', { from })))).toEqual([2, 0]);
    expect(['Shop.*', 'Shop'].map((actor) => count(shown('heard.ask', { actor })))).toEqual([2, 0]);
  });

  test('means one of several types, and what holds of an event', () => {
    expect(count(message<Word>(['ask', 'heard']))).toBe(3);
    expect(count(message<Word>('ask', { where: ({ id }, { to }) => id > 2 && to === 'Shop.Desk' }))).toBe(1);
    expect(count(shown<Word>('heard.ask', { where: ({ id }) => id > 5 }))).toBe(0);
  });

  test('means messages or probes, not both', () => {
    expect([count(message('heard.ask')), count(shown('ask'))]).toEqual([0, 0]);
    expect(findings(never('no probe', shown<Word>('heard.ask')), 'ask1@4')).toEqual([
      '4: heard.ask id=1 of Shop.Desk at tick 4',
    ]);
  });

  test('has a key where the others of its sentence have one', () => {
    for (const broken of [
      () => leadsTo('asks are answered', ask, anyAnswer),
      () => before('nobody answers unasked', anyAnswer, ask),
      () => never('never', anyAnswer, { after: ask }),
      () => atMostOne('one', ask, anyAnswer),
    ])
      expect(broken).toThrow(
        /ask has a key, answer has none\n {2}help: give all patterns of the sentence a key/,
      );
  });
});

test('always tells what is wrong in words', () => {
  const small = always<Word>('ids are small', ask, ({ id }) => id < 3 || `${id} is not below 3`);

  expect(findings(small, 'ask1@0 ask4@1')).toEqual([
    '1: ask id=4 from world to Shop.Desk at tick 1: 4 is not below 3',
  ]);
  expect(findings(small, 'ask1@0 ask2@1 answer9@2')).toEqual([]);
  expect(
    findings(
      always<Word>('no id', ask, () => false),
      'ask1@2',
    ),
  ).toEqual(['2: ask id=1 from world to Shop.Desk at tick 2']);
  expect(
    findings(
      always<Word>('no id', ask, () => false, { after: answer }),
      'ask1@2',
    ),
  ).toEqual([]);
});

describe('eventually', () => {
  const some = eventually('somebody answers', answer);
  const soon = eventually('somebody answers soon', answer, { within: 4 });

  test('is judged when nothing will happen any more', () => {
    expect(findings(some, 'ask1@0 answer1@5')).toEqual([]);
    expect(findings(some, 'ask1@3')).toEqual(['3: no answer came']);
  });

  test('is judged when its time is up', () => {
    expect(findings(soon, 'ask1@0 answer1@4')).toEqual([]);
    expect(findings(soon, 'ask1@0 answer1@5')).toEqual(['5: no answer came within 4 ticks']);
    expect(findings(soon, 'ask1@4 answer1@9')).toEqual(['4: no answer came within 4 ticks']);
    expect(findings(soon, 'ask1@2')).toEqual(['2: no answer came']);
  });

  test('tells what else is asked of what must come', () => {
    const elsewhere = message('answer', { to: 'Shop.Else' });
    const large = message('answer', { from: 'Shop.*', where: () => false });

    expect(findings(eventually('it is answered elsewhere', elsewhere), 'ask1@0 answer1@5')).toEqual([
      '5: no answer to Shop.Else came',
    ]);
    expect(
      findings(leadsTo('asks are answered', ask, { ...large, keyed: true }), 'ask1@0 answer1@5'),
    ).toEqual([
      '5: ask id=1 from world to Shop.Desk at tick 0 was not followed by answer from Shop.* that meets its condition',
    ]);
  });

  test('proves nothing in a run that was cut short or that failed', () => {
    expect(findings(some, 'ask1@0 ask2@9', 5)).toEqual([]);
    expect(findings(soon, 'ask1@0 ask2@9', 3)).toEqual([]);
    expect(findings(some, 'ask1@0 fail2@9')).toEqual([]);
  });
});

describe('leadsTo', () => {
  const answered = leadsTo('asks are answered', ask, answer);
  const soon = leadsTo('asks are answered soon', ask, answer, { within: 3 });
  const atOnce = leadsTo('asks are answered at once', ask, answer, { within: 0 });
  const together = leadsTo('asks are answered', ask, answer, { answers: 'all', within: 5 });

  test.each([
    ['ask1@0 ask2@0 answer2@1 answer1@1', []],
    ['ask1@0 ask1@1 answer1@2', ['2: ask id=1 from world to Shop.Desk at tick 1 was not followed by answer']],
    ['ask1@0 ask2@1 answer1@9', ['9: ask id=2 from world to Shop.Desk at tick 1 was not followed by answer']],
    ['answer1@0 ask1@0', ['0: ask id=1 from world to Shop.Desk at tick 0 was not followed by answer']],
    [
      'ask2@0 ask3@1 ask1@2 answer2@3',
      ['3: ask id=1 from world to Shop.Desk at tick 2 was not followed by answer, and 1 more like it'],
    ],
  ])('in %j', (script, expected) => {
    expect(findings(answered, script)).toEqual(expected);
  });

  test.each([
    ['ask1@2 answer1@5', []],
    ['ask1@2 answer1@6', [6]],
    ['ask1@2 rest1@5 answer1@5', []],
    ['ask1@2 rest1@5 answer1@6', [5]],
    ['ask1@2 ask2@3 answer2@4 rest1@9', [9]],
    ['ask1@2 ask1@3 answer1@4 answer1@7', [7]],
  ])('in time in %j', (script, ticks) => {
    const found = findings(soon, script);

    expect(found.map(Number.parseFloat)).toEqual(ticks);
    for (const one of found) expect(one).toContain('was not followed by answer within 3 ticks');
  });

  test('in the same tick', () => {
    expect(findings(atOnce, 'ask1@2 answer1@2')).toEqual([]);
    expect(findings(atOnce, 'ask1@2 answer1@3')).toHaveLength(1);
  });

  test('one effect may answer all causes', () => {
    expect(findings(together, 'ask1@0 ask1@1 answer1@2')).toEqual([]);
    expect(findings(together, 'ask1@0 ask1@4 answer1@6').map(Number.parseFloat)).toEqual([6]);
    expect(findings(together, 'ask1@0 ask2@0 answer1@2')).toHaveLength(1);
  });

  test('proves nothing in a run that was cut short', () => {
    expect(findings(answered, 'ask1@0 ask2@9', 5)).toEqual([]);
    expect(findings(soon, 'ask1@3 ask2@9', 5)).toEqual([]);
  });

  test.each([-1, 0.5, Number.NaN])('refuses a deadline of %d', (within) => {
    expect(() => leadsTo('soon', ask, answer, { within })).toThrow(
      /"soon": within .*\n {2}help: .* whole number/,
    );
  });
});

test('before', () => {
  const asked = before('nobody answers unasked', ask, answer);

  expect(findings(asked, 'ask1@0 ask2@0 answer1@1 answer2@2 answer1@3')).toEqual([]);
  expect(findings(asked, 'ask1@0 answer2@1')).toEqual([
    '1: answer id=2 from world to Shop.Desk at tick 1 came before any ask',
  ]);
});

describe('atMostOne', () => {
  const enter = message<Word>('enter', { who: key });
  const leave = message<Word>('leave', { who: key });
  const alone = atMostOne('one at a time', enter, leave);

  test.each([
    ['enter1@0 leave1@1 enter2@1 leave2@2', []],
    [
      'enter1@0 enter2@1 leave1@2',
      [
        '1: enter id=2 from world to Shop.Desk at tick 1, while enter id=1 from world to Shop.Desk at tick 0 had not ended',
      ],
    ],
    ['enter1@0 enter1@1 leave1@2 enter2@3', []],
    ['enter1@0 leave2@1', []],
    ['enter1@0 leave2@1 enter2@2 leave1@3 enter2@4 enter3@5', ['2:', '5:']],
  ])('in %j', (script, expected) => {
    const found = findings(alone, script);

    expect(found).toHaveLength(expected.length);
    for (const [at, one] of found.entries()) expect(one.startsWith(expected[at]!)).toBe(true);
  });

  test('who enters again holds it since the first time', () => {
    expect(findings(alone, 'enter1@0 enter1@1 enter2@2')[0]).toContain(
      'while enter id=1 from world to Shop.Desk at tick 0',
    );
  });

  test('of many things', () => {
    const ofRoom = { who: key, key: ({ id }: Word) => id % 2 };
    const perRoom = atMostOne(
      'one in a room',
      message<Word>('enter', ofRoom),
      message<Word>('leave', ofRoom),
    );

    expect(findings(perRoom, 'enter1@0 enter2@0')).toEqual([]);
    expect(findings(perRoom, 'enter1@0 enter3@0')).toHaveLength(1);
    expect(findings(perRoom, 'enter1@0 enter2@0 leave2@1 enter4@2 leave1@3 enter3@4')).toEqual([]);
  });

  test('can be exchanged where holders are actors and things have no keys', () => {
    const byActor = atMostOne(
      'one',
      message<Word>('enter', { who: 'from' }),
      message<Word>('leave', { who: 'from' }),
    );
    const since = { kind: 'message', from: 'A', to: 'B', event: { type: 'enter', id: 1 } } as const;
    const swap = (name: string) => ({ A: 'B', B: 'A' })[name] ?? name;

    const exchanged = byActor.exchange?.({ holders: [{ key: '', who: 'A', since }] }, swap);

    expect(exchanged).toEqual({ holders: [{ key: '', who: 'B', since: { ...since, from: 'B', to: 'A' } }] });
    expect(alone.exchange).toBeUndefined();
  });

  test('takes an actor that shows a probe for the one that is meant', () => {
    const aloneInside = atMostOne('one', shown<Word>('heard.enter'), shown<Word>('heard.leave'));

    expect(findings(aloneInside, 'enter1@0 enter2@1')).toEqual([]);
  });
});

describe('the exhaustive checker', () => {
  const word = fc.record({
    type: fc.constantFrom('ask', 'answer'),
    id: fc.integer({ min: 1, max: 2 }),
    tick: fc.nat(4),
  });
  const sentences: readonly Observer[] = [
    never('n', answer, { after: ask, until: endOfTick }),
    always<Word>('a', ask, ({ id }) => id < 2, { until: answer }),
    eventually('e', anyAnswer, { within: 2 }),
    eventually('f', anyAnswer),
    leadsTo('l', ask, answer, { within: 1 }),
    leadsTo('m', ask, answer, { answers: 'all' }),
    before('b', ask, answer),
    atMostOne('o', message<Word>('ask', { who: key }), message<Word>('answer', { who: key })),
  ];

  test('finds a sentence violated exactly when a run finds it, where there is one order only', () => {
    const violated = new Set<string>();
    const kept = new Set<string>();
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const script = words.map(({ type, id, tick }) => `${type}${id}@${tick}`).join(' ');
        for (const observer of sentences) {
          const found = findings(observer, script).length > 0;
          const { verdict } = new Explorer(() => desk(script), { observers: [observer] }).toEnd();

          expect([observer.sentence, verdict]).toEqual([observer.sentence, found ? 'violated' : 'ok']);
          (found ? violated : kept).add(observer.sentence);
        }
      }),
      { numRuns: effort({ short: 40, long: 100 }), seed: 3 },
    );
    expect([violated.size, kept.size]).toEqual([sentences.length, sentences.length]);
  });

  test('comes to an end with a machine that has none: nothing that a sentence remembers says when', () => {
    const explored = (...observers: Observer[]) => new Explorer(clock, { observers, statesMax: 100 }).toEnd();
    const soon = leadsTo('l', ask, answer, { within: 3 });
    const late = leadsTo('l', ask, answer, { within: 1 });

    expect(explored()).toMatchObject({ verdict: 'ok', states: 3 });
    // The first one asks from outside, which is remembered until it is answered.
    expect(explored(soon)).toMatchObject({ verdict: 'ok', states: 4 });
    expect(explored(...sentences.filter(({ sentence }) => sentence !== 'l')).verdict).toBe('ok');
    expect(explored(late)).toMatchObject({ verdict: 'violated' });
  });
});

/** Asks and answers in turn for ever, two ticks apart. */
function clock(): Wiring {
  const kit = component<{ self: Address }, Word>();
  const ticking = setup({
    types: {} as { context: { self: Address }; events: Word; input: { self: Address } },
    actions: {
      goOn: kit.post(({ self: to }, { type, id }) => ({
        to,
        type: type === 'ask' ? 'answer' : 'ask',
        id,
        delay: 2,
      })),
    },
  }).createMachine({ id: 'clock', context: ({ input }) => input, on: { '*': { actions: 'goOn' } } });
  const wiring = new Wiring();
  const self = wiring.reserve('Clock');
  wiring.place(self, ticking, { self });
  wiring.begin({ to: self, type: 'ask', id: 1 } as never);
  return wiring;
}

test('one sentence serves several runs without mixing them up', () => {
  const answered = leadsTo('asks are answered', ask, answer);

  expect([findings(answered, 'ask1@0'), findings(answered, 'answer1@0')].map((all) => all.length)).toEqual([
    1, 0,
  ]);
});

test.each([
  () => never('nothing is wrong', undefined as never),
  () => reachable('something comes', 'ask' as never),
  () => leadsTo('asks are answered', ask, null as never),
  () => eventually('an answer comes', {} as never),
  () => always('what is right', undefined as never),
  () => always('what is right', ask as never),
])('a sentence without what it is about is refused where it is made: %s', (make) => {
  expect(make).toThrow(/expected a (pattern such as message|function of the events)/);
});
