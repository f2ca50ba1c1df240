import { RubyError } from './errors.ts';
import {
  classOf,
  compareNumbers,
  described,
  isNumeric,
  type RubyNumeric,
  RubyRational,
  type RubyValue,
  toFloat,
  toRational,
} from './values.ts';

/** An operation on two numbers: fractions stay fractions, one float makes a float (GRAPE specification 5). */
export function arithmetic(op: string, a: RubyNumeric, b: RubyValue): RubyValue {
  if (!isNumeric(b)) throw new RubyError('TypeError', `${classOf(b)} can't be coerced into ${classOf(a)}`);
  switch (op) {
    case '<':
      return compareNumbers(a, b) < 0;
    case '>':
      return compareNumbers(a, b) > 0;
    case '<=':
      return compareNumbers(a, b) <= 0;
    case '>=':
      return compareNumbers(a, b) >= 0;
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      return bitwise(op, a, b);
    default:
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') return integers(op, a, b);
  if (typeof a === 'number' || typeof b === 'number') return floats(op, toFloat(a), toFloat(b));
  return fractions(op, toRational(a), toRational(b));
}

function bitwise(op: '&' | '|' | '^' | '<<' | '>>', a: RubyNumeric, b: RubyNumeric): bigint {
  if (typeof a !== 'bigint' || typeof b !== 'bigint')
    throw new RubyError('NoMethodError', `undefined method '${op}' for ${described(a)}`);
  switch (op) {
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return shifted(a, b);
    case '>>':
      return shifted(a, -b);
  }
}

/** Bits that an integer may get; Ruby has as many as fit into memory. */
const bitsMax = 1_000_000n;

const bitsOf = (value: bigint): bigint => BigInt(value.toString(2).length);

function bounded(bits: bigint): void {
  if (bits > bitsMax) throw new RubyError('Unsupported', `an integer of more than ${bitsMax} bits`);
}

/** Shifted to the left, or to the right where `by` is negative. */
function shifted(value: bigint, by: bigint): bigint {
  if (by > 0n && value !== 0n) bounded(bitsOf(value) + by);
  return value === 0n ? 0n : value << by;
}

function power(base: bigint, exponent: bigint): bigint {
  if (base < -1n || base > 1n) bounded((bitsOf(base) - 1n) * exponent);
  return base ** exponent;
}

function integers(op: string, a: bigint, b: bigint): RubyValue {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return floorDivide(a, b);
    case '%':
      return a - b * floorDivide(a, b);
    case '**':
      return b >= 0n ? power(a, b) : new RubyRational(1n, power(a, -b));
    default:
      throw new RubyError('NoMethodError', `undefined method '${op}' for an instance of Integer`);
  }
}

/** Division downward, as Ruby divides integers. */
export function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new RubyError('ZeroDivisionError', 'divided by 0');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function floats(op: string, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%': {
      if (b === 0) throw new RubyError('Unsupported', 'a remainder by 0.0');
      const rest = a % b;
      // The sign is that of what is divided by.
      return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
    }
    case '**':
      return a ** b;
    default:
      throw new RubyError('NoMethodError', `undefined method '${op}' for an instance of Float`);
  }
}

function fractions(op: string, a: RubyRational, b: RubyRational): RubyValue {
  switch (op) {
    case '+':
      return new RubyRational(a.num * b.den + b.num * a.den, a.den * b.den);
    case '-':
      return new RubyRational(a.num * b.den - b.num * a.den, a.den * b.den);
    case '*':
      return new RubyRational(a.num * b.num, a.den * b.den);
    case '/':
      return new RubyRational(a.num * b.den, a.den * b.num);
    default:
      throw new RubyError('Unsupported', `"${op}" on fractions`);
  }
}

/** A number as an integer, toward zero. */
export function toInteger(value: RubyNumeric): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof RubyRational) return value.num / value.den;
  if (!Number.isFinite(value)) throw new RubyError('ArgumentError', `${value} has no integer`);
  return BigInt(Math.trunc(value));
}

/** Rounds half away from zero, to so many decimal places; an integer for none. */
export function rounded(value: RubyNumeric, places: number): RubyValue {
  if (typeof value === 'bigint' && places >= 0) return value;
  if (places < 0) {
    const whole = toInteger(value);
    const size = whole < 0n ? -whole : whole;
    if (-places > String(size).length) return 0n;
    const unit = 10n ** BigInt(-places);
    const kept = ((size + unit / 2n) / unit) * unit;
    return whole < 0n ? -kept : kept;
  }
  const float = toFloat(value);
  const size = Math.abs(float);
  if (places === 0) return BigInt(Math.sign(float) * Math.round(size));
  if (places > 100) throw new RubyError('Unsupported', 'rounding to more than 100 places');
  if (places > 14) return Number(float.toFixed(places));
  const unit = 10 ** places;
  const nearest = Math.round(size * unit);
  // The product is rounded itself: a half that it lost is given back, as Ruby does.
  const kept = (nearest + 0.5) / unit <= size ? nearest + 1 : nearest;
  return (Math.sign(float) * kept) / unit;
}
