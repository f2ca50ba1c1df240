import { expect, test } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { faultOption, faultWord } from './fault-option.ts';

test.each([
  ['drop', { drop: {} }, 'drop'],
  ['drop: { type: bus.granted }', { drop: { type: 'bus.granted' } }, `'{"drop":{"type":"bus.granted"}}'`],
  [
    '{"delay":{"ticks":3,"budget":2}}',
    { delay: { ticks: 3, budget: 2 } },
    `'{"delay":{"ticks":3,"budget":2}}'`,
  ],
])('%s is a fault, and is written so that it is read as the same', (text, fault, word) => {
  expect(faultOption(text)).toEqual(fault);
  expect(faultWord(faultOption(text))).toBe(word);
  expect(faultOption(word.replaceAll("'", ''))).toEqual(fault);
});

test.each([
  ['dorp', /found the kind "dorp", expected one of drop, .*crash/],
  ['drop: { ticks: 3 }', /--fault: drop: .*"ticks"/],
  ['{ drop: {}, delay: {} }', /expected one kind of fault/],
  ['[', /no YAML/],
  ['7', /expected one kind of fault/],
  ['drop: 3', /--fault: drop: /],
])('%s is refused with what was expected', (text, message) => {
  expect(() => faultOption(text)).toThrow(UsageError);
  expect(() => faultOption(text)).toThrow(message);
});
