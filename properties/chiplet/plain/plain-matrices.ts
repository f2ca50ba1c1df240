import { bitsOfNumber, numberOfBits } from './plain-small-reals.ts';
import { directed, exact, realOfBits, type Value } from './plain-values.ts';

/*
 * Products of small matrices by the lanes of a warp (PTX ISA, mma), element by element. How reals are added the manual leaves open; here as tensor cores do: all
 * addends to the exponent of the largest one, with 25 bits behind it, cut off, and so their sum to 24 bits. Nothing of the instruction set of the machine is shared.
 */

/** A matrix by rows. */
type Matrix = Value[][];

/** Elements of a type in a register of 32 bits. */
const packedOf = (type: string): number =>
  ({ f16: 2, bf16: 2, s8: 4, u8: 4, e4m3: 4, e5m2: 4, s4: 8, u4: 8, b1: 32 })[type] ?? 1;

/** Where element `index` of register `register` of lane `4 group + member` is: of A, of B, of C and D. */
const places = {
  a: (rows: number, packed: number, group: number, member: number, register: number, index: number) => {
    const parts = rows === 16 ? 2 : 1;
    return [
      group + 8 * (register % parts),
      packed * (4 * Math.floor(register / parts) + member) + index,
    ] as const;
  },
  b: (_rows: number, packed: number, group: number, member: number, register: number, index: number) =>
    [packed * (4 * register + member) + index, group] as const,
  c: (_rows: number, packed: number, group: number, member: number, register: number, index: number) => {
    const number = packed * register + index;
    return [group + 8 * (number >> 1), 2 * member + (number & 1)] as const;
  },
};

function elementIn(type: string, register: Value, index: number): Value {
  if (typeof register !== 'bigint') return register;
  switch (type) {
    case 'f16':
    case 'bf16':
      return numberOfBits(type, (register >> BigInt(16 * index)) & 0xffffn);
    case 'e4m3':
    case 'e5m2':
      return numberOfBits(type, (register >> BigInt(8 * index)) & 0xffn);
    case 's4':
    case 's8': {
      const bits = Number(type[1]);
      return BigInt.asIntN(bits, register >> BigInt(bits * index));
    }
    case 'b1':
    case 'u4':
    case 'u8': {
      const bits = Number(type[1]);
      return BigInt.asUintN(bits, register >> BigInt(bits * index));
    }
    case 's32':
      return BigInt.asIntN(32, register);
    default:
      // tf32: its last 13 bits say nothing.
      return realOfBits('f32', BigInt.asUintN(32, register) & ~0x1fffn);
  }
}

/** The exponent of a number that is not zero. */
const exponentOf = (value: number): number => {
  const [m, e] = exact(value);
  return (m < 0n ? -m : m).toString(2).length - 1 + e;
};

/** A number in units of a power of two, cut off. */
function inUnits(m: bigint, e: number, unit: number): bigint {
  const size = m < 0n ? -m : m;
  const whole = e >= unit ? size << BigInt(e - unit) : size >> BigInt(unit - e);
  return m < 0n ? -whole : whole;
}

/** The sum of products of reals and one more number. */
function realSum(a: readonly number[], b: readonly number[], c: number): number {
  const plain = a.reduce((sum, one, at) => sum + one * b[at]!, c);
  const exponents = [
    ...(c === 0 ? [] : [exponentOf(c)]),
    ...a.flatMap((one, at) => (one === 0 || b[at] === 0 ? [] : [exponentOf(one) + exponentOf(b[at]!)])),
  ];
  if (!Number.isFinite(plain) || exponents.length === 0) return plain;
  const unit = Math.max(...exponents) - 25;
  let sum = inUnits(...exact(c), unit);
  for (const [at, one] of a.entries()) {
    const [[ma, ea], [mb, eb]] = [exact(one), exact(b[at]!)];
    sum += inUnits(ma * mb, ea + eb, unit);
  }
  if (sum === 0n) return 0;
  const size = sum < 0n ? -sum : sum;
  if (size.toString(2).length + unit > 128)
    return sum < 0n ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return directed('rz', 'f32', sum, unit);
}

/** The same of reals of 8 bits, as a GPU answered: of every four products the lower two come first, then the others, and what there was before last, to the nearest. */
function byteSum(a: readonly number[], b: readonly number[], c: number): number {
  const half = (upper: boolean, before: number): number => {
    const isOf = (_: number, at: number): boolean => at % 4 >= 2 === upper;
    return realSum(a.filter(isOf), b.filter(isOf), before);
  };
  return Math.fround(half(true, half(false, 0)) + c);
}

/** What each lane gets in its registers of D, from those of A, B and C, one behind the other. */
export function matrixProducts(
  words: readonly string[],
  lanes: readonly (readonly Value[])[],
): readonly (readonly Value[])[] {
  const [, m = 0, n = 0, k = 0] = (/m(\d+)n(\d+)k(\d+)/.exec(words.join('.')) ?? []).map(Number);
  const [typeD, typeA, typeB, typeC] = words.filter((word) =>
    /^(b?f16|f32|tf32|[su](4|8|32)|b1|e\dm\d)$/.test(word),
  ) as [string, string, string, string];
  const isWhole = typeD === 's32';
  const counts = {
    a: (m * k) / 32 / packedOf(typeA),
    b: (k * n) / 32 / packedOf(typeB),
    c: (m * n) / 32 / packedOf(typeC),
  };
  const filled = (part: 'a' | 'b' | 'c', type: string, first: number): Matrix => {
    const matrix: Matrix = Array.from({ length: part === 'b' ? k : m }, () => []);
    for (const [lane, registers] of lanes.entries())
      for (let register = 0; register < counts[part]; register++)
        for (let index = 0; index < packedOf(type); index++) {
          const [row, column] = places[part](m, packedOf(type), lane >> 2, lane & 3, register, index);
          matrix[row]![column] = elementIn(type, registers[first + register]!, index);
        }
    return matrix;
  };
  const [a, b, c] = [
    filled('a', typeA, 0),
    filled('b', typeB, counts.a),
    filled('c', typeC, counts.a + counts.b),
  ];
  const product = (row: number, column: number): Value => {
    const [left, right] = [a[row]!, b.map((one) => one[column]!)];
    const sumOf = /^e\dm\d$/.test(typeA) ? byteSum : realSum;
    if (!isWhole) return sumOf(left as number[], right as number[], c[row]![column] as number);
    const sum = left.reduce<bigint>(
      (all, one, at) =>
        all +
        (words.includes('xor')
          ? (one as bigint) ^ (right[at] as bigint)
          : (one as bigint) * (right[at] as bigint)),
      c[row]![column] as bigint,
    );
    if (!words.includes('satfinite')) return sum;
    const top = 1n << 31n;
    return sum >= top ? top - 1n : sum < -top ? -top : sum;
  };
  const packed = packedOf(typeD);
  const registersD = (m * n) / 32 / packed;
  return lanes.map((_, lane) =>
    Array.from({ length: registersD }, (_unused, register) => {
      const elements = Array.from({ length: packed }, (_all, index) =>
        product(...places.c(m, packed, lane >> 2, lane & 3, register, index)),
      );
      if (packed === 1) return elements[0]!;
      return elements.reduce<bigint>(
        (all, one, at) => all | (bitsOfNumber('f16', one as number) << BigInt(16 * at)),
        0n,
      );
    }),
  );
}
