import { describe, expect, test } from 'vitest';
import { resultsOfAll } from './one-instruction.ts';

/*
 * Arithmetic on reals rounded to every side (chiplet specification 7.1), against fractions of whole numbers: a result is right when no number of its
 * type lies between it and what is exact, on the side that its rounding says.
 */

type Real = 'f32' | 'f64';

const bitsOf = (type: Real, value: number): bigint =>
  type === 'f32'
    ? BigInt(new Uint32Array(Float32Array.of(value).buffer)[0]!)
    : new BigUint64Array(Float64Array.of(value).buffer)[0]!;
const realOf = (type: Real, bits: bigint): number =>
  type === 'f32'
    ? new Float32Array(Uint32Array.of(Number(bits)).buffer)[0]!
    : new Float64Array(BigUint64Array.of(bits).buffer)[0]!;

/** The number of a type next to a finite one, up or down. */
function next(type: Real, value: number, up: boolean): number {
  if (value === 0) return realOf(type, 1n) * (up ? 1 : -1);
  const bits = bitsOf(type, value);
  return realOf(type, value > 0 === up ? bits + 1n : bits - 1n);
}

/** A finite number in units of 2^-1074. */
function unitsOf(value: number): bigint {
  const bits = bitsOf('f64', Math.abs(value));
  const field = bits >> 52n;
  const digits = bits & 0xfffffffffffffn;
  const size = field === 0n ? digits : (digits | (1n << 52n)) << (field - 1n);
  return value < 0 ? -size : size;
}

const unit = 1n << 1074n;
type Rows = readonly (readonly number[])[];

/** An operation: whether a result is below, at or above what is exact, as a number with that sign; the plain result in doubles. */
interface Operation {
  readonly operands: number;
  plain(a: number, b: number, c: number): number;
  compare(result: bigint, a: bigint, b: bigint, c: bigint): bigint;
}

const signed = (value: bigint, by: bigint): bigint => (by < 0n ? -value : value);

const operations: Readonly<Record<string, Operation>> = {
  add: { operands: 2, plain: (a, b) => a + b, compare: (r, a, b) => r - (a + b) },
  sub: { operands: 2, plain: (a, b) => a - b, compare: (r, a, b) => r - (a - b) },
  mul: { operands: 2, plain: (a, b) => a * b, compare: (r, a, b) => r * unit - a * b },
  fma: { operands: 3, plain: (a, b, c) => a * b + c, compare: (r, a, b, c) => (r - c) * unit - a * b },
  div: { operands: 2, plain: (a, b) => a / b, compare: (r, a, b) => signed(r * b - a * unit, b) },
  rcp: { operands: 1, plain: (a) => 1 / a, compare: (r, a) => signed(r * a - unit * unit, a) },
  sqrt: { operands: 1, plain: Math.sqrt, compare: (r, a) => r * r - a * unit },
};

/** True when a finite result is the right one of its type for a rounding. */
function isRight(
  type: Real,
  way: string,
  result: number,
  { compare }: Operation,
  row: readonly number[],
): boolean {
  const [a = 0n, b = 0n, c = 0n] = row.map(unitsOf);
  const side = (value: number): bigint => compare(unitsOf(value), a, b, c);
  const at = side(result);
  if (at === 0n) return true;
  const isAbove = at > 0n;
  const other = next(type, result, !isAbove);
  if (way === 'rm') return !isAbove && (!Number.isFinite(other) || side(other) > 0n);
  if (way === 'rp') return isAbove && (!Number.isFinite(other) || side(other) < 0n);
  if (way === 'rz') {
    const isNegative = isAbove ? result <= 0 && !(result === 0 && at < 0n) : result < 0;
    return (
      isNegative === isAbove && (!Number.isFinite(other) || (isAbove ? side(other) < 0n : side(other) > 0n))
    );
  }
  return true;
}

