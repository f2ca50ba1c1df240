import { storeFloat } from './lane-adder.ts';
import type { Planes } from './planes.ts';

/**
 * Multiplies the words of two planes as plain `fmul` does: both rounded to 25 bits, the product exact or rounded to 25 bits
 * (GRAPE specification 2.5).
 *
 * Details: the product of two significands of 25 bits has at most 51, so a double holds it exactly (GRAPE specification 10).
 */
export function multiplyLanes(
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
  round: boolean,
): void {
  for (let lane = 0; lane < count; lane++) {
    const seA = a.se[atA + lane]!;
    const seB = b.se[atB + lane]!;
    const at = from + lane;
    const sign = (seA ^ seB) >>> 11;
    if ((seA & 0x7ff) === 0 || (seB & 0x7ff) === 0) {
      result.se[at] = sign << 11;
      result.high[at] = 0;
      result.low[at] = 0;
      continue;
    }
    const product =
      rounded25(a.high[atA + lane]!, a.low[atA + lane]!) * rounded25(b.high[atB + lane]!, b.low[atB + lane]!);
    // 49, 50 or 51 bits: scaled to 51, which is exact, so that all that follows knows where the bits are.
    const more = product >= bits50 ? 2 : product >= bits49 ? 1 : 0;
    const scaled = more === 2 ? product : more === 1 ? product * 2 : product * 4;
    let exponent = (seA & 0x7ff) + (seB & 0x7ff) - 1023 + more;
    if (round) {
      let kept = (scaled * (1 / bits26)) | 0;
      const rest = scaled - kept * bits26;
      if (rest > bits25 || (rest === bits25 && (kept & 1) !== 0)) kept++;
      if (kept === bits25) {
        kept = bits25 / 2;
        exponent++;
      }
      storeFloat(result, at, sign, exponent, kept << 6, 0);
    } else {
      const high = (scaled * (1 / bits20)) | 0;
      storeFloat(result, at, sign, exponent, high, (scaled - high * bits20) * 1024);
    }
  }
}

const bits20 = 2 ** 20;
const bits25 = 2 ** 25;
const bits26 = 2 ** 26;
const bits49 = 2 ** 49;
const bits50 = 2 ** 50;

/** The significand of a normal word, rounded to 25 bits; a carry out of the rounding is kept. */
function rounded25(high: number, low: number): number {
  const kept = (high | 0x4000_0000) >>> 6;
  const up = (high & 32) !== 0 && ((high & 31) !== 0 || low !== 0 || (kept & 1) !== 0);
  return up ? kept + 1 : kept;
}
