import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../kernel/testing/effort.ts';
import {
  exactReciprocalRoot,
  fused32,
  fused64,
  multiplyHighSigned,
  multiplyHighUnsigned,
  roundEven,
  rounded32,
  wholeToReal,
} from './arithmetic.ts';

/** A finite double as a fraction of whole numbers: value = whole / 2^1100. */
const scale = 1100n;
function exact(value: number): bigint {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)[0]!;
  const field = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const whole = field === 0n ? fraction : fraction | (1n << 52n);
  const shifted = whole << (scale - 1075n + (field === 0n ? 1n : field));
  return value < 0 ? -shifted : shifted;
}

/** True when no neighbour of `value` is nearer to `target` / 2^2200, and in a tie its last bit is 0. */
function isNearest(value: number, target: bigint, neighbours: readonly number[], isEven: boolean): boolean {
  const away = (one: number): bigint => {
    const distance = (exact(one) << scale) - target;
    return distance < 0n ? -distance : distance;
  };
  return neighbours.every(
    (one) => !Number.isFinite(one) || away(value) < away(one) || (away(value) === away(one) && isEven),
  );
}

const neighbours32 = (value: number): readonly number[] => {
  const cell = new Float32Array([value]);
  const bits = new Int32Array(cell.buffer);
  const near = [bits[0]! - 1, bits[0]! + 1].map((one) => new Float32Array(new Int32Array([one]).buffer)[0]!);
  return value === 0 ? [2 ** -149, -(2 ** -149)] : near;
};
const isEven32 = (value: number): boolean => (new Int32Array(new Float32Array([value]).buffer)[0]! & 1) === 0;
const neighbours64 = (value: number): readonly number[] => {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)[0]!;
  const near = [bits - 1n, bits + 1n].map((one) => new Float64Array(new BigInt64Array([one]).buffer)[0]!);
  return value === 0 ? [Number.MIN_VALUE, -Number.MIN_VALUE] : near;
};
const isEven64 = (value: number): boolean =>
  (new BigInt64Array(new Float64Array([value]).buffer)[0]! & 1n) === 0n;

const real32 = fc.float({ noNaN: true, noDefaultInfinity: true });
/** Numbers with few bits and near exponents, whose sums often fall between two others. */
const coarse = fc
  .tuple(fc.integer({ min: -(2 ** 24), max: 2 ** 24 }), fc.integer({ min: -30, max: 30 }))
  .map(([whole, exponent]) => Math.fround(whole * 2 ** exponent));

describe('fused multiply-add', () => {
  test('of 32 bits is rounded once', () => {
    const one = fc.oneof(real32, coarse);
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        const found = fused32(a, b, c);
        fc.pre(Number.isFinite(found));
        const target = exact(a) * exact(b) + (exact(c) << scale);
        expect(isNearest(found, target, neighbours32(found), isEven32(found))).toBe(true);
      }),
      { numRuns: effort({ short: 8000, long: 20000 }), seed: 3 },
    );
  });

  test('of 32 bits sees what rounding to a double loses', () => {
    // The product is 1 + 2^-24 exactly between two numbers, the addend decides.
    const a = 1 + 2 ** -12;
    const b = 1 - 2 ** -12 + 2 ** -23;
    for (const tiny of [2 ** -100, -(2 ** -100), 2 ** -149]) {
      const found = fused32(a, b, tiny);
      const target = exact(a) * exact(b) + (exact(tiny) << scale);
      expect(isNearest(found, target, neighbours32(found), isEven32(found))).toBe(true);
    }
    expect(fused32(1, 1 + 2 ** -23, 2 ** -24 + 2 ** -47)).toBe(Math.fround(1 + 2 ** -22));
    expect(fused32(2 ** -24, 1, 1)).toBe(1);
    expect(fused32(2 ** -12, 2 ** -12 + 2 ** -35, 1)).toBe(Math.fround(1 + 2 ** -23));
  });

  test('of 64 bits is rounded once', () => {
    const range = fc.double({ noNaN: true, noDefaultInfinity: true });
    const near = fc
      .tuple(fc.bigInt({ min: -(1n << 53n), max: 1n << 53n }), fc.integer({ min: -60, max: 60 }))
      .map(([whole, exponent]) => Number(whole) * 2 ** exponent);
    const one = fc.oneof(range, near, near);
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        const found = fused64(a, b, c);
        fc.pre(Number.isFinite(found));
        const target = exact(a) * exact(b) + (exact(c) << scale);
        expect(isNearest(found, target, neighbours64(found), isEven64(found))).toBe(true);
      }),
      { numRuns: effort({ short: 8000, long: 20000 }), seed: 5 },
    );
  });

  test('of 32 bits is infinite beyond the largest number, with the sign of the sum', () => {
    const large = Math.fround(3e38);
    expect(fused32(large, large, -1)).toBe(Number.POSITIVE_INFINITY);
    expect(fused32(large, -large, 1)).toBe(Number.NEGATIVE_INFINITY);
    // A hair below half a unit above the largest number, which the sum as a double does not show.
    const largest = (2 - 2 ** -23) * 2 ** 127;
    expect(fused32(2 ** 64, 2 ** 39, largest)).toBe(Number.POSITIVE_INFINITY);
    expect(fused32(2 ** 64 - 2 ** 40, 2 ** 39, largest)).toBe(largest);
  });

  test('keeps infinities and what is no number', () => {
    expect(fused64(Number.POSITIVE_INFINITY, 2, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(fused64(Number.POSITIVE_INFINITY, 0, 1)).toBeNaN();
    expect(fused32(Number.POSITIVE_INFINITY, 1, Number.NEGATIVE_INFINITY)).toBeNaN();
    expect(fused64(1e300, 1e300, Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});

test('the high half of a product is that of whole numbers', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      expect(multiplyHighSigned(a, b)).toBe(Number(BigInt.asIntN(32, (BigInt(a) * BigInt(b)) >> 32n)));
      const unsigned = (BigInt(a >>> 0) * BigInt(b >>> 0)) >> 32n;
      expect(multiplyHighUnsigned(a, b)).toBe(Number(BigInt.asIntN(32, unsigned)));
    }),
    { numRuns: effort({ short: 2000, long: 5000 }), seed: 1 },
  );
});

