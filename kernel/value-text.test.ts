import { expect, test } from 'vitest';
import { valueText } from './value-text.ts';

test('a value is told as JSON, and what JSON cannot tell by its own name', () => {
  expect(valueText({ a: [1, 'two', null, true], b: undefined })).toBe('{"a":[1,"two",null,true]}');
  expect([Number.POSITIVE_INFINITY, Number.NaN, null, 5n, '5n', undefined].map(valueText)).toEqual([
    'Infinity',
    'NaN',
    'null',
    '5n',
    '"5n"',
    'nothing',
  ]);
  expect(valueText({ at: new Map([['a', [new Set([1, 2])]]]) })).toBe('{"at":Map{"a":[Set{1,2}]}}');
  expect(valueText([new Date(0), new Uint8Array([1, 2])])).toBe('["1970-01-01T00:00:00.000Z",{"0":1,"1":2}]');
});
