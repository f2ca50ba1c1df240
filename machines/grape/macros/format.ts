import { RubyError } from './errors.ts';
import { exponentialText, fixedText } from './float-digits.ts';
import { wholeFloat, wholeInteger } from './number-text.ts';
import { toInteger } from './numbers.ts';
import { inspect, isNumeric, RubyString, type RubyValue, textOf, toFloat } from './values.ts';

const directive = /%(%|([-+ 0#]*)(\d+)?(?:\.(\d+))?([a-zA-Z])|)/g;

/** `format`: %d %i %u %x %X %o %b %f %e %g %s %p %c with flags, width and precision. Errors: ArgumentError, Unsupported. */
export function format(template: string, given: readonly RubyValue[]): string {
  let next = 0;
  return template.replace(directive, (whole, _all, flags: string, width, precision, letter) => {
    if (whole === '%%') return '%';
    if (letter === undefined)
      throw new RubyError('Unsupported', 'a directive of format with a number, a name or a star of its own');
    if (next >= given.length) throw new RubyError('ArgumentError', 'too few arguments');
    const value = given[next++]!;
    const body = converted(letter, value, precision === undefined ? undefined : Number(precision), flags);
    return padded(body, flags, width === undefined ? 0 : Number(width), /[dixXobufeEgG]/.test(letter));
  });
}

function converted(letter: string, value: RubyValue, precision: number | undefined, flags: string): string {
  switch (letter) {
    case 's':
      return textOf(value).slice(0, precision);
    case 'p':
      return inspect(value);
    case 'c':
      return value instanceof RubyString ? value.text[0]! : String.fromCodePoint(Number(integerOf(value)));
    case 'd':
    case 'i':
    case 'u':
      return signed(integerOf(value), 10, flags, precision);
    case 'x':
      return signed(integerOf(value), 16, flags, precision, '0x');
    case 'X':
      return signed(integerOf(value), 16, flags, precision, '0X').toUpperCase();
    case 'o':
      return signed(integerOf(value), 8, flags, precision, '0');
    case 'b':
      return signed(integerOf(value), 2, flags, precision, '0b');
    case 'f':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return floating(letter, floatOf(value), precision ?? 6, flags);
    default:
      throw new RubyError('ArgumentError', `malformed format string - %${letter}`);
  }
}

function integerOf(value: RubyValue): bigint {
  if (value instanceof RubyString) return wholeInteger(value);
  if (!isNumeric(value)) throw new RubyError('TypeError', `can't convert ${inspect(value)} into Integer`);
  return typeof value === 'number' ? BigInt(Math.floor(value)) : toInteger(value);
}

function floatOf(value: RubyValue): number {
  if (value instanceof RubyString) return wholeFloat(value);
  if (!isNumeric(value)) throw new RubyError('TypeError', `can't convert ${inspect(value)} into Float`);
  return toFloat(value);
}

const sign = (negative: boolean, flags: string): string =>
  negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';

function signed(
  value: bigint,
  base: number,
  flags: string,
  precision: number | undefined,
  prefix = '',
): string {
  if (base !== 10 && value < 0n && !/[+ ]/.test(flags))
    throw new RubyError('Unsupported', 'format of a negative number in another base without a sign');
  const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 1, '0');
  return `${sign(value < 0n, flags)}${flags.includes('#') ? prefix : ''}${digits}`;
}

function floating(letter: string, value: number, precision: number, flags: string): string {
  const size = Math.abs(value);
  const text =
    letter === 'f'
      ? fixedText(size, precision)
      : letter === 'e' || letter === 'E'
        ? exponentialText(size, precision)
        : general(size, Math.max(1, precision));
  const cased = letter === 'E' || letter === 'G' ? text.toUpperCase() : text;
  return `${sign(value < 0 || Object.is(value, -0), flags)}${cased}`;
}

function general(size: number, precision: number): string {
  if (!Number.isFinite(size)) return fixedText(size, 0);
  const power = size === 0 ? 0 : Number(exponentialText(size, precision - 1).split('e')[1]);
  const text =
    power < -4 || power >= precision
      ? exponentialText(size, precision - 1)
      : fixedText(size, precision - 1 - power);
  return text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text;
}

function padded(body: string, flags: string, width: number, numeric: boolean): string {
  if (flags.includes('-')) return body.padEnd(width);
  if (!flags.includes('0') || !numeric) return body.padStart(width);
  const [head = ''] = /^[-+ ]?(?:0[xXb])?/.exec(body) ?? [];
  return head + body.slice(head.length).padStart(width - head.length, '0');
}
