import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import { add } from '../arithmetic/adder.ts';
import { alu, aluOps } from '../arithmetic/alu.ts';
import { multiplierWords, multiply } from '../arithmetic/multiplier.ts';
import { type Word, wordOf } from '../arithmetic/word.ts';
import { aluLanes } from './lane-alu.ts';
import { planesOf, putWord, wordAt } from './planes.ts';
import { scriptRows } from './row-arithmetic.ts';
import { wasmRows } from './wasm-rows.ts';
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
const counts = fc.tuple(anyWord, fc.oneof(anyWord, fc.integer({ min: 0, max: 80 }).map(BigInt)));

describe.each([
  ['JavaScript', scriptRows],
  ['WebAssembly', wasmRows()],
] as const)('rows in %s do what the reference arithmetic does', (_engine, rows) => {
  test.each([
    ['fadd', false, false],
    ['fadd, short', false, true],
    ['fsub', true, false],
    ['fsub, short', true, true],
  ] as const)('%s', (_, sub, round) => {
    const control = { normA: true, normB: true, normO: true, sub, round };
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => rows.add(x, y, z, 1, sub, round));

        expect(hex(found)).toBe(hex(add(a, b, control).word));
      }),
      { numRuns: effort({ short: 800, long: 4000 }), seed: 27 },
    );
  });

  test.each([
    ['fmul', false, multiplierWords.fmulLong],
    ['fmul, short', true, multiplierWords.fmulShort],
  ] as const)('%s', (_, round, bits) => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => rows.multiply(x, y, z, 1, round));

        expect(hex(found)).toBe(hex(multiply(a, b, bits).word));
      }),
      { numRuns: effort({ short: 800, long: 4000 }), seed: 27 },
    );
  });

  test.each([
    ['faddAB', false, false],
    ['faddAB, short', false, true],
    ['fsubAB', true, false],
    ['fsubAB, short', true, true],
  ] as const)('%s', (_, sub, round) => {
    const control = { normA: false, normB: false, normO: true, sub, round };
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => rows.addParts(x, y, z, 1, sub, round));

        expect(hex(found)).toBe(hex(add(a, b, control).word));
      }),
      { numRuns: effort({ short: 800, long: 4000 }), seed: 27 },
    );
  });

  test.each([
    ['dmul0', false],
    ['dmul1', true],
  ] as const)('%s', (name, second) => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => rows.multiplyPart(x, y, z, 1, second));

        expect(hex(found)).toBe(hex(multiply(a, b, multiplierWords[name]).word));
      }),
      { numRuns: effort({ short: 800, long: 4000 }), seed: 27 },
    );
  });

  test.each([
    ['lsl', false],
    ['lsr', false],
    ['lsr', true],
  ] as const)('%s, signed %s', (op, signed) => {
    fc.assert(
      fc.property(counts, ([a, b]) => {
        const found = onPlanes(a, b, (x, y, z) => rows.shift(op, signed, x, y, z, 1));

        expect(hex(found)).toBe(hex(alu(op, signed, a, b)));
      }),
      { numRuns: effort({ short: 400, long: 2000 }), seed: 27 },
    );
  });
});

describe('functions of the ALU on lanes do what the reference arithmetic does', () => {
  test.each(aluOps.flatMap((op) => [[op, false] as const, [op, true] as const]))(
    '%s, signed %s',
    (op, signed) => {
      fc.assert(
        fc.property(counts, ([a, b]) => {
          const found = onPlanes(a, b, (x, y, z) => aluLanes(op, signed, x, 0, y, 0, z, 0, 1));

          expect(hex(found)).toBe(hex(alu(op, signed, a, b)));
        }),
        { numRuns: effort({ short: 120, long: 600 }), seed: 27 },
      );
    },
  );
});

describe('arithmetic in WebAssembly', () => {
  test('is in JavaScript where there is no WebAssembly', () => {
    expect(wasmRows(null)).toBe(scriptRows);
    expect(wasmRows()).not.toBe(scriptRows);
  });

  test('takes operands from planes of its own and of others, and leaves words beyond the count alone', () => {
    const rows = wasmRows();
    const { a, b } = rows.operands(8);
    const [other, sum] = [planesOf(8), planesOf(8)];
    const one = wordOf(0, 1023, 0n);
    for (let lane = 0; lane < 8; lane++) for (const planes of [a, b, other]) putWord(planes, lane, one);

    rows.add(a, b, sum, 5, false, false);
    rows.add(sum, other, sum, 5, false, false);
    rows.add(b, sum, sum, 4, false, false);

    const found = Array.from({ length: 8 }, (_, lane) => hex(wordAt(sum, lane)));
    const [three, four] = [hex(wordOf(0, 1024, 1n << 59n)), hex(wordOf(0, 1025, 0n))];
    expect(found).toEqual([four, four, four, four, three, hex(0n), hex(0n), hex(0n)]);
  });

  test('goes through JavaScript for rows beyond its memory', () => {
    const rows = wasmRows();
    const lanes = 5000;
    const { a, b } = rows.operands(lanes);
    const sum = planesOf(lanes);
    putWord(a, lanes - 1, wordOf(0, 1023, 0n));
    putWord(b, lanes - 1, wordOf(0, 1023, 0n));

    rows.add(a, b, sum, lanes, false, true);

    expect(wordAt(sum, lanes - 1)).toBe(wordOf(0, 1024, 0n));
  });
});
