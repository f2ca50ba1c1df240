import { RubyError } from './errors.ts';

/** A string that can be changed in place. */
export class RubyString {
  text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A symbol. */
export class RubySymbol {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A range of integers or floats. */
export class RubyRange {
  readonly from: RubyValue;
  readonly to: RubyValue;
  readonly exclusive: boolean;
  constructor(from: RubyValue, to: RubyValue, exclusive: boolean) {
    this.from = from;
    this.to = to;
    this.exclusive = exclusive;
  }
}

/** A fraction in lowest terms, with a positive denominator. */
export class RubyRational {
  readonly num: bigint;
  readonly den: bigint;
  constructor(num: bigint, den: bigint) {
    if (den === 0n) throw new RubyError('ZeroDivisionError', 'divided by 0');
    const sign = den < 0n ? -1n : 1n;
    const common = gcd(num < 0n ? -num : num, den < 0n ? -den : den) || 1n;
    this.num = (sign * num) / common;
    this.den = (sign * den) / common;
  }
}

/** A hash: pairs in the order of their insertion. */
export class RubyHash {
  readonly #pairs = new Map<string, [RubyValue, RubyValue]>();
  get(key: RubyValue): RubyValue {
    return this.#pairs.get(keyOf(key))?.[1] ?? null;
  }
  has(key: RubyValue): boolean {
    return this.#pairs.has(keyOf(key));
  }
  set(key: RubyValue, value: RubyValue): void {
    this.#pairs.set(keyOf(key), [key instanceof RubyString ? new RubyString(key.text) : key, value]);
  }
  delete(key: RubyValue): void {
    this.#pairs.delete(keyOf(key));
  }
  get pairs(): [RubyValue, RubyValue][] {
    return [...this.#pairs.values()].map(([key, value]) => [key, value]);
  }
}

/** A block, or a method as one. */
export type RubyBlock = (...given: RubyValue[]) => RubyValue;

/** What an expression can be: integers are bigints, floats numbers, nil is null. */
export type RubyValue =
  | null
  | boolean
  | bigint
  | number
  | RubyString
  | RubySymbol
  | RubyRange
  | RubyRational
  | RubyHash
  | RubyValue[];

export const truthy = (value: RubyValue): boolean => value !== null && value !== false;

/** Name of a value's class, for messages. */
export function classOf(value: RubyValue): string {
  if (value === null) return 'NilClass';
  if (value === true) return 'TrueClass';
  if (value === false) return 'FalseClass';
  if (typeof value === 'bigint') return 'Integer';
  if (typeof value === 'number') return 'Float';
  if (Array.isArray(value)) return 'Array';
  return value.constructor.name.replace('Ruby', '');
}

/** How Ruby names a value that has no such method. */
export const described = (value: RubyValue): string =>
  value === null || typeof value === 'boolean' ? inspect(value) : `an instance of ${classOf(value)}`;

/** How a value appears in text: `to_s`. */
export function textOf(value: RubyValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return floatText(value);
  if (value instanceof RubyString) return value.text;
  if (value instanceof RubySymbol) return value.name;
  if (value instanceof RubyRational) return `${value.num}/${value.den}`;
  if (value instanceof RubyRange)
    return `${textOf(value.from)}${value.exclusive ? '...' : '..'}${textOf(value.to)}`;
  if (Array.isArray(value) || value instanceof RubyHash) return inspect(value);
  return String(value);
}

/** How `p` shows a value. */
export function inspect(value: RubyValue): string {
  if (value === null) return 'nil';
  if (value instanceof RubyString) return quoted(value.text);
  if (value instanceof RubySymbol) return isPlain(value.name) ? `:${value.name}` : `:${quoted(value.name)}`;
  if (value instanceof RubyRational) return `(${value.num}/${value.den})`;
  if (Array.isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (value instanceof RubyHash) {
    const pairs = value.pairs.map(([key, one]) =>
      key instanceof RubySymbol
        ? `${isLabel(key.name) ? key.name : quoted(key.name)}: ${inspect(one)}`
        : `${inspect(key)} => ${inspect(one)}`,
    );
    return `{${pairs.join(', ')}}`;
  }
  if (value instanceof RubyRange)
    return `${inspect(value.from)}${value.exclusive ? '...' : '..'}${inspect(value.to)}`;
  return textOf(value);
}

const isLabel = (name: string): boolean => /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*[?!]?$/.test(name);

/** True for the name of a symbol that needs no quotes: a name, a setter, an operator. */
const isPlain = (name: string): boolean =>
  isLabel(name) ||
  /^([A-Za-z_]\w*=|\[\]=?|[-+~!*/%&|^<>]|\*\*|<<|>>|<=|>=|<=>|===?|=~|!=|!~|[-+]@)$/.test(name);

function quoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '\u0007': '\\a',
    '\b': '\\b',
    '\u000b': '\\v',
    '\f': '\\f',
    '\u001b': '\\e',
    '\u007f': '\\x7F',
    '"': '\\"',
    '\\': '\\\\',
  };
  return `"${[...text]
    .map((char) => escapes[char] ?? (char < ' ' ? `\\u${codeOf(char)}` : char))
    .join('')
    .replace(/#(?=[{$@])/g, '\\#')}"`;
}

const codeOf = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

/** A float as Ruby prints it: with a point always, in powers of ten from 1e16 up and below 1e-4. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, power] = value.toExponential().split('e') as [string, string];
    const number = Number(power);
    const mantissa = digits.includes('.') ? digits : `${digits}.0`;
    return `${mantissa}e${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(2, '0')}`;
  }
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.]/.test(text) ? text : `${text}.0`;
}

/** Equality as `==` has it: numbers by value, the rest by content. */
export function equal(a: RubyValue, b: RubyValue): boolean {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (a instanceof RubyString && b instanceof RubyString) return a.text === b.text;
  if (a instanceof RubySymbol && b instanceof RubySymbol) return a.name === b.name;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => equal(one, b[at]!));
  if (a instanceof RubyRange && b instanceof RubyRange)
    return equal(a.from, b.from) && equal(a.to, b.to) && a.exclusive === b.exclusive;
  if (a instanceof RubyHash && b instanceof RubyHash)
    return (
      a.pairs.length === b.pairs.length &&
      a.pairs.every(([key, value]) => b.has(key) && equal(value, b.get(key)))
    );
  return a === b;
}

/** A number of any kind. */
export type RubyNumeric = bigint | number | RubyRational;

export const isNumeric = (value: RubyValue): value is RubyNumeric =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof RubyRational;

/** Any number as a float. */
export const toFloat = (value: RubyNumeric): number =>
  value instanceof RubyRational ? Number(value.num) / Number(value.den) : Number(value);

/** -1, 0 or 1; NaN when one of them is no number. */
export function compareNumbers(a: RubyNumeric, b: RubyNumeric): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a !== 'number' && typeof b !== 'number') {
    const [x, y] = [toRational(a), toRational(b)];
    return compareNumbers(x.num * y.den, y.num * x.den);
  }
  const [x, y] = [toFloat(a), toFloat(b)];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
}

/** An integer or a fraction as a fraction. */
export const toRational = (value: bigint | RubyRational): RubyRational =>
  value instanceof RubyRational ? value : new RubyRational(value, 1n);

/** The order of two values as `<=>` has it; undefined when they cannot be compared. */
export function order(a: RubyValue, b: RubyValue): number | undefined {
  if (isNumeric(a) && isNumeric(b)) {
    const found = compareNumbers(a, b);
    return Number.isNaN(found) ? undefined : found;
  }
  const texts = [a, b].map((one) =>
    one instanceof RubyString ? one.text : one instanceof RubySymbol ? one.name : undefined,
  );
  const [x, y] = texts;
  if (x !== undefined && y !== undefined && classOf(a) === classOf(b)) return x < y ? -1 : x > y ? 1 : 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      const found = order(a[at]!, b[at]!);
      if (found !== 0) return found;
    }
    return Math.sign(a.length - b.length);
  }
  return undefined;
}

/** What makes two keys of a hash the same: kind and content. */
function keyOf(value: RubyValue): string {
  return `${classOf(value)} ${inspect(value)}`;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
