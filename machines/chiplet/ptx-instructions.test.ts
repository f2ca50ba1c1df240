import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import type { ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { bitsOf, isSigned } from '../../actors/chiplet/ptx/value-type.ts';
import { runCase } from './gpu-case.ts';
import { kernelText, resultsOf } from './one-instruction.ts';

/*
 * Instructions one by one against whole numbers without bounds: operands from buffers, a thread each, the result into a buffer.
 */

const wholeOf = (type: ValueType): fc.Arbitrary<bigint> => {
  const width = BigInt(bitsOf(type));
  const [least, most] = isSigned(type)
    ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
    : [0n, (1n << width) - 1n];
  return fc.oneof(
    fc.bigInt({ min: least, max: most }),
    fc.constantFrom(least, most, 0n, 1n, 2n, most - 1n, most >> (width / 2n)),
  );
};

const cut = (type: ValueType, value: bigint): bigint =>
  isSigned(type) ? BigInt.asIntN(bitsOf(type), value) : BigInt.asUintN(bitsOf(type), value);

type Meaning = (a: bigint, b: bigint, c: bigint) => bigint;

const expectMeaning = (
  line: string,
  sources: readonly ValueType[],
  result: ValueType,
  meaning: Meaning,
): void => {
  fc.assert(
    fc.property(fc.array(fc.tuple(...sources.map(wholeOf)), { minLength: 40, maxLength: 40 }), (rows) => {
      const found = resultsOf(line, sources, result, rows);
      for (const [at, [a = 0n, b = 0n, c = 0n]] of rows.entries())
        expect({ line, a, b, c, d: found[at] }).toEqual({ line, a, b, c, d: cut(result, meaning(a, b, c)) });
    }),
    { numRuns: 6, seed: 11 },
  );
};

const types: readonly ValueType[] = ['u16', 's16', 'u32', 's32', 'u64', 's64'];
const wider: Partial<Record<ValueType, ValueType>> = { u16: 'u32', s16: 's32', u32: 'u64', s32: 's64' };

const binary: Readonly<Record<string, (type: ValueType) => Meaning>> = {
  add: () => (a, b) => a + b,
  sub: () => (a, b) => a - b,
  'mul.lo': () => (a, b) => a * b,
  'mul.hi': (type) => (a, b) => (a * b) >> BigInt(bitsOf(type)),
  div: () => (a, b) => (b === 0n ? -1n : a / b),
  rem: () => (a, b) => (b === 0n ? -1n : a % b),
  min: () => (a, b) => (a < b ? a : b),
  max: () => (a, b) => (a > b ? a : b),
};

test.each(Object.keys(binary).flatMap((base) => types.map((type) => [base, type] as const)))(
  '%s.%s is what whole numbers give',
  (base, type) => expectMeaning(`${base}.${type} %d, %a, %b;`, [type, type], type, binary[base]!(type)),
);

test.each(types)('mad.lo.%s adds to the low half of the product', (type) =>
  expectMeaning(`mad.lo.${type} %d, %a, %b, %c;`, [type, type, type], type, (a, b, c) => a * b + c),
);

test.each(Object.entries(wider))('mul.wide and mad.wide of .%s give the whole product in .%s', (from, to) => {
  const [type, result] = [from as ValueType, to];
  expectMeaning(`mul.wide.${type} %d, %a, %b;`, [type, type], result, (a, b) => a * b);
  expectMeaning(`mad.wide.${type} %d, %a, %b, %c;`, [type, type, result], result, (a, b, c) => a * b + c);
});

test.each(['b16', 'b32', 'b64'] as const)('and, or, xor, not of .%s work bit by bit', (type) => {
  expectMeaning(`and.${type} %d, %a, %b;`, [type, type], type, (a, b) => a & b);
  expectMeaning(`or.${type} %d, %a, %b;`, [type, type], type, (a, b) => a | b);
  expectMeaning(`xor.${type} %d, %a, %b;`, [type, type], type, (a, b) => a ^ b);
  expectMeaning(`not.${type} %d, %a;`, [type], type, (a) => ~a);
});

test.each(types)('shifts of .%s stop at the width', (type) => {
  const width = BigInt(bitsOf(type));
  const held = (amount: bigint): bigint => (amount > width ? width : amount);
  expectMeaning(
    `and.b32 %b, %b, 127; shr.${type} %d, %a, %b;`,
    [type, 'u32'],
    type,
    (a, b) => a >> held(b & 127n),
  );
  if (!isSigned(type))
    expectMeaning(
      `and.b32 %b, %b, 127; shl.b${width} %d, %a, %b;`,
      [type, 'u32'],
      type,
      (a, b) => a << held(b & 127n),
    );
});

test.each(['s16', 's32', 's64'] as const)('neg and abs of .%s wrap at the least number', (type) => {
  expectMeaning(`neg.${type} %d, %a;`, [type], type, (a) => -a);
  expectMeaning(`abs.${type} %d, %a;`, [type], type, (a) => (a < 0n ? -a : a));
});

const ones = (value: bigint): bigint => BigInt([...value.toString(2)].filter((one) => one === '1').length);

test.each(['b32', 'b64'] as const)('popc, clz, brev of .%s count bits', (type) => {
  const width = bitsOf(type);
  expectMeaning(`popc.${type} %d, %a;`, [type], 'u32', ones);
  expectMeaning(`clz.${type} %d, %a;`, [type], 'u32', (a) =>
    BigInt(a === 0n ? width : width - a.toString(2).length),
  );
  expectMeaning(`brev.${type} %d, %a;`, [type], type, (a) =>
    BigInt(`0b${[...a.toString(2).padStart(width, '0')].reverse().join('')}`),
  );
});

test.each(['u32', 's32', 'u64', 's64'] as const)('bfe.%s takes a field and extends it', (type) => {
  const width = bitsOf(type);
  for (const [first, count] of [
    [0, 0],
    [3, 5],
    [width - 4, 9],
    [0, width],
    [width + 3, 2],
  ] as const)
    expectMeaning(`bfe.${type} %d, %a, ${first}, ${count};`, [type], type, (a) => {
      if (count === 0) return 0n;
      // A signed number goes on with its sign beyond its bits, an unsigned one with zeros.
      const field = BigInt.asUintN(count, a >> BigInt(first));
      return isSigned(type) ? BigInt.asIntN(count, field) : field;
    });
});

test.each(['b32', 'b64'] as const)('bfi.%s puts a field into another number', (type) => {
  for (const [first, count] of [
    [0, 0],
    [5, 7],
    [bitsOf(type) - 3, 8],
  ] as const)
    expectMeaning(`bfi.${type} %d, %a, %b, ${first}, ${count};`, [type, type], type, (a, b) => {
      const mask = ((1n << BigInt(count)) - 1n) << BigInt(first);
      return (b & ~mask) | ((a << BigInt(first)) & mask);
    });
});

const compares: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

test.each(types)('setp and selp of .%s order numbers', (type) => {
  for (const [word, holds] of Object.entries(compares))
    expectMeaning(
      `setp.${word}.${type} %q, %a, %b; selp.${type} %d, %a, %b, %q;`,
      [type, type],
      type,
      (a, b) => (holds(a, b) ? a : b),
    );
});

test('setp joins with another predicate, and its second result is the opposite', () => {
  const line =
    'setp.ne.u32 %q, %c, 0; setp.lt.and.u32 %r|%q, %a, %b, %q; selp.u32 %a, 1, 0, %r; selp.u32 %b, 2, 0, %q; add.u32 %d, %a, %b;';
  expectMeaning(
    line,
    ['u32', 'u32', 'u32'],
    'u32',
    (a, b, c) => (a < b && c !== 0n ? 1n : 0n) + (a >= b && c !== 0n ? 2n : 0n),
  );
});

test.each(types.flatMap((from) => types.map((to) => [to, from] as const)))(
  'cvt.%s.%s cuts and extends',
  (to, from) => {
    expectMeaning(`cvt.${to}.${from} %d, %a;`, [from], to, (a) => a);
  },
);

test.each(
  types.flatMap((from) =>
    types.filter((to) => bitsOf(to) < 64 && bitsOf(from) < 64).map((to) => [to, from] as const),
  ),
)('cvt.sat.%s.%s holds numbers within the type', (to, from) => {
  const width = BigInt(bitsOf(to));
  const [least, most] = isSigned(to)
    ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n]
    : [0n, (1n << width) - 1n];
  expectMeaning(`cvt.sat.${to}.${from} %d, %a;`, [from], to, (a) =>
    a < least ? least : a > most ? most : a,
  );
});

