import { branch, type Code, get, i32, i64, repeat, select, set, type WasmFunction } from './wasm-code.ts';

/** Lanes of each plane in the memory of the module: four elements of as many PEs as a block may have. */
export const wasmLanesMax = 4096;

// Planes of exactly 16 KiB would all begin in the same line of the processor's cache.
const planeBytes = 4 * wasmLanesMax + 64;
const planesAt = (number: number) => ({
  se: 3 * number * planeBytes,
  high: (3 * number + 1) * planeBytes,
  low: (3 * number + 2) * planeBytes,
});

/** Where the planes of both operands and of the result begin in memory, in bytes. */
export const wasmPlanes = { a: planesAt(0), b: planesAt(1), result: planesAt(2) } as const;

/** Pages of memory that the planes take. */
export const wasmPages = Math.ceil((9 * planeBytes) / 0x1_0000);

type Where = (typeof wasmPlanes)['a'];

const count = 0;
const flip = 1;
const word = i32.constant;
const wide = i64.constant;

/** The significand of a normal word with its hidden bit; 0 where the exponent is. */
const significand = (from: Where, at: Code, exponent: Code): Code =>
  select(
    i64.or(
      i64.shiftLeft(i64.of(i32.or(i32.load(at, from.high), word(0x4000_0000))), wide(30n)),
      i64.of(i32.load(at, from.low)),
    ),
    wide(0n),
    exponent,
  );

/**
 * x / 2^bits to the nearest whole number, ties to even; `x` and `kept` are locals.
 *
 * Details: what is cut off, moved to the upper end, is compared with a half of 2^64, or with one less where a tie goes up too.
 */
const roundedTo = (kept: number, x: number, bits: bigint): Code => {
  const odd = i64.and(get(kept), wide(1n));
  const up = i64.greaterUnsigned(i64.shiftLeft(get(x), wide(64n - bits)), i64.subtract(wide(1n << 63n), odd));
  return [...set(kept, i64.shiftRight(get(x), wide(bits))), ...set(kept, i64.add(get(kept), i64.of(up)))];
};

const store = (at: Code, se: Code, high: Code, low: Code): Code => [
  ...i32.store(at, wasmPlanes.result.se, se),
  ...i32.store(at, wasmPlanes.result.high, high),
  ...i32.store(at, wasmPlanes.result.low, low),
];

/**
 * Rounds a number whose highest bit is bit 63 to 61 or 25 bits, and stores it with a sign of bit 11 and an exponent: the largest word beyond the
 * range of the exponent, a signed zero below it (GRAPE specification 2.3). `exact`: there are no bits to round.
 */
function storeRounded(
  at: Code,
  { x, kept, exponent, sign }: { x: number; kept: number; exponent: number; sign: number },
  short: boolean,
  exact = false,
): Code {
  const bits = short ? 25n : 61n;
  const carry = i32.lower(i64.shiftRight(get(kept), wide(bits)));
  const half = word(0x3fff_ffff);
  const high = short
    ? i32.shiftLeft(i32.and(i32.lower(get(kept)), word(0xff_ffff)), word(6))
    : i32.and(i32.lower(i64.shiftRight(get(kept), wide(30n))), half);
  const low = short ? word(0) : i32.and(i32.lower(get(kept)), half);
  return [
    ...(exact
      ? set(kept, i64.shiftRight(get(x), wide(64n - bits)))
      : [...roundedTo(kept, x, 64n - bits), ...set(exponent, i32.add(get(exponent), carry))]),
    // One comparison for 1 to 2047: what is below becomes very large without a sign.
    ...branch(
      i32.lessUnsigned(i32.subtract(get(exponent), word(1)), word(2047)),
      store(at, i32.or(get(sign), get(exponent)), high, low),
      branch(
        i32.greater(get(exponent), word(0)),
        store(at, i32.or(get(sign), word(0x7ff)), half, half),
        store(at, get(sign), word(0), word(0)),
      ),
    ),
  ];
}

/** Code for the lanes 0 to `count - 1`; `lane` counts them in bytes. */
const forAllLanes = (lane: number, body: Code): Code =>
  branch(
    get(count),
    [
      ...set(count, i32.shiftLeft(get(count), word(2))),
      ...repeat(
        [...body, ...set(lane, i32.add(get(lane), word(4)))],
        i32.lessUnsigned(get(lane), get(count)),
      ),
    ],
    [],
  );

/**
 * The adder of GRAPE specification 2.4 without the flags A, B, O; the sign of the second operand is changed by the second parameter, 0 or 0x800.
 *
 * Details: both significands are moved up, by two bits where they are added and by three where one is taken from the other, so that a sum fills
 * 64 bits; the smaller is moved down by the difference of the exponents, and its lowest bit stands for all that fell out. That is enough: bits
 * that fell out can only be looked at after a shift to the left by at most one.
 */
