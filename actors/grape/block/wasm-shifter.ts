import { branch, type Code, get, i32, i64, select, set, type WasmFunction } from './wasm-code.ts';
import { forAllLanes, fraction, storeFraction, wasmPlanes, wide, word } from './wasm-words.ts';

/**
 * `lsl` and `lsr` of GRAPE specification 2.7 by the whole words of B: 72 and more leave nothing, or the sign.
 *
 * Details: a word is 12 bits above 60. Where it moves by 60 or more, only one of the two is left.
 */
export function shifter(direction: 'left' | 'right', signed: boolean): WasmFunction {
  const [lane, se] = [1, 2] as const;
  const [upper, lower, by] = [3, 4, 5] as const;
  const at = get(lane);
  const steps = i32.load(at, wasmPlanes.b.low);
  const isWide = i32.or(
    i32.or(i32.load(at, wasmPlanes.b.se), i32.load(at, wasmPlanes.b.high)),
    i32.greaterUnsigned(steps, word(71)),
  );
  const put = (): Code => [
    ...set(se, i32.and(i32.lower(get(upper)), word(0xfff))),
    ...storeFraction(at, get(se), lower),
  ];
  const rest = i64.subtract(wide(60n), get(by));
  const beyond = i64.subtract(get(by), wide(60n));
  const isNear = i64.lessUnsigned(get(by), wide(60n));
  const moved =
    direction === 'left'
      ? branch(
          isNear,
          [
            ...set(upper, i64.or(i64.shiftLeft(get(upper), get(by)), i64.shiftRight(get(lower), rest))),
            ...set(lower, i64.shiftLeft(get(lower), get(by))),
          ],
          [...set(upper, i64.shiftLeft(get(lower), beyond)), ...set(lower, wide(0n))],
        )
      : branch(
          isNear,
          [
            ...set(lower, i64.or(i64.shiftRight(get(lower), get(by)), i64.shiftLeft(get(upper), rest))),
            ...set(upper, i64.shiftRightSigned(get(upper), get(by))),
          ],
          [
            ...set(lower, i64.shiftRightSigned(get(upper), beyond)),
            ...set(upper, i64.shiftRightSigned(get(upper), wide(63n))),
          ],
        );
  const body = [
    ...set(upper, i64.of(i32.load(at, wasmPlanes.a.se))),
    ...(signed ? set(upper, i64.shiftRightSigned(i64.shiftLeft(get(upper), wide(52n)), wide(52n))) : []),
    ...set(lower, fraction(wasmPlanes.a, at)),
    ...set(by, i64.of(select(word(72), steps, isWide))),
    ...moved,
    ...put(),
  ];
  return {
    name: direction === 'left' ? 'shiftLeft' : signed ? 'shiftRightSigned' : 'shiftRight',
    parameters: 1,
    locals32: 2,
    locals64: 3,
    body: forAllLanes(lane, body),
  };
}
