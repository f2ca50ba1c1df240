import { RubyError } from './errors.ts';
import { inspect, type RubyString, type RubyValue } from './values.ts';

/** Digits with single underscores between them. */
const digitsOf = (digit: string): string => `${digit}+(?:_${digit}+)*`;
const integerText = new RegExp(
  `^\\s*([+-]?)(?:0[xX](${digitsOf('[0-9a-fA-F]')})|0[bB](${digitsOf('[01]')})|0[oO]?_?(${digitsOf('[0-7]')})|(0|[1-9][0-9]*(?:_[0-9]+)*))\\s*$`,
);
const floatText = new RegExp(
  `^\\s*[+-]?${digitsOf('[0-9]')}(?:\\.${digitsOf('[0-9]')})?(?:[eE][+-]?${digitsOf('[0-9]')})?\\s*$`,
);

const bad = (name: 'Integer' | 'Float', value: RubyValue): RubyError =>
  new RubyError('ArgumentError', `invalid value for ${name}(): ${inspect(value)}`);

/** A whole text as an integer, with the prefixes that Ruby's literals have. Errors: `RubyError` ArgumentError. */
export function wholeInteger(value: RubyString): bigint {
  const match = integerText.exec(value.text);
  if (!match) throw bad('Integer', value);
  const [, sign, hexadecimal, binary, octal, decimal = '0'] = match;
  const literal =
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const size = BigInt(literal.replaceAll('_', ''));
  return sign === '-' ? -size : size;
}

/** A whole text as a float. Errors: `RubyError` ArgumentError. */
export function wholeFloat(value: RubyString): number {
  if (!floatText.test(value.text)) throw bad('Float', value);
  return Number(value.text.replaceAll('_', ''));
}

const prefixes: Readonly<Record<number, string>> = { 2: '0b', 8: '0o?', 10: '0d', 16: '0x' };

/** A base of digits. Errors: `RubyError` ArgumentError. */
export function radix(base: number): number {
  if (base < 2 || base > 36) throw new RubyError('ArgumentError', `invalid radix ${base}`);
  return base;
}

/** The integer that a text begins with, 0 where it begins with none: `to_i`. Errors: `RubyError` ArgumentError, Unsupported. */
export function leadingInteger(text: string, base: number): bigint {
  if (base === 0) throw new RubyError('Unsupported', 'to_i with base 0');
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix(base));
  const prefix = prefixes[base];
  const match = new RegExp(
    `^\\s*([+-]?)(?:${prefix ?? ''}(?=[${allowed}]))?((?:[${allowed}]+(?:_[${allowed}]+)*)?)`,
    'i',
  ).exec(text)!;
  let value = 0n;
  for (const digit of match[2]!.toLowerCase().replaceAll('_', ''))
    value = value * BigInt(base) + BigInt(allowed.indexOf(digit));
  return match[1] === '-' ? -value : value;
}
