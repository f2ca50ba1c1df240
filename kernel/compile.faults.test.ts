import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type * as Structure from './configuration.ts';
import { traceCompiled, traceInterpreted } from './equivalence.ts';
import { randomEvents, randomMachine } from './random-machine.ts';

// Each fault is planted in the structure rules the compiler stands on; the property that compares with XState must find it.
const planted = vi.hoisted(() => ({ fault: '' }));
vi.mock('./configuration.ts', async (original) => {
  const sound = await original<typeof Structure>();
  return {
    ...sound,
    withoutConflicts: (...args: Parameters<typeof sound.withoutConflicts>) =>
      planted.fault === 'conflicting transitions are all taken'
        ? [...args[0]]
        : sound.withoutConflicts(...args),
    exitSet: (...args: Parameters<typeof sound.exitSet>) => {
      const leaving = sound.exitSet(...args);
      if (planted.fault === 'a parent is never left')
        for (const node of leaving) if (node.type !== 'atomic') leaving.delete(node);
      return leaving;
    },
    entrySet: (...args: Parameters<typeof sound.entrySet>) => {
      const found = sound.entrySet(...args);
      if (planted.fault === 'a second region is not entered') {
        const regions = [...found.entered].filter((node) => node.parent?.type === 'parallel');
        if (regions[1]) found.entered.delete(regions[1]);
      }
      return found;
    },
    isComplete: (...args: Parameters<typeof sound.isComplete>) =>
      planted.fault !== 'parallel states never complete' && sound.isComplete(...args),
  };
});

const tapes = fc.array(fc.nat(999), { minLength: 40, maxLength: 200, size: 'max' });
const events = fc.array(fc.record({ type: fc.constantFrom(...randomEvents), v: fc.nat(20) }), {
  minLength: 1,
  maxLength: 8,
});

describe('the comparison with XState', () => {
  test.each([
    'conflicting transitions are all taken',
    'a parent is never left',
    'a second region is not entered',
    'parallel states never complete',
  ])('finds the planted fault "%s"', (fault) => {
    planted.fault = fault;

    const result = fc.check(
      fc.property(tapes, fc.nat(99), events, (tape, input, sequence) => {
        const machine = randomMachine(tape);
        const compiled = (() => {
          try {
            return traceCompiled(machine, input, sequence);
          } catch {
            return 'threw';
          }
        })();
        return isDeepStrictEqual(compiled, traceInterpreted(machine, input, sequence));
      }),
      { numRuns: 2000, seed: 7, endOnFailure: true },
    );

    expect(result.failed).toBe(true);
  });
});
