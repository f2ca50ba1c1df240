import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add } from '../arithmetic/adder.ts';
import { alu, aluOps } from '../arithmetic/alu.ts';
import { multiplierWords, multiply } from '../arithmetic/multiplier.ts';
import type { Word } from '../arithmetic/word.ts';
import { addLanes } from './lane-adder.ts';
import { aluLanes, worksOnLanes } from './lane-alu.ts';
import { multiplyLanes } from './lane-multiplier.ts';
import { planesOf, putWord, wordAt } from './planes.ts';
import { anyWord, nearWords } from './words.arbitrary.ts';

/** The result of an operation on planes of one word. */
function onPlanes(
  a: Word,
  b: Word,
  run: (
    x: ReturnType<typeof planesOf>,
    y: ReturnType<typeof planesOf>,
    z: ReturnType<typeof planesOf>,
  ) => void,
): Word {
  const [x, y, z] = [planesOf(1), planesOf(1), planesOf(1)];
  putWord(x, 0, a);
  putWord(y, 0, b);
  run(x, y, z);
  return wordAt(z, 0);
}

const hex = (word: Word): string => word.toString(16).padStart(18, '0');
const pairs = fc.oneof(fc.tuple(anyWord, anyWord), nearWords);

describe('lanes do what the reference arithmetic does', () => {
  test.each([
    ['fadd', false, false],
    ['fadd, short', false, true],
    ['fsub', true, false],
    ['fsub, short', true, true],
  ] as const)('%s', (_, sub, round) => {
    const control = { normA: true, normB: true, normO: true, sub, round };
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => addLanes(x, 0, y, 0, z, 0, 1, sub, round));

        expect(hex(found)).toBe(hex(add(a, b, control).word));
      }),
      { numRuns: 4000 },
    );
  });

  test.each([
    ['fmul', false, multiplierWords.fmulLong],
    ['fmul, short', true, multiplierWords.fmulShort],
  ] as const)('%s', (_, round, bits) => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => multiplyLanes(x, 0, y, 0, z, 0, 1, round));

        expect(hex(found)).toBe(hex(multiply(a, b, bits).word));
      }),
      { numRuns: 4000 },
    );
  });

  test.each(aluOps.flatMap((op) => [[op, false] as const, [op, true] as const]))(
    '%s, signed %s',
    (op, signed) => {
      if (!worksOnLanes(op, signed)) return;
      const counts = fc.tuple(anyWord, fc.oneof(anyWord, fc.integer({ min: 0, max: 80 }).map(BigInt)));
      fc.assert(
        fc.property(counts, ([a, b]) => {
          const found = onPlanes(a, b, (x, y, z) => aluLanes(op, x, 0, y, 0, z, 0, 1));

          expect(hex(found)).toBe(hex(alu(op, signed, a, b)));
        }),
        { numRuns: 600 },
      );
    },
  );
});