test('64-bit integers become the nearest 32-bit real', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), (value) => {
      const low = Number(BigInt.asIntN(32, value));
      const high = Number(BigInt.asIntN(32, value >> 32n));
      const found = wholeToReal(low, high, true, 'rn', 24);
      expect(isNearest(found, value << (2n * scale), neighbours32(found), isEven32(found))).toBe(true);
    }),
    { numRuns: effort({ short: 1200, long: 3000 }), seed: 9 },
  );
  // 2^40 + 2^16 lies between two numbers; one more is nearer to the upper one.
  expect(wholeToReal(2 ** 16 + 1, 2 ** 8, true, 'rn', 24)).toBe(2 ** 40 + 2 ** 17);
  expect(wholeToReal(2 ** 16, 2 ** 8, true, 'rn', 24)).toBe(2 ** 40);
});

test('directed rounding goes to the neighbour on its side', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e30, max: 1e30, noNaN: true }), (value) => {
      const [down, up, zero] = [rounded32(value, 'rm'), rounded32(value, 'rp'), rounded32(value, 'rz')];
      expect(down <= value && up >= value && Math.abs(zero) <= Math.abs(value)).toBe(true);
      expect([down, up].includes(Math.fround(value))).toBe(true);
      expect([down, up].some((one) => Object.is(one, zero) || one === zero)).toBe(true);
    }),
    { numRuns: effort({ short: 1200, long: 3000 }), seed: 2 },
  );
});

test('halves go to the even whole number', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4, -2.6].map(roundEven)).toEqual([0, 2, 2, -0, -2, -2, 2, -3]);
});

test('1 over a root is rounded once: no neighbour is nearer, between which the exact one lies', () => {
  const next = (value: number, by: bigint): number => {
    const bits = new BigInt64Array(new Float64Array([value]).buffer)[0]! + by;
    return new Float64Array(new BigInt64Array([bits]).buffer)[0]!;
  };
  /** Whether y is above 1 / sqrt(a): y * y * a > 1, exactly. */
  const isAbove = (twice: bigint, a: number): boolean => (twice * twice * exact(a)) >> (3n * scale + 2n) > 0n;
  const reals = fc.double({ min: 1e-100, max: 1e100, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(reals, fc.constantFrom(2 ** 63, 2, 3, 0.1)), (a) => {
      const y = exactReciprocalRoot(a);
      // The middle between y and its neighbours, times 2.
      const [below, above] = [-1n, 1n].map((by) => exact(y) + exact(next(y, by)));
      return !isAbove(below!, a) && isAbove(above!, a);
    }),
    { numRuns: effort({ short: 300, long: 3000 }) },
  );
  expect([4, 0.25, 0, -0, Number.POSITIVE_INFINITY].map(exactReciprocalRoot)).toEqual([
    0.5,
    2,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    0,
  ]);
  expect(exactReciprocalRoot(-1)).toBeNaN();
});
