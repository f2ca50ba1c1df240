import { branch, type Code, get, i32, i64, select, set, type WasmFunction } from './wasm-code.ts';
import {
  forAllLanes,
  fraction,
  magnitude,
  significand,
  store,
  storeRounded,
  wasmPlanes,
  wide,
  word,
} from './wasm-words.ts';

const flip = 1;

/** Less than any exponent can be, by more than a significand is long: of a number that is 0. */
const nowhere = word(-4096);

/** Brings the highest bit of a fraction up to bit 60, and its exponent down by as much; `bits`, `exponent` and `by` are locals. */
const broughtUp = (bits: number, exponent: number, by: number): Code => [
  ...set(by, i64.subtract(i64.leadingZeros(get(bits)), wide(3n))),
  ...set(exponent, select(nowhere, i32.subtract(get(exponent), i32.lower(get(by))), i64.isZero(get(bits)))),
  ...set(bits, i64.shiftLeft(get(bits), get(by))),
];

/**
 * The adder of GRAPE specification 2.4 without the flag O, and with A and B or without; the sign of the second operand is changed by the second
 * parameter, 0 or 0x800.
 *
 * Details: operands without a hidden bit are brought into the form of those with one first, with an exponent that may lie outside of its range. both significands are moved up, by two bits where they are added and by three where one is taken from the other, so that a sum fills
 * 64 bits; the smaller is moved down by the difference of the exponents, and its lowest bit stands for all that fell out. That is enough: bits
 * that fell out can only be looked at after a shift to the left by at most one.
 */
export function adder(short: boolean, hidden: boolean): WasmFunction {
  const [lane, seA, seB, exponent, other, sign, swaps, differ, gap] = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
  const [big, small, by, x, kept] = [11, 12, 13, 14, 15] as const;
  const at = get(lane);
  const body = [
    ...set(seA, i32.load(at, wasmPlanes.a.se)),
    ...set(seB, i32.xor(i32.load(at, wasmPlanes.b.se), get(flip))),
    ...set(exponent, magnitude(seA)),
    ...set(other, magnitude(seB)),
    ...(hidden
      ? [
          ...set(big, significand(wasmPlanes.a, at, get(exponent))),
          ...set(small, significand(wasmPlanes.b, at, get(other))),
        ]
      : [
          ...set(big, fraction(wasmPlanes.a, at)),
          ...set(small, fraction(wasmPlanes.b, at)),
          ...broughtUp(big, exponent, by),
          ...broughtUp(small, other, by),
        ]),
    ...set(gap, i32.subtract(get(exponent), get(other))),
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
    ...set(gap, select(i32.subtract(word(0), get(gap)), get(gap), get(swaps))),
    ...set(by, i64.of(i32.add(get(differ), word(2)))),
    ...set(big, i64.shiftLeft(get(x), get(by))),
    ...set(small, i64.shiftLeft(get(small), get(by))),
    // From 63 bits on only the bit is left that stands for what fell out.
    ...set(by, i64.of(select(get(gap), word(63), i32.lessUnsigned(get(gap), word(63))))),
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
    name: `add${hidden ? '' : 'Parts'}${short ? 'Short' : 'Long'}`,
    parameters: 2,
    locals32: 9,
    locals64: 5,
    body: forAllLanes(lane, body),
  };
}
