import { parts } from './exact-reals.ts';

/*
 * Reals as printf writes them (ISO C 7.21.6.1): from their exact value, halves to even. Sign and width are the caller's.
 */

/** numerator / denominator, halves to even. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, 2n * (numerator % denominator)];
  const isUp = rest > denominator || (rest === denominator && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** value * 10^digits as an integer. */
function scaled(value: number, digits: number): bigint {
  const [whole, exponent] = parts(value);
  const power = (base: bigint, by: number): bigint => base ** BigInt(Math.max(0, by));
  return rounded(
    whole * power(2n, exponent) * power(10n, digits),
    power(2n, -exponent) * power(10n, -digits),
  );
}

/** `digits` behind the point, which stands there without them when it `must`. */
function pointed(all: bigint, digits: number, must: boolean): string {
  const text = String(all).padStart(digits + 1, '0');
  const at = text.length - digits;
  return digits === 0 ? `${text}${must ? '.' : ''}` : `${text.slice(0, at)}.${text.slice(at)}`;
}

/** One digit in front of the point, `digits` behind it, and the power of ten. */
function ofPower(value: number, digits: number): readonly [all: bigint, power: number] {
  // With 21 digits no double rounds up to a power of ten.
  const power = Number(value.toExponential(20).split('e')[1]);
  const all = scaled(value, digits - power);
  return all === 10n ** BigInt(digits + 1) ? [all / 10n, power + 1] : [all, power];
}

const powerText = (power: number): string =>
  `e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;

/** Hexadecimal, as many digits as needed when none are asked for. */
function hexadecimal(value: number, digits: number | undefined, must: boolean): string {
  const [whole, exponent] = parts(value);
  const power = value === 0 ? 0 : exponent + 52;
  const kept = Math.min(digits ?? 13, 13);
  const cut = rounded(whole, 1n << BigInt(4 * (13 - kept)));
  const figures = cut.toString(16).padStart(kept + 1, '0');
  const lead = figures.slice(0, figures.length - kept);
  const behind = figures.slice(figures.length - kept);
  const tail = digits === undefined ? behind.replace(/0+$/, '') : behind.padEnd(digits, '0');
  const point = tail !== '' || must ? '.' : '';
  return `0x${lead}${point}${tail}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** A real that is not negative, by a conversion of `f`, `e`, `g` or `a`; with `must` the point always stands there, and zeros at the end of `g`. */
export function realText(value: number, kind: string, digits: number | undefined, must: boolean): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : 'inf';
  if (kind === 'a') return hexadecimal(value, digits, must);
  const behind = digits ?? 6;
  if (kind === 'f') return pointed(scaled(value, behind), behind, must);
  if (kind === 'e') {
    const [all, power] = ofPower(value, behind);
    return `${pointed(all, behind, must)}${powerText(power)}`;
  }
  const significant = Math.max(1, behind);
  const [all, power] = ofPower(value, significant - 1);
  const short = (text: string): string => (must || !text.includes('.') ? text : text.replace(/\.?0+$/, ''));
  if (power < -4 || power >= significant)
    return `${short(pointed(all, significant - 1, must))}${powerText(power)}`;
  const places = significant - 1 - power;
  return short(pointed(scaled(value, places), places, must));
}
