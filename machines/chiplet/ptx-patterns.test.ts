import { describe, expect, test } from 'vitest';
import { isSigned, type ValueType, bitsOf as widthOf } from '../../actors/chiplet/ptx/value-type.ts';
import { resultsOfAll } from './one-instruction.ts';

/*
 * Instructions on patterns of bits, and what is seldom asked of integers (chiplet specification 7.1 and what compilers emit beside its table), against
 * whole numbers without bounds.
 */

/** Numbers that look arbitrary, always the same ones. */
function words(count: number, width: number, begin: bigint): readonly bigint[] {
  let state = begin;
  return Array.from({ length: count }, () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % (1n << 64n);
    return BigInt.asUintN(width, state >> (64n - BigInt(width)));
  });
}

const rowsOf = (type: ValueType, operands: number): readonly (readonly bigint[])[] => {
  const width = widthOf(type);
  const edges = [
    0n,
    1n,
    2n,
    (1n << BigInt(width)) - 1n,
    1n << BigInt(width - 1),
    (1n << BigInt(width - 1)) - 1n,
  ];
  const cut = (value: bigint): bigint =>
    isSigned(type) ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  const columns = Array.from({ length: operands }, (_, at) => [
    ...edges.slice(at),
    ...edges.slice(0, at),
    ...words(26, width, BigInt(at + 3)),
  ]);
  return columns[0]!.map((_, row) => columns.map((column) => cut(column[row]!)));
};

type Meaning = (a: bigint, b: bigint, c: bigint) => bigint;

/** Compares lines with what they mean, all on the same operands. */
function expectAll(
  type: ValueType,
  operands: number,
  result: ValueType,
  cases: readonly (readonly [string, Meaning])[],
): void {
  const rows = rowsOf(type, operands);
  const width = widthOf(result);
  const cut = (value: bigint): bigint =>
    isSigned(result) ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  const found = resultsOfAll(
    cases.map(([line]) => line),
    rows[0]!.map(() => type),
    result,
    rows,
  );
  for (const [at, [line, meaning]] of cases.entries())
    for (const [row, [a = 0n, b = 0n, c = 0n]] of rows.entries()) {
      const expected = cut(meaning(a, b, c));
      if (found[at]![row] !== expected)
        expect({ line, a, b, c, d: found[at]![row] }).toEqual({ line, a, b, c, d: expected });
    }
}

const bit = (value: bigint, at: number): bigint => (value >> BigInt(at)) & 1n;

test('lop3 looks three bits up in each of the 256 tables', () => {
  const logic =
    (table: number): Meaning =>
    (a, b, c) => {
      let result = 0n;
      for (let at = 0; at < 32; at++)
        result |= bit(BigInt(table), Number(4n * bit(a, at) + 2n * bit(b, at) + bit(c, at))) << BigInt(at);
      return result;
    };
  expectAll(
    'b32',
    3,
    'b32',
    Array.from({ length: 256 }, (_, table) => [`lop3.b32 %d, %a, %b, %c, ${table};`, logic(table)]),
  );
});

describe('prmt', () => {
  const bytes = (a: bigint, b: bigint): readonly bigint[] =>
    [a, b].flatMap((word) => [0, 8, 16, 24].map((shift) => (word >> BigInt(shift)) & 255n));
  const joined = (list: readonly bigint[]): bigint =>
    list.reduce((sum, one, at) => sum | (one << BigInt(8 * at)), 0n);

  test('picks bytes, or their signs, by the figures of its selector', () => {
    expectAll('b32', 3, 'b32', [
      [
        'prmt.b32 %d, %a, %b, %c;',
        (a, b, c) =>
          joined(
            [0, 4, 8, 12].map((shift) => {
              const figure = (c >> BigInt(shift)) & 15n;
              const byte = bytes(a, b)[Number(figure & 7n)]!;
              return figure < 8n ? byte : byte >= 128n ? 255n : 0n;
            }),
          ),
      ],
    ]);
  });

  test('has modes that move and repeat bytes', () => {
    const places: Readonly<Record<string, (at: number, c: number) => number>> = {
      f4e: (at, c) => at + c,
      b4e: (at, c) => (8 + c - at) % 8,
      rc8: (_at, c) => c,
      ecl: (at, c) => Math.max(at, c),
      ecr: (at, c) => Math.min(at, c),
      rc16: (at, c) => 2 * (c % 2) + (at % 2),
    };
    expectAll(
      'b32',
      3,
      'b32',
      Object.entries(places).map(([mode, place]) => [
        `prmt.b32.${mode} %d, %a, %b, %c;`,
        (a, b, c) => joined([0, 1, 2, 3].map((at) => bytes(a, b)[place(at, Number(c & 3n))]!)),
      ]),
    );
  });
});

