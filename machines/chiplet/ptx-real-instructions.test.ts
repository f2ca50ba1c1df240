import { describe, expect, test } from 'vitest';
import type { ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { bitsOf, isReal, isSigned } from '../../actors/chiplet/ptx/value-type.ts';
import { resultsOf } from './one-instruction.ts';

/*
 * Instructions on reals and conversions (chiplet specification 7.1), one by one, against the arithmetic of doubles: sums, products, quotients and roots
 * of singles are the same whether they are rounded once or by way of a double.
 */

type Real = 'f32' | 'f64';

const bitsOfReal = (type: ValueType, value: number): bigint =>
  type === 'f32'
    ? BigInt(new Uint32Array(Float32Array.of(value).buffer)[0]!)
    : new BigUint64Array(Float64Array.of(value).buffer)[0]!;
const realOfBits = (type: ValueType, bits: bigint): number =>
  type === 'f32'
    ? new Float32Array(Uint32Array.of(Number(bits)).buffer)[0]!
    : new Float64Array(BigUint64Array.of(bits).buffer)[0]!;

/** What a line gives for rows of numbers. */
function found(
  line: string,
  sources: readonly ValueType[],
  result: ValueType,
  rows: readonly (readonly number[])[],
) {
  const bits = rows.map((row) =>
    row
      .slice(0, sources.length)
      .map((value, at) => (isReal(sources[at]!) ? bitsOfReal(sources[at]!, value) : BigInt(value))),
  );
  return resultsOf(line, sources, result, bits).map((one) =>
    isReal(result) ? realOfBits(result, one) : Number(one),
  );
}

const rounded = (type: Real, value: number): number => (type === 'f32' ? Math.fround(value) : value);

const tiny = { f32: 2 ** -149, f64: 2 ** -1074 } as const;
const samples = (type: Real): readonly number[] =>
  [0, -0, 1, -1, 0.5, -2.75, 3.25, 1e10, -1e-10, 7, 1e30, tiny[type], Infinity, -Infinity, NaN].map((one) =>
    rounded(type, one),
  );
const pairs = (type: Real): readonly (readonly number[])[] =>
  samples(type).flatMap((a) => samples(type).map((b) => [a, b]));

/** Zeros of either sign are apart, all that are no numbers are one. */
const expectSame = (
  line: string,
  rows: readonly (readonly number[])[],
  one: readonly number[],
  all: readonly number[],
) => {
  for (const [at, row] of rows.entries())
    if (!Object.is(one[at], all[at]))
      expect({ line, row, found: one[at] }).toEqual({ line, row, found: all[at] });
};

const twos: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  'add.rn': (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  'div.rn': (a, b) => a / b,
};

const firstOf = (a: number, b: number, isFirst: boolean): number =>
  Number.isNaN(a) ? b : Number.isNaN(b) ? a : isFirst ? a : b;

describe.each(['f32', 'f64'] as const)('on .%s', (type) => {
  const rows = pairs(type);

  test.each(Object.entries(twos))('%s rounds once', (base, meaning) => {
    const line = `${base}.${type} %d, %a, %b;`;
    const expected = rows.map(([a, b]) => rounded(type, meaning(a!, b!)));

    expectSame(line, rows, found(line, [type, type], type, rows), expected);
  });

  test('min and max give the number where the other is none', () => {
    for (const [base, least] of [
      ['min', true],
      ['max', false],
    ] as const) {
      const given = rows.filter(([a, b]) => a !== b || a !== 0);
      const line = `${base}.${type} %d, %a, %b;`;
      const expected = given.map(([a, b]) => firstOf(a!, b!, least ? a! < b! : a! > b!));

      expectSame(line, given, found(line, [type, type], type, given), expected);
    }
  });

  test('neg, abs and sqrt', () => {
    const ones = samples(type).map((one) => [one]);
    for (const [base, meaning] of [
      ['neg', (a: number) => -a],
      ['abs', Math.abs],
      ['sqrt.rn', Math.sqrt],
    ] as const) {
      const line = `${base}.${type} %d, %a;`;
      expectSame(
        line,
        ones,
        found(line, [type], type, ones),
        samples(type).map((one) => rounded(type, meaning(one))),
      );
    }
  });

  test('fma rounds once', () => {
    // The square is 1 + 2 u + u^2, of which a rounding before the sum would lose u^2.
    const u = type === 'f32' ? 2 ** -12 : 2 ** -27;
    const line = `fma.rn.${type} %d, %a, %b, %c;`;
    const given = [
      [1 + u, 1 + u, -1],
      [3, 5, 7],
      [-2, 0.5, 1],
      [Infinity, 0, 1],
    ];

    expectSame(line, given, found(line, [type, type, type], type, given), [2 * u + u * u, 22, 0, NaN]);
  });

  test('what is no number has the same bits, whatever it comes of and however often', () => {
    const rows = [
      [Infinity, -Infinity],
      [0, Infinity],
      [NaN, 1],
      [-1, NaN],
    ].map((row) => row.map((one) => bitsOfReal(type, one)));
    // As an H100: of 64 bits an operand that is no number goes on.
    const made = type === 'f32' ? 0x7fff_ffffn : 0xfff8n << 48n;
    const [taken, none] = type === 'f32' ? [made, made] : [0x7ff8n << 48n, made];
    for (const name of ['add', 'sub', 'mul', 'div.rn']) {
      const line = `${name}.${type} %d, %a, %b;`;
      for (let round = 0; round < 20; round++)
        for (const [at, bits] of resultsOf(line, [type, type], type, rows).entries()) {
          const value = twos[name]!(realOfBits(type, rows[at]![0]!), realOfBits(type, rows[at]![1]!));
          if (Number.isNaN(value)) expect(bits, `${line} ${at}`).toBe(at < 2 ? none : taken);
        }
    }
  });

  const orders: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    eq: (a, b) => a === b,
    ne: (a, b) => a < b || a > b,
    lt: (a, b) => a < b,
    le: (a, b) => a <= b,
    gt: (a, b) => a > b,
    ge: (a, b) => a >= b,
    equ: (a, b) => !(a < b || a > b),
    neu: (a, b) => a !== b,
    ltu: (a, b) => !(a >= b),
    leu: (a, b) => !(a > b),
    gtu: (a, b) => !(a <= b),
    geu: (a, b) => !(a < b),
    num: (a, b) => !Number.isNaN(a + b) || (!Number.isNaN(a) && !Number.isNaN(b)),
    nan: (a, b) => Number.isNaN(a) || Number.isNaN(b),
  };

  test.each(Object.entries(orders))('setp.%s asks of numbers and of what is none', (word, holds) => {
    const line = `setp.${word}.${type} %q, %a, %b; selp.u32 %d, 1, 0, %q;`;

    expectSame(
      line,
      rows,
      found(line, [type, type], 'u32', rows),
      rows.map(([a, b]) => (holds(a!, b!) ? 1 : 0)),
    );
  });

  test('selp and mov keep all bits', () => {
    const line = `setp.eq.${type} %q, %b, 1.0; selp.${type} %a, %a, %b, %q; mov.${type} %d, %a;`;

    expectSame(
      line,
      rows,
      found(line, [type, type], type, rows),
      rows.map(([a, b]) => (b === 1 ? a! : b!)),
    );
  });
});

