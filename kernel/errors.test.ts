import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { invariant, KernelError, type KernelErrorCode, kernelErrors } from './errors.ts';

const folder = new URL('.', import.meta.url);
const texts = (which: (name: string) => boolean) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && which(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
const sources = texts((name) => !name.endsWith('.test.ts') && name !== 'errors.ts');
const tests = texts((name) => name.endsWith('.test.ts') && name !== 'errors.test.ts');

describe('the error catalogue of the kernel', () => {
  test.each(Object.keys(kernelErrors) as KernelErrorCode[])(
    '%s is thrown by the kernel, and a test sees it',
    (code) => {
      expect(sources).toContain(`'${code}'`);
      expect(tests).toContain(code);
    },
  );

  test('knows every code that the kernel throws, numbered without gaps', () => {
    const thrown = new Set(sources.match(/KRN\d+/g));

    expect([...thrown].filter((code) => !(code in kernelErrors))).toEqual([]);
    expect(Object.keys(kernelErrors)).toEqual(
      Object.keys(kernelErrors).map((_, index) => `KRN${String(index + 1).padStart(3, '0')}`),
    );
  });

  test('gives each error its place, what was found, and the cure', () => {
    const error = new KernelError('KRN006', 'Chip.Dma', 'the delay of "x" is -1');

    expect(error.message).toBe(
      'KRN006 Chip.Dma: the delay of "x" is -1\n  help: delays are whole ticks, 0 for the same tick; a timer has 1 or more',
    );
    expect([error.name, error.code, error.place]).toEqual(['KernelError', 'KRN006', 'Chip.Dma']);
  });
});

test('an invariant that does not hold stops with its reason', () => {
  expect(() => invariant(1 + 1 === 2, 'sums')).not.toThrow();
  expect(() => invariant(0, 'a ring has nodes')).toThrow('Lockstep defect: a ring has nodes');
});