test('shf moves 64 bits and keeps one half', () => {
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  const cases = ['clamp', 'wrap'].flatMap((mode): [string, Meaning][] => {
    const amount = (c: bigint): bigint => (mode === 'wrap' ? c & 31n : least(c, 32n));
    return [
      [`shf.l.${mode}.b32 %d, %a, %b, %c;`, (a, b, c) => (((b << 32n) | a) << amount(c)) >> 32n],
      [`shf.r.${mode}.b32 %d, %a, %b, %c;`, (a, b, c) => ((b << 32n) | a) >> amount(c)],
      ...[0n, 1n, 31n, 32n, 33n, 63n].flatMap((by): [string, Meaning][] => [
        [`shf.l.${mode}.b32 %d, %a, %b, ${by};`, (a, b) => (((b << 32n) | a) << amount(by)) >> 32n],
        [`shf.r.${mode}.b32 %d, %a, %b, ${by};`, (a, b) => ((b << 32n) | a) >> amount(by)],
      ]),
    ];
  });
  expectAll('b32', 3, 'b32', cases);
});

test.each(['u32', 's32', 'u64', 's64'] as const)(
  'bfind.%s finds the highest bit that is not the sign',
  (type) => {
    const highest = (a: bigint): bigint => {
      const size = a < 0n ? ~a : a;
      return size === 0n ? -1n : BigInt(size.toString(2).length - 1);
    };
    expectAll(type, 1, 's32', [
      [`bfind.${type} %d, %a;`, highest],
      [
        `bfind.shiftamt.${type} %d, %a;`,
        (a) => (highest(a) < 0n ? -1n : BigInt(widthOf(type) - 1) - highest(a)),
      ],
    ]);
  },
);

test.each(['b16', 'b32', 'b64'] as const)('cnot.%s asks for zero', (type) => {
  expectAll(type, 1, type, [[`cnot.${type} %d, %a;`, (a) => (a === 0n ? 1n : 0n)]]);
});

test.each(['u16', 's16', 'u32', 's32', 'u64', 's64'] as const)(
  'sad.%s adds the distance of two numbers',
  (type) => {
    expectAll(type, 3, type, [[`sad.${type} %d, %a, %b, %c;`, (a, b, c) => c + (a < b ? b - a : a - b)]]);
  },
);

test('.sat holds sums of .s32 within the type', () => {
  const held = (value: bigint): bigint =>
    value < -(1n << 31n) ? -(1n << 31n) : value >= 1n << 31n ? (1n << 31n) - 1n : value;
  expectAll('s32', 3, 's32', [
    ['add.sat.s32 %d, %a, %b;', (a, b) => held(a + b)],
    ['sub.sat.s32 %d, %a, %b;', (a, b) => held(a - b)],
    ['mad.hi.sat.s32 %d, %a, %b, %c;', (a, b, c) => held(((a * b) >> 32n) + c)],
  ]);
});

test.each(['u16', 's16', 'u32', 's32', 'u64', 's64'] as const)('mad.hi.%s adds to the high half', (type) => {
  expectAll(type, 3, type, [
    [`mad.hi.${type} %d, %a, %b, %c;`, (a, b, c) => ((a * b) >> BigInt(widthOf(type))) + c],
  ]);
});

test.each(['u32', 's32'] as const)(
  'mul24 and mad24 of .%s take 24 bits and give either end of the product',
  (type) => {
    const part = (value: bigint): bigint =>
      isSigned(type) ? BigInt.asIntN(24, value) : BigInt.asUintN(24, value);
    expectAll(type, 3, type, [
      [`mul24.lo.${type} %d, %a, %b;`, (a, b) => part(a) * part(b)],
      [`mul24.hi.${type} %d, %a, %b;`, (a, b) => (part(a) * part(b)) >> 16n],
      [`mad24.lo.${type} %d, %a, %b, %c;`, (a, b, c) => part(a) * part(b) + c],
      [`mad24.hi.${type} %d, %a, %b, %c;`, (a, b, c) => ((part(a) * part(b)) >> 16n) + c],
    ]);
  },
);

const orders: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lo: (a, b) => a < b,
  ls: (a, b) => a <= b,
  hi: (a, b) => a > b,
  hs: (a, b) => a >= b,
};
const ordersOf = (type: ValueType): readonly string[] =>
  Object.keys(orders).slice(0, type.startsWith('b') ? 2 : isSigned(type) ? 6 : 10);