const sizes: Readonly<Record<Real, readonly number[]>> = {
  f32: [0, 1, 3, 0.1, 2 - 2 ** -23, 3 * 2 ** -149, 2 ** -126, 1.7e19, 3.3e38, 1 / 3].map(Math.fround),
  f64: [0, 1, 3, 0.1, 2 - 2 ** -52, 3 * 2 ** -1074, 2 ** -1022, 1.3e154, 1.7e308, 1 / 3],
};

const rowsOf = (type: Real, operands: number): Rows => {
  const values = sizes[type].flatMap((one) => [one, -one]);
  if (operands === 1) return values.map((a) => [a]);
  const pairs = values.flatMap((a) => values.map((b) => [a, b]));
  if (operands === 2) return pairs;
  return pairs.map(([a, b], at) => [a!, b!, values[(5 * at + 3) % values.length]!]);
};

const greatest = { f32: 3.4028234663852886e38, f64: Number.MAX_VALUE } as const;

describe.each(['f32', 'f64'] as const)('on .%s', (type) => {
  test.each(Object.entries(operations))('%s is rounded to the side that it names', (base, operation) => {
    const rows = rowsOf(type, operation.operands);
    const ways = ['rn', 'rz', 'rm', 'rp'];
    const lines = ways.map(
      (way) =>
        `${base}.${way}.${type} ${['%d', '%a', '%b', '%c'].slice(0, operation.operands + 1).join(', ')};`,
    );
    const bits = rows.map((row) => row.map((one) => bitsOf(type, one)));
    const found = resultsOfAll(
      lines,
      rows[0]!.map(() => type),
      type,
      bits,
    );
    for (const [at, way] of ways.entries())
      for (const [row, values] of rows.entries()) {
        const result = realOf(type, found[at]![row]!);
        const [a = 0, b = 0, c = 0] = values;
        const plain = operation.plain(a, b, c);
        const told = { line: lines[at], values, result };
        if (Number.isNaN(plain) || (base === 'div' && b === 0) || (base === 'rcp' && a === 0))
          expect(told).toEqual({ ...told, result: plain });
        else if (Number.isFinite(result))
          expect({ ...told, right: isRight(type, way, result, operation, values) }).toEqual({
            ...told,
            right: true,
          });
        // Infinity is for what is beyond the greatest number, unless it is rounded the other way.
        else
          expect({
            ...told,
            beyond: Math.abs(plain) > greatest[type] && way !== 'rz' && way !== (result > 0 ? 'rm' : 'rp'),
          }).toEqual({ ...told, beyond: true });
      }
  });

  test('what cancels out is -0 where it is rounded down, else 0', () => {
    const ways = ['rn', 'rz', 'rm', 'rp'];
    const row = [[bitsOf(type, 3), bitsOf(type, -3)]];
    const sums = resultsOfAll(
      ways.map((way) => `add.${way}.${type} %d, %a, %b;`),
      [type, type],
      type,
      row,
    );
    const fused = resultsOfAll(
      ways.map((way) => `fma.${way}.${type} %d, %a, %b, 9.0;`),
      [type, type],
      type,
      row,
    );

    expect(sums.map(([one]) => realOf(type, one!))).toEqual([0, 0, -0, 0]);
    expect(fused.map(([one]) => realOf(type, one!))).toEqual([0, 0, -0, 0]);
  });
});

test('constants are rounded to their type before they are used', () => {
  const row = [[bitsOf('f32', 1)]];
  const [sum, product] = resultsOfAll(
    ['add.f32 %d, %a, 1.1;', 'mul.rp.f32 %d, %a, 0.1;'],
    ['f32'],
    'f32',
    row,
  );

  expect(realOf('f32', sum![0]!)).toBe(Math.fround(1 + Math.fround(1.1)));
  expect(realOf('f32', product![0]!)).toBe(Math.fround(0.1));
  const moved = resultsOfAll(
    ['mov.f32 %d, 1.5;', 'mov.f32 %d, -0f40000000;', 'mov.f32 %d, 3;', 'mov.f32 %d, 1e3;'],
    ['f32'],
    'f32',
    row,
  );
  expect(moved.map(([one]) => realOf('f32', one!))).toEqual([1.5, -2, 3, 1000]);
  const wide = resultsOfAll(
    ['mov.f64 %d, 1.1;', 'mov.f64 %d, 7;', 'add.f64 %d, %a, 0d3FF0000000000000;'],
    ['f64'],
    'f64',
    [[bitsOf('f64', 2)]],
  );
  expect(wide.map(([one]) => realOf('f64', one!))).toEqual([1.1, 7, 3]);
});