describe('modifiers and approximations', () => {
  test('.sat holds results between 0 and 1, .ftz takes what is too small for zero', () => {
    const given = [
      [0.25, 0.5],
      [2, 3],
      [-4, 1],
      [NaN, 1],
    ];
    expect(found('add.sat.f32 %d, %a, %b;', ['f32', 'f32'], 'f32', given)).toEqual([0.75, 1, 0, 0]);
    expect(found('mul.sat.f32 %d, %a, %b;', ['f32', 'f32'], 'f32', given)).toEqual([0.125, 1, 0, 0]);
    expect(found('fma.rn.sat.f32 %d, %a, %b, %b;', ['f32', 'f32'], 'f32', given)).toEqual([0.625, 1, 0, 0]);
    const small = [
      [2 ** -130, 2 ** -131],
      [2 ** -126, 2 ** -130],
      [-(2 ** -130), 0],
    ];
    expectSame('add.ftz', small, found('add.ftz.f32 %d, %a, %b;', ['f32', 'f32'], 'f32', small), [
      0,
      2 ** -126,
      0,
    ]);
    expect(found('add.f32 %d, %a, %b;', ['f32', 'f32'], 'f32', small)[0]).toBe(2 ** -130 + 2 ** -131);
  });

  test.each<[string, (a: number) => number]>([
    ['rcp.rn.f32', (a) => 1 / a],
    ['rcp.approx.ftz.f32', (a) => 1 / a],
    ['sqrt.approx.f32', Math.sqrt],
    ['rsqrt.approx.f32', (a) => 1 / Math.sqrt(a)],
    ['ex2.approx.f32', (a) => 2 ** a],
    ['lg2.approx.f32', Math.log2],
    ['sin.approx.f32', Math.sin],
    ['cos.approx.f32', Math.cos],
  ])('%s is right to 2e-7', (base, meaning) => {
    const given = [0.001, 0.7, 1.5, 3, 9.25, 17].map((one) => [Math.fround(one)]);
    const all = found(`${base} %d, %a;`, ['f32'], 'f32', given);
    for (const [at, [a]] of given.entries()) {
      const right = meaning(a!);
      expect(Math.abs(all[at]! - right)).toBeLessThanOrEqual(2e-7 * Math.max(Math.abs(right), 1e-3));
    }
  });

  test.each<[string, (a: number) => number]>([
    ['rcp.approx.ftz.f64', (a) => 1 / a],
    ['rsqrt.approx.ftz.f64', (a) => 1 / Math.sqrt(a)],
  ])('%s of the upper half is right to 2^-21, and its own lower half is 0', (base, meaning) => {
    const given = [0.001, 0.7, 1.5, 3, 9.25, 2 ** -1030, Number.POSITIVE_INFINITY].map((one) => [one]);
    const all = found(`${base} %d, %a;`, ['f64'], 'f64', given);
    const upper = (a: number): number => {
      const halves = new Uint32Array(new Float64Array([a]).buffer);
      return new Float64Array(new Uint32Array([0, halves[1]!]).buffer)[0]!;
    };
    for (const [at, [a]] of given.slice(0, 5).entries())
      expect(Math.abs(all[at]! / meaning(upper(a!)) - 1)).toBeLessThanOrEqual(2 ** -21);
    expect(all.slice(5)).toEqual([Number.POSITIVE_INFINITY, 0]);
    expect(new BigUint64Array(new Float64Array(all).buffer).every((bits) => bits % 2n ** 32n === 0n)).toBe(
      true,
    );
  });

  test('div.approx and div.full come near the quotient, mad rounds as fma does', () => {
    const given = [[7, 3]];
    for (const base of ['div.approx.f32', 'div.full.f32'])
      expect(found(`${base} %d, %a, %b;`, ['f32', 'f32'], 'f32', given)[0]).toBeCloseTo(7 / 3, 6);
    expect(found('mad.f32 %d, %a, %b, %b;', ['f32', 'f32'], 'f32', given)).toEqual([24]);
  });
});

