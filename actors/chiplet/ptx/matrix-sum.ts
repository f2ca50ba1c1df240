/*
 * How tensor cores add: products are exact; all addends are brought to the exponent of the largest one, and what is below its last bit is cut off; their sum is cut off
 * to an f32 (Fasi, Higham, Mikaitis and Pranesh 2021, Numerical behavior of NVIDIA tensor cores; Khattak and Mikaitis 2025, Accurate models of NVIDIA tensor cores).
 * The two bits more than an f32 has agree with what an H100 answered for f16; for bf16 and tf32 they are taken to be as many.
 */

const fractionBits = 23;
const extraBits = 2;

const real = new Float64Array(1);
const words = new Int32Array(real.buffer);
const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

/** The exponent of a normal double. */
function exponentOf(value: number): number {
  real[0] = value;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

/** The f32 next to a double towards zero; from 2^128 an infinity. */
function cutOff(value: number): number {
  single[0] = value;
  if (Math.abs(single[0]!) > Math.abs(value) && Math.abs(value) < 2 ** 128) singleBits[0]!--;
  return single[0]!;
}

const taken = (values: Float64Array, places: readonly number[]): Float64Array =>
  Float64Array.from(places, (at) => values[at]!);

/** The same for tf32 in `wmma`, of which an H100 adds four products at a time. */
export function sumByFours(a: Float64Array, b: Float64Array, c: number): number {
  let sum = c;
  for (let at = 0; at < a.length; at += 4)
    sum = alignedSum(a.subarray(at, at + 4), b.subarray(at, at + 4), sum);
  return sum;
}

/**
 * The same for e4m3 and e5m2, which an H100 has no tensor cores of `mma` for: it converts them to f16 and multiplies those. It adds the products of the lower two of every four first,
 * from 0, then the others; what there was before is added last, to the nearest.
 */
export function sumOfBytes(a: Float64Array, b: Float64Array, c: number): number {
  const sum = [0, 2].reduce((before, half) => {
    const places = [...a.keys()].filter((at) => (at & 2) === half);
    return alignedSum(taken(a, places), taken(b, places), before);
  }, 0);
  return Math.fround(sum + c);
}

/** The sum of the products of two rows of at most 16 reals, and one more. */
export function alignedSum(a: Float64Array, b: Float64Array, c: number): number {
  let largest = c === 0 ? -1022 : exponentOf(c);
  let plain = c;
  for (let at = 0; at < a.length; at++) {
    const product = a[at]! * b[at]!;
    plain += product;
    // The exponent of a product is the sum of those of its factors, also where it carries.
    if (product !== 0) largest = Math.max(largest, exponentOf(a[at]!) + exponentOf(b[at]!));
  }
  // Infinities and what is no number have no exponent.
  if (!Number.isFinite(plain) || largest === -1022) return plain;
  const unit = 2 ** (largest - fractionBits - extraBits);
  let sum = Math.trunc(c / unit);
  for (let at = 0; at < a.length; at++) sum += Math.trunc((a[at]! * b[at]!) / unit);
  return cutOff(sum * unit);
}