describe('.ftz', () => {
  const tiny = 2 ** -130;
  const small = [tiny, -tiny, 0, 1, -1];
  const rows = small.flatMap((a) => small.map((b) => [a, b]));
  const bits = rows.map((row) => row.map((one) => bitsOf('f32', one)));
  const flushed = (value: number): number => (Math.abs(value) < 2 ** -126 ? value * 0 : value);

  test('takes operands and results that are too small for zeros of their sign', () => {
    const cases: readonly [string, (a: number, b: number) => number][] = [
      ['add.ftz.f32 %d, %a, %b;', (a, b) => a + b],
      ['sub.rn.ftz.f32 %d, %a, %b;', (a, b) => a - b],
      ['mul.ftz.f32 %d, %a, 0f00800000;', (a) => a * 2 ** -126],
      ['min.ftz.f32 %d, %a, %b;', Math.min],
      ['max.ftz.f32 %d, %a, %b;', Math.max],
      ['abs.ftz.f32 %d, %a;', Math.abs],
      ['neg.ftz.f32 %d, %a;', (a) => -a],
      ['fma.rn.ftz.f32 %d, %a, %b, %a;', (a, b) => a * b + a],
      ['rcp.approx.ftz.f32 %d, %a;', (a) => 1 / a],
      ['sqrt.rn.ftz.f32 %d, %a;', Math.sqrt],
      ['cvt.ftz.f32.f32 %d, %a;', (a) => a],
      ['set.lt.ftz.f32.f32 %d, %a, %b;', (a, b) => (a < b ? 1 : 0)],
      ['set.ne.ftz.f32.f32 %d, %a, %b;', (a, b) => (a === b ? 0 : 1)],
      ['setp.eq.ftz.f32 %q, %a, %b; selp.f32 %d, 1.0, 0.0, %q;', (a, b) => (a === b ? 1 : 0)],
      ['setp.gt.ftz.f32 %q, %a, %b; selp.f32 %d, 1.0, 0.0, %q;', (a, b) => (a > b ? 1 : 0)],
      ['slct.ftz.f32.f32 %d, 2.0, 3.0, %a;', (a) => (a >= 0 ? 2 : 3)],
      // Without it nothing is lost.
      ['setp.eq.f32 %q, %a, 0f00000000; selp.f32 %d, 1.0, %b, %q;', () => Number.NaN],
    ];
    const found = resultsOfAll(
      cases.map(([line]) => line),
      ['f32', 'f32'],
      'f32',
      bits,
    );
    for (const [at, [line, make]] of cases.slice(0, -1).entries())
      expect({ line, all: found[at]!.map((one) => realOf('f32', one)) }).toEqual({
        line,
        all: rows.map(([a, b]) => flushed(Math.fround(make(flushed(a!), flushed(b!))))),
      });
    expect(found.at(-1)!.map((one) => realOf('f32', one))).toEqual(rows.map(([a, b]) => (a === 0 ? 1 : b!)));
  });
});

test('min and max with .NaN give none where an operand is none', () => {
  const row = [[bitsOf('f32', Number.NaN), bitsOf('f32', 2)]];
  const lines = [
    'min.NaN.f32 %d, %a, %b;',
    'max.NaN.f32 %d, %b, %a;',
    'min.f32 %d, %a, %b;',
    'max.NaN.f32 %d, %b, 3.0;',
  ];

  expect(resultsOfAll(lines, ['f32', 'f32'], 'f32', row).map(([one]) => realOf('f32', one!))).toEqual([
    NaN,
    NaN,
    2,
    3,
  ]);
});
