import { describe, expect, test } from 'vitest';
import { decompose } from './decomposition.ts';
import { variants } from './initial-values.ts';
import { Problem, runDecomposed } from './problem.ts';

const odd = { imax: 13, jmax: 11, kmax: 7 };
const iterations = 12;

describe('a decomposed problem', () => {
  describe.each(variants)('%s', (variant) => {
    const whole = runDecomposed(decompose(odd, 1, 1), variant, 'sequential', iterations);

    test.each([
      [2, 1],
      [1, 2],
      [4, 1],
      [1, 4],
      [2, 2],
      [3, 2],
      [13, 11],
    ])('gives p bit for bit as one single block does, cut %ix%i', (A, B) => {
      const { gosaF64, ...checksums } = runDecomposed(
        decompose(odd, A, B),
        variant,
        'sequential',
        iterations,
      );

      const { gosaF32Seq, gosaF64: wholeGosaF64, ...expected } = whole;
      expect(checksums).toEqual(expected);
      expect(gosaF32Seq).toBeGreaterThan(0);
      expect(Math.abs(gosaF64 - wholeGosaF64) / wholeGosaF64).toBeLessThan(1e-12);
    });
  });

  test('may exchange all faces at once while b is 0', () => {
    const cut = decompose(odd, 2, 2);

    const [inTurn, atOnce] = (['sequential', 'concurrent'] as const).map((order) =>
      runDecomposed(cut, 'classic', order, iterations),
    );

    expect(atOnce).toEqual(inTurn);
  });

  test('comes out wrong when faces are exchanged at once, b is not 0 and blocks meet at edges', () => {
    const crcOf = (A: number, B: number, order: 'sequential' | 'concurrent') =>
      runDecomposed(decompose(odd, A, B), 'mixed', order, iterations).pCrc32;

    expect(crcOf(2, 2, 'concurrent')).not.toBe(crcOf(2, 2, 'sequential'));
    expect(crcOf(4, 1, 'concurrent')).toBe(crcOf(4, 1, 'sequential'));
    expect(crcOf(1, 4, 'concurrent')).toBe(crcOf(1, 4, 'sequential'));
  });

  test('may be stopped and carried on', () => {
    const problem = new Problem(decompose(odd, 2, 2), 'mixed', 'sequential');

    problem.iterateTo(5);
    problem.iterateTo(iterations);

    const atOneGo = runDecomposed(decompose(odd, 2, 2), 'mixed', 'sequential', iterations);
    expect(problem.result).toEqual(atOneGo);
    expect(() => problem.iterateTo(5)).toThrow('12 iterations are done already, not 5');
  });
});
