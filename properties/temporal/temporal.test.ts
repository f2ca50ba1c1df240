import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import type { Observer } from '../../kernel/explore/observer.ts';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { watch } from '../property.ts';
import { asProperty } from './as-property.ts';
import { message, shown } from './pattern.ts';
import { always, atMostOne, before, eventually, leadsTo, never } from './temporal.ts';

interface Word {
  readonly type: string;
  readonly id: number;
}

const { probe } = component<object, Word>();

/** Takes any message, and shows what it hears as a probe. */
const listener = setup({
  types: {} as { context: object; events: Word },
  actions: { show: probe((_context, { type, id }) => ({ type: `heard.${type}`, id })) },
}).createMachine({ id: 'listener', context: {}, on: { '*': { actions: 'show' } } });

/** What a sentence finds in a run in which these messages reach one actor: `ask1@3` is `{type: 'ask', id: 1}` in tick 3. */
function findings(observer: Observer, script: string, until?: number): string[] {
  const wiring = new Wiring();
  const to = wiring.place('Desk', listener, {});
  for (const word of script.split(' ').filter(Boolean)) {
    const [, type, id, tick] = /^([a-z]+)(\d)@(\d+)$/.exec(word) as unknown as [
      string,
      string,
      string,
      string,
    ];
    wiring.boot.push({ to: to as Address, type, id: Number(id), delay: Number(tick) } as never);
  }
  const run = new Run(wiring);
  const watching = watch(run, [asProperty(observer)], undefined);
  run.until(until);
  watching.end();
  return run.outcome.violations.map(({ tick, why }) => `${tick}: ${why}`);
}

const ask = message<Word>('ask');
const answer = message<Word>('answer');
const byId = { key: [({ id }: Word) => id, ({ id }: Word) => id] as const };

describe('never', () => {
  test.each([
    ['ask1@0 ask2@2', []],
    [
      'ask1@0 answer1@2 answer2@3',
      ['2: answer id=1 from world to Desk', '3: answer id=2 from world to Desk'],
    ],
  ])('in %j', (script, expected) => {
    expect(findings(never('nobody answers', answer), script)).toEqual(expected);
  });

  test('looks at whom a pattern names', () => {
    const at = (to: string) => findings(never('nobody asks', message('ask', { to })), 'ask1@0').length;

    expect([at('Desk'), at('D*k'), at('Clerk'), at('Des')]).toEqual([1, 1, 0, 0]);
  });

  test('sees probes as well', () => {
    const heard = shown<Word>('heard.ask', { actor: 'Desk', where: ({ id }) => id > 1 });

    expect(findings(never('no second ask is heard', heard), 'ask1@0 ask2@4')).toEqual([
      '4: heard.ask id=2 at Desk',
    ]);
  });
});

test('always tells what is wrong in words', () => {
  const small = always<Word>('ids are small', ask, ({ id }) => id < 3 || `${id} is not below 3`);

  expect(findings(small, 'ask1@0 ask4@1')).toEqual(['1: ask id=4 from world to Desk: 4 is not below 3']);
  expect(findings(small, 'ask1@0 ask2@1 answer9@2')).toEqual([]);
});

describe('eventually', () => {
  test('is judged when nothing will happen any more', () => {
    expect(findings(eventually('somebody answers', answer), 'ask1@0 answer1@5')).toEqual([]);
    expect(findings(eventually('somebody answers', answer), 'ask1@3')).toEqual(['3: no answer came']);
  });

  test('is judged when its time is up', () => {
    const soon = eventually('somebody answers soon', answer, { within: 4 });

    expect(findings(soon, 'ask1@0 answer1@4')).toEqual([]);
    expect(findings(soon, 'ask1@0 answer1@5')).toEqual(['5: no answer came within 4 ticks']);
  });

  test('proves nothing in a run that was cut short', () => {
    expect(findings(eventually('somebody answers', answer), 'ask1@0 ask2@9', 5)).toEqual([]);
  });
});

describe('leadsTo', () => {
  const answered = leadsTo<Word, Word>('asks are answered', ask, answer, byId);
  const soon = leadsTo<Word, Word>('asks are answered soon', ask, answer, { ...byId, within: 3 });

  test.each([
    ['ask1@0 ask2@0 answer2@1 answer1@1', []],
    ['ask1@0 ask1@1 answer1@2', ['2: ask id=1 from world to Desk was not followed by answer']],
    ['ask1@0 ask2@1 answer1@9', ['9: ask id=2 from world to Desk was not followed by answer']],
    ['answer1@0 ask1@0', ['0: ask id=1 from world to Desk was not followed by answer']],
  ])('in %j', (script, expected) => {
    expect(findings(answered, script)).toEqual(expected);
  });

  test.each([
    ['ask1@2 answer1@5', []],
    ['ask1@2 answer1@6', ['6: ask id=1 from world to Desk was not followed by answer within 3 ticks']],
  ])('in time in %j', (script, expected) => {
    expect(findings(soon, script)).toEqual(expected);
  });

  test('proves nothing in a run that was cut short', () => {
    expect(findings(answered, 'ask1@0 ask2@9', 5)).toEqual([]);
  });
});

test('before', () => {
  const asked = before<Word, Word>('nobody answers unasked', ask, answer, byId);

  expect(findings(asked, 'ask1@0 ask2@0 answer1@1 answer2@2 answer1@3')).toEqual([]);
  expect(findings(asked, 'ask1@0 answer2@1')).toEqual([
    '1: answer id=2 from world to Desk came before any ask',
  ]);
});

describe('atMostOne', () => {
  const enter = message<Word>('enter');
  const leave = message<Word>('leave');
  const alone = atMostOne<Word, Word>('one at a time', enter, leave, byId);

  test.each([
    ['enter1@0 leave1@1 enter2@1 leave2@2', []],
    [
      'enter1@0 enter2@1 leave1@2',
      ['1: enter id=2 from world to Desk, while enter id=1 from world to Desk had not ended'],
    ],
    ['enter1@0 enter1@1 leave1@2', []],
  ])('in %j', (script, expected) => {
    expect(findings(alone, script)).toEqual(expected);
  });

  test('of many things', () => {
    const room = ({ id }: Word) => id % 2;
    const perRoom = atMostOne<Word, Word>('one in a room', enter, leave, { ...byId, of: [room, room] });

    expect(findings(perRoom, 'enter1@0 enter2@0')).toEqual([]);
    expect(findings(perRoom, 'enter1@0 enter3@0')).toHaveLength(1);
  });
});

test('memories are data, and the same history gives the same memory', () => {
  for (const observer of [eventually('e', answer), leadsTo('l', ask, answer), before('b', ask, answer)])
    expect(structuredClone(observer.begin())).toEqual(observer.begin());
});
