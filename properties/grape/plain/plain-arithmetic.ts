/*
 * Multiplier, ALU and conversions of the host in exact integers, from GRAPE specification 2 alone: nothing of the machine is shared.
 */

const fraction = (1n << 60n) - 1n;
const everyBit = (1n << 72n) - 1n;
const bias = 1023n;

const exponentOf = (word: bigint): bigint => (word >> 60n) & 0x7ffn;
const signOf = (word: bigint): bigint => word >> 71n;
const lengthOf = (value: bigint): bigint => BigInt(value.toString(2).length);

/** value / 2^places as the nearest integer, the even one of two; for `places` of 0 and less exactly (GRAPE specification 2.3, RNE). */
export function nearest(value: bigint, places: bigint): bigint {
  if (places <= 0n) return value << -places;
  const down = value >> places;
  const rest = value - (down << places);
  const half = 1n << (places - 1n);
  return rest > half || (rest === half && (down & 1n) === 1n) ? down + 1n : down;
}

const largest = (sign: bigint): bigint => (sign << 71n) | (0x7ffn << 60n) | fraction;

/** The word nearest to M x 2^x, M above 0, with p bits (GRAPE specification 2.3, normRound). */
function normRound(sign: bigint, magnitude: bigint, scale: bigint, p: bigint): bigint {
  const excess = lengthOf(magnitude) - p;
  let q = nearest(magnitude, excess);
  let x = scale + excess;
  if (q === 1n << p) {
    q /= 2n;
    x += 1n;
  }
  const e = x + p - 1n + bias;
  if (e > 2047n) return largest(sign);
  if (e < 1n) return sign << 71n;
  return (sign << 71n) | (e << 60n) | ((q - (1n << (p - 1n))) << (61n - p));
}

/** M x 2^x without a hidden bit, at an exponent or as far above as it must be (GRAPE specification 2.3, unnormOut). */
function unnormOut(sign: bigint, magnitude: bigint, x: bigint, exponent: bigint, short: boolean): bigint {
  let e = exponent;
  const field = (): bigint => {
    const places = e - bias - 60n - x;
    if (short) return nearest(magnitude, places + 36n) << 36n;
    return places >= 0n ? magnitude >> places : magnitude << -places;
  };
  while (field() > fraction) e += 1n;
  if (e > 2047n) return largest(sign);
  if (e < 0n) return sign << 71n;
  return field() === 0n ? e << 60n : (sign << 71n) | (e << 60n) | field();
}

/** The control bits of the multiplier that are on, as letters: capital letters are on unless they are written (GRAPE specification 2.5). */
export const lettersOn = (written: string): string =>
  [...'uvwAxyzBRO'].filter((letter) => /[A-Z]/.test(letter) !== written.includes(letter)).join('');

/** The product of two words under control bits, as letters of those that are on (GRAPE specification 2.5). */
export function product(a: bigint, b: bigint, on: string): bigint {
  const significand = (word: bigint, normal: boolean): bigint => {
    if (!normal) return word & fraction;
    return exponentOf(word) === 0n ? 0n : (1n << 60n) | (word & fraction);
  };
  const everySignificand = (1n << 61n) - 1n;
  let [ma, mb] = [significand(a, on.includes('A')), significand(b, on.includes('B'))];
  let [ea, eb] = [exponentOf(a), exponentOf(b)];
  if (on.includes('u')) [ma, ea] = [(ma << 50n) & everySignificand, ea - 50n];
  if (on.includes('x')) [mb, eb] = [(mb << 25n) & everySignificand, eb - 25n];
  if (on.includes('y')) [mb, eb] = [(mb << 50n) & everySignificand, eb - 50n];
  if (on.includes('w')) ma = nearest(ma, 36n) << 36n;
  else if (on.includes('v')) ma = nearest(ma, 11n) << 11n;
  else ma = (ma >> 11n) << 11n;
  mb = on.includes('z') ? nearest(mb, 36n) << 36n : (mb >> 36n) << 36n;
  const sign = signOf(a) ^ signOf(b);
  const p = ma * mb;
  if (p === 0n) return sign << 71n;
  const x = ea + eb - 2n * (bias + 60n);
  if (!on.includes('O')) return unnormOut(sign, p, x, ea + eb - bias, on.includes('R'));
  return normRound(sign, p, x, on.includes('R') ? 25n : 61n);
}