const toWhole: Readonly<Record<string, (a: number) => number>> = {
  rni: (a) => {
    const low = Math.floor(a);
    return a - low < 0.5 || (a - low === 0.5 && low % 2 === 0) ? low : low + 1;
  },
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
};

const whole: readonly ValueType[] = ['u16', 's16', 'u32', 's32'];

describe('conversions', () => {
  const values = [
    0,
    0.5,
    1.5,
    2.5,
    -0.5,
    -1.5,
    -2.5,
    1.25,
    -1.75,
    70000.5,
    -70000.5,
    1e10,
    -1e10,
    NaN,
    Infinity,
  ];

  test.each((['f32', 'f64'] as const).flatMap((from) => whole.map((to) => [from, to] as const)))(
    'from .%s to .%s round as they say, and stop at the ends of the type',
    (from, to) => {
      const width = bitsOf(to);
      const [least, most] = isSigned(to) ? [-(2 ** (width - 1)), 2 ** (width - 1) - 1] : [0, 2 ** width - 1];
      const given = values.map((one) => [rounded(from, one)]);
      for (const [word, round] of Object.entries(toWhole)) {
        const line = `cvt.${word}.${to}.${from} %d, %a;`;
        // PTX: of a double that is no number the top bit is left, of a single nothing.
        const none = from === 'f32' ? 0 : isSigned(to) ? least : 2 ** (width - 1);
        const expected = given.map(([a]) =>
          Number.isNaN(a) ? none : Math.min(most, Math.max(least, round(a!))) + 0,
        );

        expect({ line, d: found(line, [from], to, given).map((one) => one + 0) }).toEqual({
          line,
          d: expected,
        });
      }
    },
  );

  test.each(['f32', 'f64'] as const)(
    'of .%s to whole numbers of its own type keep the sign of zero',
    (type) => {
      const given = values.slice(0, 11).map((one) => [rounded(type, one)]);
      for (const [word, round] of Object.entries(toWhole)) {
        const line = `cvt.${word}.${type}.${type} %d, %a;`;
        const all = found(line, [type], type, given);
        for (const [at, [a]] of given.entries()) expect(all[at]! + 0).toBe(round(a!) + 0);
      }
    },
  );

  /** The single next to a double in a direction. */
  const single = (value: number, way: string): number => {
    const near = Math.fround(value);
    const bits = new Int32Array(Float32Array.of(near).buffer);
    const away = (by: number): number => new Float32Array(Int32Array.of(bits[0]! + by).buffer)[0]!;
    const up = near > 0 ? 1 : -1;
    if (way === 'rm' && near > value) return away(-up);
    if (way === 'rp' && near < value) return away(up);
    if (way === 'rz' && Math.abs(near) > Math.abs(value)) return away(-1);
    return near;
  };

  test.each(['rn', 'rz', 'rm', 'rp'])('from doubles and whole numbers to singles round by .%s', (way) => {
    const doubles = [1 + 2 ** -24, 1 + 3 * 2 ** -25, -1 - 2 ** -25, 0.1, -0.1, 16777217, 3].map((one) => [
      one,
    ]);
    expect(found(`cvt.${way}.f32.f64 %d, %a;`, ['f64'], 'f32', doubles)).toEqual(
      doubles.map(([a]) => single(a!, way)),
    );
    const integers = [16777217, -16777217, 2147483647, -2147483647, 5].map((one) => [one]);
    expect(found(`cvt.${way}.f32.s32 %d, %a;`, ['s32'], 'f32', integers)).toEqual(
      integers.map(([a]) => single(a!, way)),
    );
    const naturals = [4294967295, 4294967167, 33554433, 0].map((one) => [one]);
    expect(found(`cvt.${way}.f32.u32 %d, %a;`, ['u32'], 'f32', naturals)).toEqual(
      naturals.map(([a]) => single(a!, way)),
    );
  });

  test('from singles to doubles and from whole numbers to doubles are exact', () => {
    expect(found('cvt.f64.f32 %d, %a;', ['f32'], 'f64', [[0.1], [-7]])).toEqual([Math.fround(0.1), -7]);
    expect(found('cvt.rn.f64.s32 %d, %a;', ['s32'], 'f64', [[-2147483648], [12]])).toEqual([-2147483648, 12]);
    expect(found('cvt.rn.f64.u32 %d, %a;', ['u32'], 'f64', [[4294967295]])).toEqual([4294967295]);
  });

  test('of 64 bits go both ways', () => {
    expect(found('cvt.rzi.s64.f64 %d, %a;', ['f64'], 's64', [[-123456789012.7], [9]])).toEqual([
      -123456789012, 9,
    ]);
    expect(found('cvt.rzi.u64.f32 %d, %a;', ['f32'], 'u64', [[-3.5], [2 ** 40]])).toEqual([0, 2 ** 40]);
    expect(found('cvt.rn.f64.s64 %d, %a;', ['s64'], 'f64', [[-9007199254740991]])).toEqual([
      -9007199254740991,
    ]);
    expect(found('cvt.rn.f32.u64 %d, %a;', ['u64'], 'f32', [[2 ** 40 + 1]])).toEqual([2 ** 40]);
  });
});

test('mul24 and mad24 take the lower 24 bits', () => {
  const given = [
    [0x01000003, 5, 9],
    [0x00ffffff, 0x00ffffff, 1],
  ];
  const low = (a: number): number => a % 2 ** 24;
  const product = ([a, b]: readonly number[]): number =>
    Number((BigInt(low(a!)) * BigInt(low(b!))) % 2n ** 32n);
  expect(found('mul24.lo.u32 %d, %a, %b;', ['u32', 'u32'], 'u32', given)).toEqual(given.map(product));
  expect(found('mad24.lo.u32 %d, %a, %b, %c;', ['u32', 'u32', 'u32'], 'u32', given)).toEqual(
    given.map((row) => (product(row) + row[2]!) % 2 ** 32),
  );
  expect(
    found('mul24.lo.s32 %d, %a, %b;', ['s32', 's32'], 's32', [
      [-7, 3],
      [0x00ffffff, 2],
    ]),
  ).toEqual([-21, -2]);
});
