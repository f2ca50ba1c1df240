import { half, type Planes } from './planes.ts';

const top = 0x4000_0000;

/**
 * Adds the words of two planes, normalised in and out, rounded to 61 or 25 bits: the adder of GRAPE specification 2.4 without the flags A, B, O.
 *
 * Details: significands are 61 bits in limbs of 31 and 30; the smaller one is shifted right through a third limb of 30 bits and a sticky bit
 * (GRAPE specification 10). Words `from` to `from + count - 1` of the result; the operands begin at their own places.
 */
export function addLanes(
  a: Planes,
  atA: number,
  b: Planes,
  atB: number,
  result: Planes,
  from: number,
  count: number,
  sub: boolean,
  round: boolean,
): void {
  const flip = sub ? 0x800 : 0;
  for (let lane = 0; lane < count; lane++) {
    const seA = a.se[atA + lane]!;
    const seB = b.se[atB + lane]! ^ flip;
    let exponent = seA & 0x7ff;
    let other = seB & 0x7ff;
    // A word with exponent 0 is zero, whatever its fraction.
    let high = exponent === 0 ? 0 : a.high[atA + lane]! | top;
    let low = exponent === 0 ? 0 : a.low[atA + lane]!;
    let smallHigh = other === 0 ? 0 : b.high[atB + lane]! | top;
    let smallLow = other === 0 ? 0 : b.low[atB + lane]!;
    let sign = seA >>> 11;
    const differ = sign !== seB >>> 11;
    if (
      other > exponent ||
      (other === exponent && (smallHigh > high || (smallHigh === high && smallLow > low)))
    ) {
      const [e, h, l] = [exponent, high, low];
      exponent = other;
      high = smallHigh;
      low = smallLow;
      other = e;
      smallHigh = h;
      smallLow = l;
      sign = seB >>> 11;
    }
    const at = from + lane;
    if (high === 0) {
      // Both are zero: negative only when both are.
      result.se[at] = (seA & seB & 0x800) as number;
      result.high[at] = 0;
      result.low[at] = 0;
      continue;
    }

    let guard = 0;
    let sticky = 0;
    const shift = exponent - other;
    if (smallHigh !== 0 && shift > 0) {
      if (shift < 30) {
        guard = (smallLow << (30 - shift)) & half;
        smallLow = ((smallHigh << (30 - shift)) & half) | (smallLow >>> shift);
        smallHigh >>>= shift;
      } else if (shift < 60) {
        const by = shift - 30;
        sticky = by > 0 && (smallLow & ((1 << by) - 1)) !== 0 ? 1 : 0;
        guard = by === 0 ? smallLow : ((smallHigh << (30 - by)) & half) | (smallLow >>> by);
        smallLow = (smallHigh >>> by) & half;
        smallHigh = by === 0 ? smallHigh >>> 30 : 0;
      } else if (shift < 90) {
        const by = shift - 60;
        sticky = smallLow !== 0 || (by > 0 && (smallHigh & ((1 << by) - 1)) !== 0) ? 1 : 0;
        guard = (smallHigh >>> by) & half;
        smallLow = by === 0 ? smallHigh >>> 30 : 0;
        smallHigh = 0;
      } else {
        sticky = 1;
        smallHigh = 0;
        smallLow = 0;
      }
    }

    if (!differ) {
      low += smallLow;
      // Whole numbers of 32 bits throughout: a carry out of the upper limb is its sign.
      high = (high + smallHigh + (low >>> 30)) | 0;
      low &= half;
      if (high < 0) {
        sticky |= guard & 1;
        guard = (guard >>> 1) | ((low & 1) << 29);
        low = (low >>> 1) | ((high & 1) << 29);
        high >>>= 1;
        exponent++;
      }
    } else {
      guard = -guard - sticky;
      let borrow = 0;
      if (guard < 0) {
        guard += top;
        borrow = 1;
      }
      low -= smallLow + borrow;
      borrow = 0;
      if (low < 0) {
        low += top;
        borrow = 1;
      }
      high -= smallHigh + borrow;
      if (high === 0) {
        if (low === 0 && guard === 0 && sticky === 0) {
          result.se[at] = 0;
          result.high[at] = 0;
          result.low[at] = 0;
          continue;
        }
        while (high === 0) {
          high = low;
          low = guard;
          guard = 0;
          exponent -= 30;
        }
      }
      const left = Math.clz32(high) - 1;
      if (left > 0) {
        high = (high << left) | (low >>> (30 - left));
        low = ((low << left) & half) | (guard >>> (30 - left));
        guard = (guard << left) & half;
        exponent -= left;
      }
    }

    if (round) {
      let kept = high >>> 6;
      if (
        (high & 32) !== 0 &&
        ((high & 31) !== 0 || low !== 0 || guard !== 0 || sticky !== 0 || (kept & 1) !== 0)
      ) {
        kept++;
        if (kept === 0x200_0000) {
          kept >>>= 1;
          exponent++;
        }
      }
      high = kept << 6;
      low = 0;
    } else if (guard >= 0x2000_0000 && ((guard & 0x1fff_ffff) !== 0 || sticky !== 0 || (low & 1) !== 0)) {
      low++;
      if (low > half) {
        low = 0;
        high = (high + 1) | 0;
        if (high < 0) {
          high = top;
          exponent++;
        }
      }
    }
    storeFloat(result, at, sign, exponent, high, low);
  }
}

/** Stores a normalised word: the largest one beyond the range of the exponent, a signed zero below it. */
export function storeFloat(
  { se, high: highs, low: lows }: Planes,
  at: number,
  sign: number,
  exponent: number,
  high: number,
  low: number,
): void {
  if (exponent > 2047) {
    se[at] = (sign << 11) | 0x7ff;
    highs[at] = half;
    lows[at] = half;
  } else if (exponent < 1) {
    se[at] = sign << 11;
    highs[at] = 0;
    lows[at] = 0;
  } else {
    se[at] = (sign << 11) | exponent;
    highs[at] = high & half;
    lows[at] = low;
  }
}