/** What the ALU makes of two words (GRAPE specification 2.7). */
export function integer(op: string, signed: boolean, a: bigint, b: bigint): bigint {
  const valued = (word: bigint): bigint => (signed && signOf(word) === 1n ? word - (1n << 72n) : word);
  const turned = Number(b % 72n);
  const circle = a.toString(2).padStart(72, '0');
  switch (op) {
    case 'add':
      return (a + b) & everyBit;
    case 'sub':
      return (a - b + (1n << 72n)) & everyBit;
    case 'inc':
      return (a + 1n) & everyBit;
    case 'dec':
      return (a + everyBit) & everyBit;
    case 'not':
      return everyBit - a;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'max':
      return valued(a) > valued(b) ? a : b;
    case 'min':
      return valued(a) < valued(b) ? a : b;
    case 'passa':
      return a;
    case 'passb':
      return b;
    case 'lsl':
      return b >= 72n ? 0n : (a << b) & everyBit;
    case 'lsr':
      if (b >= 72n) return valued(a) < 0n ? everyBit : 0n;
      return (valued(a) >> b) & everyBit;
    case 'bsl':
      return BigInt(`0b${circle.slice(turned)}${circle.slice(0, turned)}`);
    case 'bsr':
      return BigInt(`0b${circle.slice(72 - turned)}${circle.slice(0, 72 - turned)}`);
    default:
      // lnot
      return a === 0n ? 1n : 0n;
  }
}

const view = new DataView(new ArrayBuffer(8));

function bitsOfDouble(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function bitsOfFloat(value: number): bigint {
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}

/** A double as a long word or a short one (GRAPE specification 2.9, conversions 0 and 1). */
export function wordOfDouble(value: number, long: boolean, cuts = false): bigint {
  const bits = bitsOfDouble(value);
  const [sign, e, m] = [bits >> 63n, (bits >> 52n) & 0x7ffn, bits & ((1n << 52n) - 1n)];
  if (long) return e === 0n ? sign << 71n : (sign << 71n) | (e << 60n) | (m << 8n);
  if (e === 0n) return sign << 35n;
  if (e === 0x7ffn || cuts) return (sign << 35n) | (e << 24n) | (m >> 28n);
  return ((sign << 35n) | (e << 24n)) + nearest(m, 28n);
}

/** A value of the host as the word of the chip, by the name of the conversion (GRAPE specification 2.9). */
export function wordOfHostValue(conversion: string, value: number | bigint, cuts: boolean): bigint {
  const wrapped = (bits: bigint): bigint => {
    const all = 1n << bits;
    return (((typeof value === 'bigint' ? value : BigInt(Math.trunc(value))) % all) + all) % all;
  };
  const extended = (bits: bigint, to: bigint): bigint => {
    const word = wrapped(bits);
    return word >> (bits - 1n) === 1n ? word + (1n << to) - (1n << bits) : word;
  };
  switch (conversion) {
    case 'flt64to72':
      return wordOfDouble(Number(value), true);
    case 'flt64to36':
      return wordOfDouble(Number(value), false, cuts);
    case 'flt32to36': {
      const bits = bitsOfFloat(Number(value));
      const [sign, e, m] = [bits >> 31n, (bits >> 23n) & 0xffn, bits & 0x7f_ffffn];
      if (e === 0n) return sign << 35n;
      return (sign << 35n) | ((e === 0xffn ? 0x7ffn : e + 896n) << 24n) | (m << 1n);
    }
    case 'fix64to72l':
      return wrapped(64n) << 8n;
    case 'fix64to72rs':
      return extended(64n, 72n);
    case 'fix64to72ru':
      return wrapped(64n);
    case 'fix64to36':
      return wrapped(64n) % (1n << 36n);
    case 'fix32to36l':
      return wrapped(32n) << 4n;
    case 'fix32to36rs':
      return extended(32n, 36n);
    default:
      // fix32to36ru
      return wrapped(32n);
  }
}

/** What the host reads in the bits that it receives. */
export function hostValueOf(conversion: string, bits: bigint): number | bigint {
  if (conversion.startsWith('fix')) return bits >> 63n === 1n ? bits - (1n << 64n) : bits;
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