test.each(['b16', 'u16', 's16', 'b32', 'u32', 's32', 'b64', 'u64', 's64'] as const)(
  'setp, set, selp and slct of .%s compare whole numbers',
  (type) => {
    const yes =
      (word: string): Meaning =>
      (a, b) =>
        orders[word]!(a, b) ? 1n : 0n;
    expectAll(type, 2, 's32', [
      ...ordersOf(type).map((word): [string, Meaning] => [
        `setp.${word}.${type} %q|%r, %a, %b; selp.s32 %d, 1, 0, %q;`,
        yes(word),
      ]),
      ...ordersOf(type).map((word): [string, Meaning] => [
        `setp.${word}.${type} %q|%r, %a, %b; selp.s32 %d, 0, 1, %r;`,
        yes(word),
      ]),
      ...ordersOf(type).map((word): [string, Meaning] => [
        `set.${word}.s32.${type} %d, %a, %b;`,
        (a, b) => -yes(word)(a, b, 0n),
      ]),
    ]);
    expectAll(type, 2, type, [
      [`slct.${type}.s32 %d, %a, %b, 0;`, (a) => a],
      [`slct.${type}.s32 %d, %a, %b, -1;`, (_a, b) => b],
      [`slct.${type}.f32 %d, %a, %b, -0.0;`, (a) => a],
      [`slct.${type}.f32 %d, %a, %b, 0f7FC00000;`, (_a, b) => b],
      [`slct.${type}.f32 %d, %a, %b, -1.5;`, (_a, b) => b],
    ]);
  },
);

test('set joins its comparison with a predicate, and gives reals as well', () => {
  expectAll('u32', 3, 's32', [
    [
      'setp.ne.u32 %r, %c, 0; set.lt.and.s32.u32 %d, %a, %b, %r;',
      (a, b, c) => (a < b && c !== 0n ? -1n : 0n),
    ],
    [
      'setp.ne.u32 %r, %c, 0; set.lt.or.s32.u32 %d, %a, %b, !%r;',
      (a, b, c) => (a < b || c === 0n ? -1n : 0n),
    ],
    [
      'setp.ne.u32 %r, %c, 0; set.lt.xor.s32.u32 %d, %a, %b, %r;',
      (a, b, c) => (a < b !== (c !== 0n) ? -1n : 0n),
    ],
  ]);
  expectAll('u32', 2, 'b32', [
    ['.reg .f32 %one; set.lt.f32.u32 %one, %a, %b; mov.b32 %d, %one;', (a, b) => (a < b ? 0x3f800000n : 0n)],
  ]);
});

describe.each([
  ['f32', 23n, 32n],
  ['f64', 52n, 64n],
] as const)('the form of .%s', (type, fraction, width) => {
  const plain: ValueType = type === 'f32' ? 'b32' : 'b64';
  const exponent = (bits: bigint): bigint => (bits >> fraction) & ((1n << (width - 1n - fraction)) - 1n);
  const most = (1n << (width - 1n - fraction)) - 1n;
  const digits = (bits: bigint): bigint => bits & ((1n << fraction) - 1n);
  const questions: Readonly<Record<string, (bits: bigint) => boolean>> = {
    finite: (bits) => exponent(bits) !== most,
    infinite: (bits) => exponent(bits) === most && digits(bits) === 0n,
    number: (bits) => exponent(bits) !== most || digits(bits) === 0n,
    notanumber: (bits) => exponent(bits) === most && digits(bits) !== 0n,
    normal: (bits) => exponent(bits) !== most && (exponent(bits) !== 0n || digits(bits) === 0n),
    subnormal: (bits) => exponent(bits) === 0n && digits(bits) !== 0n,
  };
  const top = 1n << (width - 1n);
  const samples = [
    0n,
    1n,
    digits(-1n),
    1n << fraction,
    (most << fraction) - 1n,
    most << fraction,
    (most << fraction) + 1n,
    (most << fraction) | ((1n << 40n) % (1n << fraction)) | 2n,
    0x3fn << (fraction - 3n),
  ];
  const rows = samples.flatMap((one) => [[one], [one | top]]);

  test.each(Object.entries(questions))('testp.%s asks for it', (word, holds) => {
    const [found] = resultsOfAll(
      [`testp.${word}.${type} %q, %a; selp.u32 %d, 1, 0, %q;`],
      [type],
      'u32',
      rows,
    );

    expect(found).toEqual(rows.map(([bits]) => (holds(bits!) ? 1n : 0n)));
  });

  test('copysign takes the sign of one and the rest of another', () => {
    const pairs = rows.flatMap(([a]) => rows.map(([b]) => [a!, b!]));
    const [found] = resultsOfAll([`copysign.${type} %d, %a, %b;`], [plain, plain], plain, pairs);

    expect(found).toEqual(pairs.map(([a, b]) => (a! & top) | (b! & (top - 1n))));
  });
});
