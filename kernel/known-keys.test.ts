import { expect, test } from 'vitest';
import { oneOf, onlyKeys } from './known-keys.ts';

test('keys that are not known are refused with those that are', () => {
  expect(() => onlyKeys('Explorer', { statesMax: 1, observer: [] }, ['statesMax', 'observers'])).toThrow(
    'KRN024 Explorer: found "observer", expected one of: statesMax, observers',
  );
  expect(() => onlyKeys('network', { losy: 1 }, ['lossy'], 'KRN016')).toThrow('KRN016 network');
  onlyKeys('Explorer', { statesMax: undefined }, ['statesMax']);
});

test('values that are not known are refused; of many the first are named', () => {
  expect(() => oneOf('model', 'linear', ['linearizable', 'sequential'])).toThrow(
    'KRN024 model: found "linear", expected one of: linearizable, sequential',
  );
  expect(() =>
    oneOf(
      'n',
      -1,
      Array.from({ length: 30 }, (_, n) => n),
    ),
  ).toThrow('22, 23, and 6 more');
  oneOf('fair', undefined, [undefined, true]);
});
