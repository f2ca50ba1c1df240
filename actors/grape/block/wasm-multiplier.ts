import { branch, type Code, get, i32, i64, select, set, type WasmFunction } from './wasm-code.ts';
import {
  forAllLanes,
  fraction,
  magnitude,
  roundedTo,
  significand,
  store,
  storeFraction,
  storeOutOfRange,
  storeRounded,
  wasmPlanes,
  wide,
  word,
} from './wasm-words.ts';

/** Plain `fmul` of GRAPE specification 2.5: both significands rounded to 25 bits, their product exact or rounded to 25 bits. */
export function multiplier(short: boolean): WasmFunction {
  const [lane, seA, seB, exponent, sign] = [1, 2, 3, 4, 5] as const;
  const [a, b, x, kept] = [6, 7, 8, 9] as const;
  const at = get(lane);
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

/**
 * One pass of a long product, `dmul0` or `dmul1` (GRAPE specification 2.5, 2.6): 50 bits of A by the upper or the next 25 bits of B, without a
 * hidden bit.
 *
 * Details: a product has up to 76 bits, of which the lowest 13 at least are cut off; so it is put together of two, of the upper and of the lower
 * half of A. What does not fit below 1.0 is moved down and its exponent up. A has a hidden bit, so that no product is cut off as a whole.
 */
export function partMultiplier(second: boolean): WasmFunction {
  const [lane, seA, seB, exponent, sign, down] = [1, 2, 3, 4, 5, 6] as const;
  const [a, b, x] = [7, 8, 9] as const;
  const at = get(lane);
  const lower25 = wide((1n << 25n) - 1n);
  const portB: Code = second
    ? [
        ...set(x, i64.and(i64.shiftLeft(fraction(wasmPlanes.b, at), wide(25n)), wide((1n << 61n) - 1n))),
        ...roundedTo(b, x, 36n),
      ]
    : set(b, i64.shiftRight(significand(wasmPlanes.b, at, magnitude(seB)), wide(36n)));
  const body = [
    ...set(seA, i32.load(at, wasmPlanes.a.se)),
    ...set(seB, i32.load(at, wasmPlanes.b.se)),
    ...set(x, significand(wasmPlanes.a, at, magnitude(seA))),
    ...roundedTo(a, x, 11n),
    ...portB,
    ...set(sign, i32.and(i32.xor(get(seA), get(seB)), word(0x800))),
    ...branch(i32.or(i64.isZero(get(a)), i64.isZero(get(b))), store(at, get(sign), word(0), word(0)), [
      ...set(
        x,
        i64.add(
          i64.shiftLeft(i64.multiply(i64.shiftRight(get(a), wide(25n)), get(b)), wide(12n)),
          i64.shiftRight(i64.multiply(i64.and(get(a), lower25), get(b)), wide(13n)),
        ),
      ),
      ...set(down, i32.subtract(word(4), i32.lower(i64.leadingZeros(get(x))))),
      ...set(down, select(get(down), word(0), i32.greater(get(down), word(0)))),
      ...set(x, i64.shiftRight(get(x), i64.of(get(down)))),
      ...set(
        exponent,
        i32.add(
          i32.add(magnitude(seA), magnitude(seB)),
          i32.subtract(get(down), word(second ? 1023 + 25 : 1023)),
        ),
      ),
      ...branch(
        i32.lessUnsigned(get(exponent), word(2048)),
        storeFraction(at, i32.or(get(sign), get(exponent)), x),
        storeOutOfRange(at, { exponent, sign }),
      ),
    ]),
  ];
  return {
    name: second ? 'multiplyPart1' : 'multiplyPart0',
    parameters: 1,
    locals32: 6,
    locals64: 3,
    body: forAllLanes(lane, body),
  };
}
