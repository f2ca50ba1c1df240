import { expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { protocol } from '../../kernel/protocol/protocol.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { registerObject } from '../consistency/sequential-object.ts';
import { consistency } from '../consistency/tester.ts';
import { property } from '../property.ts';
import { always, atMostOne, atRest, before, eventually, leadsTo, message, never, until } from './temporal.ts';

/*
 * What a user of plain JavaScript may write: it would be left out, and pass for judged.
 */

const [ask, granted] = [message('ask'), message('granted')];
const wiring = () => new Wiring({});
const right = { sentence: 'x', watches: ['ask'], begin: () => ({}), see: () => undefined };

test.each<[string, () => unknown, string]>([
  [
    'properties under another name',
    () => new Explorer(wiring, { observer: [] } as never),
    'KRN024 Explorer: found "observer"',
  ],
  [
    'a property that is no list',
    () => new Explorer(wiring, { observers: never('x', ask) } as never),
    'KRN024 Explorer.observers: expected a list',
  ],
  [
    'a list of what is no property',
    () => new Explorer(wiring, { observers: [never('x', ask), 5] } as never),
    'KRN024 Explorer.observers[1]',
  ],
  [
    'a limit under another name',
    () => new Explorer(wiring, { stateMax: 5 } as never),
    'KRN024 Explorer: found "stateMax"',
  ],
  [
    'fairness under another name',
    () => eventually('x', ask, { fare: true } as never),
    'KRN024 eventually: found "fare"',
  ],
  [
    'fairness in words',
    () => leadsTo('x', ask, granted, { fair: 'weak' } as never),
    'KRN024 leadsTo.fair: found "weak"',
  ],
  [
    'answers of another kind',
    () => leadsTo('x', ask, granted, { answers: 'each' } as never),
    'KRN024 leadsTo.answers',
  ],
  [
    'until with a deadline',
    () => until('x', () => true, granted, { within: 3 } as never),
    'KRN024 until: found "within"',
  ],
  [
    'a scope under another name',
    () => always('x', () => true, { since: ask } as never),
    'KRN024 scope: found "since"',
  ],
  [
    'a missing pattern',
    () => atMostOne('x', ask, undefined as never),
    "found nothing, expected a pattern such as message('lock.ask')",
  ],
  [
    'a text in place of a pattern',
    () => before('x', ask, 'granted' as never),
    "found string, expected a pattern such as message('lock.ask')",
  ],
  [
    'an object under another name',
    () => consistency('x', { objet: registerObject(0) } as never),
    'KRN024 consistency: found "objet"',
  ],
  ['an object that is none', () => consistency('x', { object: 5 } as never), 'KRN024 consistency.object'],
  [
    'another model',
    () => consistency('x', { object: registerObject(0), model: 'linear' as never }),
    'KRN024 consistency.model: found "linear"',
  ],
  [
    'what a property watches under another name',
    () => property({ ...right, watch: [] } as never),
    'KRN024 property: found "watch"',
  ],
  [
    'a property without see, seeState and seeRest',
    () => property({ ...right, see: undefined } as never),
    'KRN024 property: "x": expected a function as see, seeState or seeRest',
  ],
  [
    'messages under another name',
    () => protocol({ A: { recieves: { ask: {} } } } as never),
    'KRN024 protocol.A: found "recieves", expected one of: receives, timers',
  ],
  [
    'a field that is no kind',
    () => protocol({ A: { receives: { ask: { n: 5 } } } } as never),
    'KRN024 protocol.A.receives.ask.n: found 5, expected a kind of field, such as field.int()',
  ],
  [
    'a timer that is no list',
    () => protocol({ A: { timers: 'late' } } as never),
    'KRN024 protocol.A.timers: found "late", expected a list of names',
  ],
  ['a role that is none', () => protocol({ A: 5 } as never), 'KRN024 protocol.A: found 5'],
])('%s is refused', (_, made, words) => {
  expect(made).toThrow(words);
});

test('a sentence whose function returns nothing says so', () => {
  const forgotten = (() => undefined) as never;
  const told = (observer: ReturnType<typeof always>) =>
    new Explorer(() => new Wiring(), { observers: [observer] }).toEnd().findings.map(({ why }) => why);
  const why = 'it gives undefined, expected true, false or what is wrong in words';

  expect(told(always('all is well', forgotten))).toEqual([why]);
  expect(told(atRest('all ends well', forgotten) as never)).toEqual([why]);
});
