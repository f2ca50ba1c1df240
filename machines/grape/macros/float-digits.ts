/** Digits that JavaScript gives exactly, at most. */
const digitsMost = 100;

/** True when what follows the first `kept` characters is exactly a half of the last of them. */
const isTie = (exact: string, kept: number): boolean => /^50*$/.test(exact.slice(kept));

/**
 * A number with so many decimals, as C prints it: to the nearest, ties to even, where JavaScript takes the larger.
 *
 * Details: `size` is not negative. Large ones have all their digits.
 */
export function fixedText(size: number, decimals: number): string {
  if (!Number.isFinite(size)) return Number.isNaN(size) ? 'NaN' : 'Inf';
  if (size >= 1e21) return `${BigInt(size)}${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}`;
  const nearest = size.toFixed(decimals);
  const exact = size.toFixed(Math.min(digitsMost, decimals + 60)).replace('.', '');
  const kept = exact.length - (Math.min(digitsMost, decimals + 60) - decimals);
  if (!isTie(exact, kept) || Number(exact[kept - 1]) % 2 === 1) return nearest;
  const digits = exact.slice(0, kept);
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A number with one digit before the point and so many after it, and its power of ten with a sign and two digits at least, as C prints it. */
export function exponentialText(size: number, decimals: number): string {
  if (!Number.isFinite(size)) return Number.isNaN(size) ? 'NaN' : 'Inf';
  const [nearest, power] = size.toExponential(decimals).split('e') as [string, string];
  const [exact, ownPower] = size.toExponential(Math.min(digitsMost, decimals + 60)).split('e') as [
    string,
    string,
  ];
  const digits = exact.replace('.', '');
  const isDown = isTie(digits, decimals + 1) && Number(digits[decimals]) % 2 === 0;
  const mantissa = isDown
    ? `${digits[0]}${decimals === 0 ? '' : `.${digits.slice(1, decimals + 1)}`}`
    : nearest;
  return `${mantissa}e${(isDown ? ownPower : power).replace(/^([+-])(\d)$/, '$10$2')}`;
}
