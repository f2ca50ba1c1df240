import { describe, expect, test } from 'vitest';
import { definitionOf, formOf, misfitOf } from '../../actors/chiplet/ptx/instruction-set.ts';
import { LaneWriter } from '../../actors/chiplet/ptx/lane-writer.ts';
import type { ResolvedOperand } from '../../actors/chiplet/ptx/resolved.ts';
import { bitsOf, isReal, isSigned, type ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { resultsOfAll } from './one-instruction.ts';

/*
 * cvt with every pair of types and every set of words (chiplet specification 7.1), against whole numbers and fractions without bounds. Which words a
 * conversion needs and which it must not have is the rule of PTX: a rounding of reals where one loses digits, a rounding to whole numbers where a
 * real becomes one, neither elsewhere.
 */

const types: readonly ValueType[] = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64', 'f32', 'f64'];
const wholeRoundings = ['rni', 'rzi', 'rmi', 'rpi'];
const realRoundings = ['rn', 'rz', 'rm', 'rp'];

/** The roundings that a conversion may have; `none` where it may do without. */
function roundingsOf(to: ValueType, from: ValueType): readonly string[] {
  if (isReal(from) && !isReal(to)) return wholeRoundings;
  if (!isReal(from) && isReal(to)) return realRoundings;
  if (!isReal(from)) return ['none'];
  if (to === from) return ['none', ...wholeRoundings];
  return to === 'f32' ? realRoundings : ['none'];
}

const sets = ['none', ...wholeRoundings, ...realRoundings].flatMap((rounding) =>
  [false, true].flatMap((ftz) => [false, true].map((sat) => ({ rounding, ftz, sat }))),
);
type Words = (typeof sets)[number];

const isAllowed = (to: ValueType, from: ValueType, { rounding, ftz }: Words): boolean =>
  roundingsOf(to, from).includes(rounding) && (!ftz || to === 'f32' || from === 'f32');

const written = (to: ValueType, from: ValueType, { rounding, ftz, sat }: Words): string =>
  [
    'cvt',
    ...(rounding === 'none' ? [] : [rounding]),
    ...(ftz ? ['ftz'] : []),
    ...(sat ? ['sat'] : []),
    to,
    from,
  ].join('.');

test('each of 3600 forms is there or is refused, as PTX says', () => {
  const register = (type: ValueType): ResolvedOperand => ({
    kind: 'register',
    register: { name: '%x', type: bitsOf(type) < 16 ? 'b16' : type, number: 0, slot: 0, special: false },
  });
  for (const to of types)
    for (const from of types)
      for (const words of sets) {
        const text = written(to, from, words);
        const form = formOf(text.split('.'));
        const definition = definitionOf('cvt')!;
        let accepted = misfitOf(form, definition) === undefined;
        try {
          definition.lower(new LaneWriter(), form, [register(to), register(from)]);
        } catch {
          accepted = false;
        }

        expect({ text, accepted }).toEqual({ text, accepted: isAllowed(to, from, words) });
      }
});

/** A value: a whole number of `scale`-ths, or one of the three that are none. */
type Exact = bigint | 'nan' | '+inf' | '-inf';
const scale = 1100n;
const one = 1n << scale;

const formats = {
  f32: { fraction: 23n, least: -149n, width: 32n },
  f64: { fraction: 52n, least: -1074n, width: 64n },
};

function exactOf(type: ValueType, bits: bigint): Exact {
  if (!isReal(type)) return bits * one;
  const { fraction, least, width } = formats[type as 'f32' | 'f64'];
  const negative = bits >> (width - 1n) === 1n;
  const field = (bits >> fraction) & ((1n << (width - 1n - fraction)) - 1n);
  const digits = bits & ((1n << fraction) - 1n);
  if (field === (1n << (width - 1n - fraction)) - 1n)
    return digits !== 0n ? 'nan' : negative ? '-inf' : '+inf';
  const whole = field === 0n ? digits : digits | (1n << fraction);
  const size = whole << (scale + least + (field === 0n ? 0n : field - 1n));
  return negative ? -size : size;
}

/** A multiple of `unit` for a number, by the last letter of a rounding: n to nearest, z, m, p. */
function multiple(value: bigint, unit: bigint, way: string): bigint {
  let below = value / unit;
  if (value < 0n && below * unit !== value) below -= 1n;
  const rest = value - below * unit;
  if (rest === 0n) return value;
  const up =
    way === 'p' ||
    (way === 'z' && value < 0n) ||
    (way === 'n' && (2n * rest > unit || (2n * rest === unit && below % 2n !== 0n)));
  return (below + (up ? 1n : 0n)) * unit;
}

/** The bits of a real for a number that is rounded to it; `negative` for the sign of a zero. */
function realBits(type: 'f32' | 'f64', value: Exact, way: string, negative: boolean): bigint {
  const { fraction, least, width } = formats[type];
  const exponents = (1n << (width - 1n - fraction)) - 1n;
  const sign = negative ? 1n << (width - 1n) : 0n;
  if (value === 'nan') return -1n;
  if (typeof value === 'string') return sign | (exponents << fraction);
  const size = value < 0n ? -value : value;
  const top = BigInt(size.toString(2).length) - 1n - scale;
  const last = top - fraction > least ? top - fraction : least;
  const rounded = multiple(value, 1n << (scale + last), way);
  const kept = (rounded < 0n ? -rounded : rounded) >> (scale + least);
  let field = 0n;
  let digits = kept;
  while (digits >= 1n << (fraction + 1n)) {
    digits >>= 1n;
    field += 1n;
  }
  // What is too large ends at the greatest number when it is rounded towards zero, else at infinity.
  const bits = digits < 1n << fraction ? digits : ((field + 1n) << fraction) | (digits - (1n << fraction));
  if (bits < exponents << fraction) return sign | bits;
  const stops = way === 'z' || way === (negative ? 'p' : 'm');
  return sign | (stops ? (exponents << fraction) - 1n : exponents << fraction);
}

const leastNormal = one >> 126n;

/** What a conversion gives: the bits of its result, -1 for any that is no number. */
function meaning(to: ValueType, from: ValueType, { rounding, ftz, sat }: Words, bits: bigint): bigint {
  let value = exactOf(from, bits);
  let negative = isReal(from) ? bits >> BigInt(bitsOf(from) - 1) === 1n : bits < 0n;
  const flushed = (size: Exact): Exact =>
    typeof size === 'bigint' && (size < 0n ? -size : size) < leastNormal ? 0n : size;
  if (ftz && from === 'f32') value = flushed(value);
  const way = rounding[1] ?? 'n';
  if (rounding.endsWith('i') && typeof value === 'bigint') value = multiple(value, one, way);
  if (isReal(to)) {
    if (sat) {
      if (value === 'nan' || value === '-inf' || (typeof value === 'bigint' && value <= 0n)) value = 0n;
      else if (value === '+inf' || value > one) value = one;
      negative = false;
    }
    const type = to as 'f32' | 'f64';
    const found = realBits(type, value, way, negative);
    if (!ftz || to !== 'f32' || value === 'nan') return found;
    return (found & 0x7f800000n) === 0n ? found & 0x80000000n : found;
  }
  const width = BigInt(bitsOf(to));
  const [least, most] = isSigned(to)
    ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
    : [0n, (1n << width) - 1n];
  const cut = (whole: bigint): bigint =>
    isSigned(to) ? BigInt.asIntN(Number(width), whole) : BigInt.asUintN(Number(width), whole);
  // PTX: no number becomes 0, or 2^(bits - 1) where a type of 64 bits takes part.
  if (value === 'nan') return from === 'f64' || width === 64n ? cut(1n << (width - 1n)) : 0n;
  if (typeof value === 'string') return value === '+inf' ? most : least;
  const whole = value / one;
  if (!isReal(from) && !sat) return cut(whole);
  return whole < least ? least : whole > most ? most : whole;
}

const bitsOfReal = (type: ValueType, value: number): bigint =>
  type === 'f32'
    ? BigInt(new Uint32Array(Float32Array.of(value).buffer)[0]!)
    : new BigUint64Array(Float64Array.of(value).buffer)[0]!;

/** Edges of every type, and what lies between two of a narrower one. */
function operandsOf(from: ValueType): readonly bigint[] {
  const width = BigInt(bitsOf(from));
  if (!isReal(from)) {
    const [least, most] = isSigned(from)
      ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
      : [0n, (1n << width) - 1n];
    const powers = Array.from({ length: Number(width) }, (_, at) => 1n << BigInt(at));
    const near = powers.flatMap((power) => [
      power - 1n,
      power,
      power + 1n,
      power + (power >> 24n) + 1n,
      -power,
      -power - 1n,
      power + (power >> 24n) - 1n,
    ]);
    return [...new Set([least, least + 1n, most, most - 1n, 0n, ...near])].filter(
      (value) => value >= least && value <= most,
    );
  }
  const sizes = [
    0,
    0.5,
    1.5,
    2.5,
    0.49999997,
    0.75,
    1,
    126.5,
    127.5,
    128,
    255.5,
    256,
    32767.5,
    32768,
    65535.5,
    65536.5,
    8388609.5,
    16777217,
    2147483647.5,
    2147483648,
    4294967295.5,
    4294967296,
    2 ** 53 + 2,
    2 ** 63,
    2 ** 63 - 1024,
    2 ** 64,
    2 ** 64 - 2048,
    1e30,
    3.4028236e38,
    3.4028235677973366e38,
    1e300,
    2 ** -126,
    2 ** -127,
    2 ** -149,
    2 ** -150,
    1.5 * 2 ** -150,
    2 ** -1074,
    0.1,
    1 + 2 ** -24,
    1 + 3 * 2 ** -24,
    1 + 2 ** -23,
    1 + 2 ** -52,
    Infinity,
    NaN,
  ];
  return [...new Set(sizes.flatMap((size) => [size, -size]).map((value) => bitsOfReal(from, value)))];
}

/** Everything that is no number is one result. */
const normalized = (type: ValueType, bits: bigint): bigint =>
  isReal(type) && exactOf(type, bits) === 'nan' ? -1n : bits;

describe.each(types)('from .%s', (from) => {
  const operands = operandsOf(from);

  test.each(types)('to .%s each form gives what fractions give', (to) => {
    const forms = sets.filter((words) => isAllowed(to, from, words));
    const lines = forms.map((words) => `${written(to, from, words)} %d, %a;`);
    const found = resultsOfAll(
      lines,
      [from],
      to,
      operands.map((bits) => [bits]),
    );
    for (const [at, line] of lines.entries()) {
      const results = found[at]!.map((bits) => normalized(to, bits));
      const expected = operands.map((bits) => meaning(to, from, forms[at]!, bits));
      for (const [row, bits] of operands.entries())
        if (results[row] !== expected[row])
          expect({ line, bits, result: results[row] }).toEqual({ line, bits, result: expected[row] });
    }
  });
});

test('registers may be wider than the types of a conversion', () => {
  const rows = [0x1_2345_6789n, 0xffff_ff80n, 0x8000_80ffn, 127n, 0x7fff_ffff_ffff_ffffn].map((one) => [one]);
  const low = (width: number, signed: boolean) => (value: bigint) =>
    signed ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  const cases = (['u8', 's8', 'u16', 's16', 'u32', 's32'] as const).flatMap((from) =>
    (['u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64'] as const).map((to) => [to, from] as const),
  );
  const found = resultsOfAll(
    cases.map(([to, from]) => `cvt.${to}.${from} %d, %a;`),
    ['b64'],
    's64',
    rows,
  );
  for (const [at, [to, from]] of cases.entries())
    expect({ line: `cvt.${to}.${from}`, d: found[at] }).toEqual({
      line: `cvt.${to}.${from}`,
      d: rows.map(([value]) =>
        BigInt.asIntN(64, low(bitsOf(to), isSigned(to))(low(bitsOf(from), isSigned(from))(value!))),
      ),
    });
});
