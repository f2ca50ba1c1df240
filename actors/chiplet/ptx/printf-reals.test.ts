import { expect, test } from 'vitest';
import { realText } from './printf-reals.ts';

// What a C library writes (ISO C 7.21.6.1): from the exact value, halves to even.
test.each([
  [1e22, 'f', undefined, false, '10000000000000000000000.000000'],
  [0.5, 'f', 0, false, '0'],
  [2.5, 'f', 0, false, '2'],
  [2.5, 'f', 0, true, '2.'],
  [0.1, 'f', 25, false, '0.1000000000000000055511151'],
  [9.9999995, 'e', undefined, false, '9.999999e+00'],
  [99999.95, 'e', 5, false, '9.99999e+04'],
  [9.5, 'e', 0, false, '1e+01'],
  [5e-324, 'e', 3, false, '4.941e-324'],
  [0, 'e', undefined, false, '0.000000e+00'],
  [0.0001, 'g', undefined, false, '0.0001'],
  [0.00001, 'g', undefined, false, '1e-05'],
  [999999.5, 'g', undefined, false, '1e+06'],
  [100, 'g', undefined, true, '100.000'],
  [1.5, 'a', undefined, false, '0x1.8p+0'],
  [1.5, 'a', 3, false, '0x1.800p+0'],
  [5e-324, 'a', undefined, false, '0x0.0000000000001p-1022'],
  [0, 'a', undefined, false, '0x0p+0'],
  [Number.POSITIVE_INFINITY, 'f', undefined, false, 'inf'],
  [Number.NaN, 'a', undefined, false, 'nan'],
])('%d by %%%s with precision %s, # %s, is %s', (value, kind, digits, must, text) => {
  expect(realText(value, kind, digits, must)).toBe(text);
});
