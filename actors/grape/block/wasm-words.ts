import { branch, type Code, get, i32, i64, repeat, select, set } from './wasm-code.ts';

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

/** Where the planes of an operand begin. */
export type Where = (typeof wasmPlanes)['a'];

/** The first parameter of every function: how many lanes there are. */
export const count = 0;
export const word = i32.constant;
export const wide = i64.constant;

/** Thirty bits: half of the fraction of a long word. */
const half = word(0x3fff_ffff);

/** Both halves of a fraction as one number of 60 bits. */
export const fraction = (from: Where, at: Code): Code =>
  i64.or(i64.shiftLeft(i64.of(i32.load(at, from.high)), wide(30n)), i64.of(i32.load(at, from.low)));

/** Exponent and lower bits without the sign. */
export const magnitude = (se: number): Code => i32.and(get(se), word(0x7ff));

/** The significand of a normal word with its hidden bit; 0 where the exponent is. */
export const significand = (from: Where, at: Code, exponent: Code): Code =>
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
export const roundedTo = (kept: number, x: number, bits: bigint): Code => {
  const odd = i64.and(get(kept), wide(1n));
  const up = i64.greaterUnsigned(i64.shiftLeft(get(x), wide(64n - bits)), i64.subtract(wide(1n << 63n), odd));
  return [...set(kept, i64.shiftRight(get(x), wide(bits))), ...set(kept, i64.add(get(kept), i64.of(up)))];
};

export const store = (at: Code, se: Code, high: Code, low: Code): Code => [
  ...i32.store(at, wasmPlanes.result.se, se),
  ...i32.store(at, wasmPlanes.result.high, high),
  ...i32.store(at, wasmPlanes.result.low, low),
];

/** Stores a fraction of 60 bits, which is in a local, under a sign and an exponent. */
export const storeFraction = (at: Code, se: Code, bits: number): Code =>
  store(
    at,
    se,
    i32.and(i32.lower(i64.shiftRight(get(bits), wide(30n))), half),
    i32.and(i32.lower(get(bits)), half),
  );

/** Stores the largest word where the exponent is beyond its range, a signed zero where it is below. */
export const storeOutOfRange = (at: Code, { exponent, sign }: { exponent: number; sign: number }): Code =>
  branch(
    i32.greater(get(exponent), word(0)),
    store(at, i32.or(get(sign), word(0x7ff)), half, half),
    store(at, get(sign), word(0), word(0)),
  );

/**
 * Rounds a number whose highest bit is bit 63 to 61 or 25 bits, and stores it with a sign of bit 11 and an exponent: the largest word beyond the
 * range of the exponent, a signed zero below it (GRAPE specification 2.3). `exact`: there are no bits to round.
 */
export function storeRounded(
  at: Code,
  { x, kept, exponent, sign }: { x: number; kept: number; exponent: number; sign: number },
  short: boolean,
  exact = false,
): Code {
  const bits = short ? 25n : 61n;
  const carry = i32.lower(i64.shiftRight(get(kept), wide(bits)));
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
      storeOutOfRange(at, { exponent, sign }),
    ),
  ];
}

/** Code for the lanes 0 to `count - 1`; `lane` counts them in bytes. */
export const forAllLanes = (lane: number, body: Code): Code =>
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