function adder(short: boolean): WasmFunction {
  const [lane, seA, seB, exponent, other, sign, swaps, differ] = [2, 3, 4, 5, 6, 7, 8, 9] as const;
  const [big, small, by, x, kept] = [10, 11, 12, 13, 14] as const;
  const at = get(lane);
  const magnitude = (se: number): Code => i32.and(get(se), word(0x7ff));
  const body = [
    ...set(seA, i32.load(at, wasmPlanes.a.se)),
    ...set(seB, i32.xor(i32.load(at, wasmPlanes.b.se), get(flip))),
    ...set(exponent, magnitude(seA)),
    ...set(other, magnitude(seB)),
    ...set(big, significand(wasmPlanes.a, at, get(exponent))),
    ...set(small, significand(wasmPlanes.b, at, get(other))),
    ...set(
      swaps,
      i32.or(
        i32.greater(get(other), get(exponent)),
        i32.and(i32.equal(get(other), get(exponent)), i64.greaterUnsigned(get(small), get(big))),
      ),
    ),
    ...set(sign, i32.and(select(get(seB), get(seA), get(swaps)), word(0x800))),
    ...set(differ, i32.and(i32.shiftRight(i32.xor(get(seA), get(seB)), word(11)), word(1))),
    ...set(x, select(get(small), get(big), get(swaps))),
    ...set(small, select(get(big), get(small), get(swaps))),
    ...set(exponent, select(get(other), get(exponent), get(swaps))),
    ...set(other, select(magnitude(seA), get(other), get(swaps))),
    ...set(by, i64.of(i32.add(get(differ), word(2)))),
    ...set(big, i64.shiftLeft(get(x), get(by))),
    ...set(small, i64.shiftLeft(get(small), get(by))),
    ...set(other, i32.subtract(get(exponent), get(other))),
    // From 63 bits on only the bit is left that stands for what fell out.
    ...set(by, i64.of(select(get(other), word(63), i32.lessUnsigned(get(other), word(63))))),
    ...set(x, i64.shiftRight(get(small), get(by))),
    ...set(x, i64.or(get(x), i64.of(i64.notEqual(i64.shiftLeft(get(x), get(by)), get(small))))),
    ...set(x, select(i64.subtract(get(big), get(x)), i64.add(get(big), get(x)), get(differ))),
    ...branch(
      i64.isZero(get(x)),
      // Only two zeros of one sign leave theirs.
      store(at, i32.and(i32.and(get(seA), get(seB)), word(0x800)), word(0), word(0)),
      [
        ...set(by, i64.leadingZeros(get(x))),
        ...set(x, i64.shiftLeft(get(x), get(by))),
        ...set(
          exponent,
          i32.subtract(i32.add(get(exponent), word(1)), i32.add(get(differ), i32.lower(get(by)))),
        ),
        ...storeRounded(at, { x, kept, exponent, sign }, short),
      ],
    ),
  ];
  return {
    name: short ? 'addShort' : 'addLong',
    parameters: 2,
    locals32: 8,
    locals64: 5,
    body: forAllLanes(lane, body),
  };
}

/** Plain `fmul` of GRAPE specification 2.5: both significands rounded to 25 bits, their product exact or rounded to 25 bits. */
function multiplier(short: boolean): WasmFunction {
  const [lane, seA, seB, exponent, sign] = [1, 2, 3, 4, 5] as const;
  const [a, b, x, kept] = [6, 7, 8, 9] as const;
  const at = get(lane);
  const magnitude = (se: number): Code => i32.and(get(se), word(0x7ff));
  const body = [
    ...set(seA, i32.load(at, wasmPlanes.a.se)),
    ...set(seB, i32.load(at, wasmPlanes.b.se)),
    ...set(x, significand(wasmPlanes.a, at, magnitude(seA))),
    ...roundedTo(a, x, 36n),
    ...set(x, significand(wasmPlanes.b, at, magnitude(seB))),
    ...roundedTo(b, x, 36n),
    ...set(sign, i32.and(i32.xor(get(seA), get(seB)), word(0x800))),
    ...set(x, i64.multiply(get(a), get(b))),
    ...branch(i64.isZero(get(x)), store(at, get(sign), word(0), word(0)), [
      ...set(kept, i64.leadingZeros(get(x))),
      ...set(x, i64.shiftLeft(get(x), get(kept))),
      // A product of two significands of 25 bits has 49 bits at least, and then 15 zeros before it.
      ...set(
        exponent,
        i32.subtract(i32.add(magnitude(seA), magnitude(seB)), i32.add(word(1023 - 15), i32.lower(get(kept)))),
      ),
      // Two significands of 25 bits: their product fits into 61.
      ...storeRounded(at, { x, kept, exponent, sign }, short, !short),
    ]),
  ];
  return {
    name: short ? 'multiplyShort' : 'multiplyLong',
    parameters: 1,
    locals32: 5,
    locals64: 4,
    body: forAllLanes(lane, body),
  };
}

/** The functions of the module. */
export const wasmKernels: readonly WasmFunction[] = [
  adder(false),
  adder(true),
  multiplier(false),
  multiplier(true),
];
