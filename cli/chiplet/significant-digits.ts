/** A number as the original prints it, with so many significant digits: as C++ streams do. */
export function significantDigits(value: number, digits = 6): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const [mantissa = '', exponent = '0'] = value.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (power >= -4 && power < digits) return trimmed(value.toFixed(digits - 1 - power));
  const sign = power < 0 ? '-' : '+';
  return `${trimmed(mantissa)}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}