test('additions with carry make numbers of 64 bits', () => {
  const text = kernelText(
    'mov.b64 {%x0, %x1}, %a; mov.b64 {%y0, %y1}, %b; add.cc.u32 %z0, %x0, %y0; addc.u32 %z1, %x1, %y1; mov.b64 %d, {%z0, %z1};',
    ['u64', 'u64'],
    'u64',
  ).replace('.reg .b32 %t;', '.reg .b32 %t, %x<2>, %y<2>, %z<2>;');
  for (const opcode of ['auto', 'off'] as const) {
    const program = compilePtx([{ file: 'carry.ptx', text }], { messageOpcode: opcode });
    const outcome = runCase(program, program.kernels.get('one')!, {
      name: 'carry',
      entry: 'one',
      grid: [1, 1, 1],
      block: [1, 1, 1],
      params: [{ ptr: 'p0' }, { ptr: 'p1' }, { ptr: 'p2' }],
      buffers: {
        p0: { type: 'u32', data: [0xffffffff, 1] },
        p1: { type: 'u32', data: [2, 5] },
        p2: { type: 'u32', data: [0, 0] },
      },
    });

    const { p2 } = outcome.buffers;
    expect(p2).toEqual([1, 7]);
    expect(outcome.sent).toEqual([]);
  }
});
