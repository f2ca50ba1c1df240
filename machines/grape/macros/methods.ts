import { RubyError } from './errors.ts';
import { format } from './format.ts';
import { leadingInteger, radix } from './number-text.ts';
import { arithmetic, floorDivide, rounded, toInteger } from './numbers.ts';
import { checkForm } from './supported-calls.ts';
import {
  classOf,
  described,
  equal,
  inspect,
  isNumeric,
  order,
  type RubyBlock,
  RubyHash,
  type RubyNumeric,
  RubyRange,
  RubyString,
  RubySymbol,
  type RubyValue,
  textOf,
  toFloat,
  truthy,
} from './values.ts';

/** A method of a kind of value; undefined when the kind has none of the name. */
type Methods<V> = Readonly<
  Record<string, (self: V, given: readonly RubyValue[], block: RubyBlock | undefined) => RubyValue>
>;

const str = (text: string): RubyString => new RubyString(text);

const missing = (self: RubyValue, name: string): RubyError =>
  new RubyError('NoMethodError', `undefined method '${name}' for ${described(self)}`);

function needed(block: RubyBlock | undefined, name: string): RubyBlock {
  if (!block) throw new RubyError('Unsupported', `${name} without a block`);
  return block;
}

function count(value: RubyValue | undefined): number {
  if (value === undefined || !isNumeric(value))
    throw new RubyError('TypeError', `no implicit conversion of ${classOf(value ?? null)} into Integer`);
  return Number(toInteger(value));
}

/** Elements that a list may get at a time; Ruby has as many as fit into memory. */
const elementsMax = 10_000_000;

/** A number of elements or repetitions. */
function amount(value: RubyValue | undefined, negative = 'negative argument'): number {
  const size = count(value);
  if (size < 0) throw new RubyError('ArgumentError', negative);
  return size;
}

function positive(value: RubyValue | undefined, otherwise: string): number {
  const size = count(value);
  if (size <= 0) throw new RubyError('ArgumentError', otherwise);
  return size;
}

function listed(elements: number): number {
  if (elements > elementsMax)
    throw new RubyError('Unsupported', `more than ${elementsMax} elements at a time`);
  return elements;
}

function number(value: RubyValue | undefined): RubyNumeric {
  if (value === undefined || !isNumeric(value))
    throw new RubyError('TypeError', `${classOf(value ?? null)} is no number`);
  return value;
}

function text(value: RubyValue | undefined): string {
  if (value instanceof RubyString) return value.text;
  throw new RubyError('TypeError', `no implicit conversion of ${classOf(value ?? null)} into String`);
}

/** The values of something that can be walked through. */
export function listOf(value: RubyValue): RubyValue[] {
  if (Array.isArray(value)) return value;
  if (value instanceof RubyHash) return value.pairs;
  if (value instanceof RubyRange) return rangeValues(value, 1n);
  throw missing(value, 'each');
}

function rangeValues({ from, to, exclusive }: RubyRange, step: bigint): RubyValue[] {
  if (
    from instanceof RubyString &&
    to instanceof RubyString &&
    from.text.length === 1 &&
    to.text.length === 1
  ) {
    const [first, last] = [from.text.charCodeAt(0), to.text.charCodeAt(0) - (exclusive ? 1 : 0)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
      str(String.fromCharCode(first + at)),
    );
  }
  if (from instanceof RubyString) throw new RubyError('Unsupported', 'a range of longer strings');
  if (to === null) throw new RubyError('Unsupported', 'a range without an end');
  const [first, last] = [number(from), number(to)];
  if (typeof first !== 'bigint') throw new RubyError('TypeError', `can't iterate from ${classOf(from)}`);
  if (step === 0n) throw new RubyError('ArgumentError', "step can't be 0");
  if (step < 0n) throw new RubyError('Unsupported', 'a step downward on a range');
  listed((toFloat(last) - Number(first)) / Number(step));
  const values: RubyValue[] = [];
  for (let at = first; exclusive ? at < toFloat(last) : at <= toFloat(last); at += step) values.push(at);
  return values;
}

const anyMethods: Methods<RubyValue> = {
  to_s: (self) => str(textOf(self)),
  inspect: (self) => str(inspect(self)),
  '==': (self, [other]) => equal(self, other!),
  '!=': (self, [other]) => !equal(self, other!),
  '===': (self, [other]) => equal(self, other!),
  '!': (self) => !truthy(self),
  'nil?': (self) => self === null,
  '<=>': (self, [other]) => {
    const found = order(self, other!);
    return found === undefined ? null : BigInt(found);
  },
  class: (self) => new RubySymbol(classOf(self)),
  dup: (self) => (Array.isArray(self) ? [...self] : self instanceof RubyString ? str(self.text) : self),
  freeze: (self) => self,
  to_a: (self) => (self === null ? [] : [...listOf(self)]),
};

const numericMethods: Methods<RubyNumeric> = {
  '-@': (self) => (typeof self === 'object' ? arithmetic('*', self, -1n) : -self),
  '+@': (self) => self,
  to_i: toInteger,
  to_f: toFloat,
  abs: (self) => (toFloat(self) < 0 ? numericMethods['-@']!(self, [], undefined) : self),
  floor: (self) => (typeof self === 'bigint' ? self : BigInt(Math.floor(toFloat(self)))),
  ceil: (self) => (typeof self === 'bigint' ? self : BigInt(Math.ceil(toFloat(self)))),
  round: (self, [places]) => rounded(self, places === undefined ? 0 : count(places)),
  truncate: toInteger,
  'zero?': (self) => toFloat(self) === 0,
  'even?': (self) => toInteger(self) % 2n === 0n,
  'odd?': (self) => toInteger(self) % 2n !== 0n,
  succ: (self) => toInteger(self) + 1n,
  pred: (self) => toInteger(self) - 1n,
  chr: (self) => {
    const code = Number(toInteger(self));
    if (code < 0 || code > 127) throw new RubyError('Unsupported', 'chr of what is not in ASCII');
    return str(String.fromCharCode(code));
  },
  div: (self, [by]) => floorDivide(toInteger(self), toInteger(number(by))),
  fdiv: (self, [by]) => toFloat(self) / toFloat(number(by)),
  divmod: (self, [by]) => {
    const rest = arithmetic('%', self, number(by)) as RubyNumeric;
    if (typeof self === 'bigint' && typeof by === 'bigint') return [floorDivide(self, by), rest];
    return [BigInt(Math.floor(toFloat(self) / toFloat(number(by)))), rest];
  },
  modulo: (self, [by]) => arithmetic('%', self, by!),
  pow: (self, [by]) => arithmetic('**', self, by!),
  '~': (self) => ~toInteger(self),
  '[]': (self, [bit]) => (toInteger(self) >> toInteger(number(bit))) & 1n,
  to_s: (self, [base]) =>
    str(typeof self === 'bigint' && base !== undefined ? self.toString(radix(count(base))) : textOf(self)),
  times: (self, _given, block) => {
    const times = toInteger(self);
    if (!block) return rangeValues(new RubyRange(0n, times, true), 1n);
    for (let at = 0n; at < times; at++) block(at);
    return self;
  },
  upto: (self, [last], block) => {
    for (const at of rangeValues(new RubyRange(self, last!, false), 1n)) needed(block, 'upto')(at);
    return self;
  },
  downto: (self, [last], block) => {
    const least = toFloat(number(last));
    for (let at = toInteger(self); at >= least; at--) needed(block, 'downto')(at);
    return self;
  },
  step: (self, [last, by = 1n], block) => {
    const each = needed(block, 'step');
    const step = number(by);
    const limit = toFloat(number(last));
    if (toFloat(step) === 0) throw new RubyError('ArgumentError', "step can't be 0");
    const rises = toFloat(step) > 0;
    for (let n = 0n; ; n++) {
      const at = arithmetic('+', self, arithmetic('*', step, n)) as RubyNumeric;
      if (rises ? toFloat(at) > limit : toFloat(at) < limit) return self;
      each(at);
    }
  },
};

const stringMethods: Methods<RubyString> = {
  '+': (self, [other]) => str(self.text + text(other)),
  '*': (self, [times]) => str(self.text.repeat(amount(times))),
  '%': (self, [given]) => str(format(self.text, Array.isArray(given) ? given : [given!])),
  '<<': (self, [other]) => {
    self.text += typeof other === 'bigint' ? String.fromCodePoint(Number(other)) : text(other);
    return self;
  },
  concat: (self, others) => {
    for (const other of others) self.text += text(other);
    return self;
  },
  upcase: (self) => str(self.text.toUpperCase()),
  downcase: (self) => str(self.text.toLowerCase()),
  capitalize: (self) => str(self.text.charAt(0).toUpperCase() + self.text.slice(1).toLowerCase()),
  reverse: (self) => str([...self.text].reverse().join('')),
  strip: (self) => str(self.text.trim()),
  chomp: (self) => str(self.text.replace(/\r?\n$/, '')),
  length: (self) => BigInt([...self.text].length),
  'empty?': (self) => self.text === '',
  'include?': (self, [part]) => self.text.includes(text(part)),
  'start_with?': (self, parts) => parts.some((part) => self.text.startsWith(text(part))),
  'end_with?': (self, parts) => parts.some((part) => self.text.endsWith(text(part))),
  index: (self, [part]) => {
    const at = self.text.indexOf(text(part));
    return at < 0 ? null : BigInt(at);
  },
  split: (self, [by]) => {
    if (by === undefined || (by instanceof RubyString && by.text === ' '))
      return self.text.split(/\s+/).filter(Boolean).map(str);
    const parts = self.text.split(text(by));
    while (parts.at(-1) === '') parts.pop();
    return parts.map(str);
  },
  lines: (self) => (self.text.match(/[^\n]*\n|[^\n]+/g) ?? []).map(str),
  chars: (self) => [...self.text].map(str),
  sub: (self, [part, by]) => str(self.text.replace(text(part), () => replacement(by))),
  gsub: (self, [part, by]) => str(self.text.replaceAll(text(part), () => replacement(by))),
  tr: (self, [from, to]) => str(translated(self.text, text(from), text(to))),
  ljust: (self, [width, pad]) => str(self.text.padEnd(count(width), pad === undefined ? ' ' : text(pad))),
  rjust: (self, [width, pad]) => str(self.text.padStart(count(width), pad === undefined ? ' ' : text(pad))),
  center: (self, [width, pad]) => {
    const left = self.text.length + Math.floor(Math.max(0, count(width) - self.text.length) / 2);
    const with_ = pad === undefined ? ' ' : text(pad);
    return str(self.text.padStart(left, with_).padEnd(count(width), with_));
  },
  to_i: (self, [base]) => leadingInteger(self.text, base === undefined ? 10 : count(base)),
  to_f: (self) => Number.parseFloat(self.text) || 0,
  to_sym: (self) => new RubySymbol(self.text),
  to_s: (self) => self,
  hex: (self) => leadingInteger(self.text, 16),
  ord: (self) => BigInt(self.text.codePointAt(0) ?? 0),
  '<': (self, [other]) => self.text < text(other),
  '>': (self, [other]) => self.text > text(other),
  '<=': (self, [other]) => self.text <= text(other),
  '>=': (self, [other]) => self.text >= text(other),
  '[]': (self, given) => {
    const part = sliced([...self.text], given);
    return part === null ? null : str(Array.isArray(part) ? part.join('') : part);
  },
};

/** What stands for a part of a text; a backslash in it would name the part. */
function replacement(value: RubyValue | undefined): string {
  const by = text(value);
  if (by.includes('\\'))
    throw new RubyError('Unsupported', 'sub or gsub with a backslash in what stands for the part');
  return by;
}

function translated(subject: string, from: string, to: string): string {
  const spread = (set: string) => [
    ...set.replace(/(.)-(.)/g, (_, a: string, b: string) => {
      const first = a.charCodeAt(0);
      return String.fromCharCode(
        ...Array.from({ length: b.charCodeAt(0) - first + 1 }, (_x, at) => first + at),
      );
    }),
  ];
  const [source, target] = [spread(from), spread(to)];
  return [...subject]
    .map((char) => {
      const at = source.indexOf(char);
      return at < 0 ? char : (target[Math.min(at, target.length - 1)] ?? '');
    })
    .join('');
}

/** An element or a part of a list: by index, by first and length, by range. Null when it lies outside. */
function sliced<T>(list: readonly T[], [first, length]: readonly RubyValue[]): T | T[] | null {
  if (first instanceof RubyRange) {
    const from = wrapped(first.from === null ? 0 : count(first.from), list.length);
    const to = first.to === null ? list.length - 1 : wrapped(count(first.to), list.length);
    if (from < 0 || from > list.length) return null;
    return list.slice(from, Math.max(0, first.exclusive && first.to !== null ? to : to + 1));
  }
  const at = wrapped(count(first), list.length);
  if (length === undefined) return list[at] ?? null;
  const size = count(length);
  return at < 0 || at > list.length || size < 0 ? null : list.slice(at, at + size);
}

const wrapped = (at: number, length: number): number => (at < 0 ? at + length : at);

const compared = (a: RubyValue, b: RubyValue, block?: RubyBlock): number => {
  const found = block ? count(block(a, b)) : order(a, b);
  if (found === undefined)
    throw new RubyError('ArgumentError', `comparison of ${classOf(a)} with ${comparedName(b)} failed`);
  return found;
};

/** How Ruby names the second of two that cannot be compared: what is no object of its own by its value. */
const comparedName = (value: RubyValue): string =>
  value === null || typeof value !== 'object' || value instanceof RubySymbol
    ? inspect(value)
    : classOf(value);

function sum(values: readonly RubyValue[], start: RubyValue): RubyValue {
  return values.reduce((total, one) => call(total, '+', [one], undefined), start);
}

/** What arrays, hashes and ranges share: methods of everything that can be walked through. */
const listMethods: Methods<RubyValue> = {
  each: (self, _given, block) => {
    for (const one of listOf(self)) needed(block, 'each')(one);
    return self;
  },
  each_with_index: (self, _given, block) => {
    for (const [at, one] of listOf(self).entries()) needed(block, 'each_with_index')(one, BigInt(at));
    return self;
  },
  each_slice: (self, [size], block) => {
    const slices = slicesOf(listOf(self), positive(size, 'invalid slice size'));
    if (!block) return slices;
    for (const slice of slices) block(slice);
    return self;
  },
  each_cons: (self, [size], block) => {
    const list = listOf(self);
    const width = positive(size, 'invalid size');
    for (let at = 0; at + width <= list.length; at++) needed(block, 'each_cons')(list.slice(at, at + width));
    return self;
  },
  map: (self, _given, block) => listOf(self).map((one) => needed(block, 'map')(one)),
  flat_map: (self, _given, block) => listOf(self).flatMap((one) => needed(block, 'flat_map')(one)),
  select: (self, _given, block) => listOf(self).filter((one) => truthy(needed(block, 'select')(one))),
  reject: (self, _given, block) => listOf(self).filter((one) => !truthy(needed(block, 'reject')(one))),
  find: (self, _given, block) => listOf(self).find((one) => truthy(needed(block, 'find')(one))) ?? null,
  'all?': (self, _given, block) => listOf(self).every((one) => truthy(block ? block(one) : one)),
  'any?': (self, _given, block) => listOf(self).some((one) => truthy(block ? block(one) : one)),
  'none?': (self, _given, block) => !listOf(self).some((one) => truthy(block ? block(one) : one)),
  inject: (self, given, block) => {
    const list = [...listOf(self)];
    const op = given.at(-1) instanceof RubySymbol ? (given.at(-1) as RubySymbol).name : undefined;
    const start = given.length > (op === undefined ? 0 : 1) ? given[0]! : list.shift();
    const step = (total: RubyValue, one: RubyValue) =>
      op === undefined ? needed(block, 'inject')(total, one) : call(total, op, [one], undefined);
    return start === undefined ? null : list.reduce(step, start);
  },
  sum: (self, [start = 0n], block) =>
    sum(block ? listOf(self).map((one) => block(one)) : listOf(self), start),
  count: (self, given, block) =>
    BigInt(
      listOf(self).filter((one) => (block ? truthy(block(one)) : given.length === 0 || equal(one, given[0]!)))
        .length,
    ),
  sort: (self, _given, block) => [...listOf(self)].sort((a, b) => compared(a, b, block)),
  sort_by: (self, _given, block) => {
    const keyed = listOf(self).map((one) => ({ one, key: needed(block, 'sort_by')(one) }));
    return keyed.sort((a, b) => compared(a.key, b.key)).map(({ one }) => one);
  },
  max: (self, _given, block) => extreme(listOf(self), (a, b) => compared(a, b, block)),
  min: (self, _given, block) => extreme(listOf(self), (a, b) => -compared(a, b, block)),
  zip: (self, others) =>
    listOf(self).map((one, at) => [one, ...others.map((other) => listOf(other)[at] ?? null)]),
  reverse: (self) => [...listOf(self)].reverse(),
  reverse_each: (self, _given, block) => {
    for (const one of [...listOf(self)].reverse()) needed(block, 'reverse_each')(one);
    return self;
  },
  first: (self, [size]) =>
    size === undefined
      ? (listOf(self)[0] ?? null)
      : listOf(self).slice(
          0,
          amount(size, Array.isArray(self) ? 'negative array size' : 'attempt to take negative size'),
        ),
  'include?': (self, [wanted]) => listOf(self).some((one) => equal(one, wanted!)),
  to_a: (self) => [...listOf(self)],
  length: (self) => BigInt(listOf(self).length),
  join: (self, [by]) => str(joined(listOf(self), by === undefined || by === null ? '' : text(by))),
  partition: (self, _given, block) => {
    const list = listOf(self);
    const chosen = list.filter((one) => truthy(needed(block, 'partition')(one)));
    return [chosen, list.filter((one) => !chosen.includes(one))];
  },
};

const joined = (list: readonly RubyValue[], by: string): string =>
  list.map((one) => (Array.isArray(one) ? joined(one, by) : textOf(one))).join(by);

const flattened = (list: readonly RubyValue[]): RubyValue[] =>
  list.flatMap((one) => (Array.isArray(one) ? flattened(one) : [one]));

const slicesOf = (list: readonly RubyValue[], size: number): RubyValue[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

const extreme = (list: readonly RubyValue[], by: (a: RubyValue, b: RubyValue) => number): RubyValue =>
  list.length === 0 ? null : list.reduce((best, one) => (by(one, best) > 0 ? one : best));

const arrayMethods: Methods<RubyValue[]> = {
  '<<': (self, [one]) => {
    self.push(one!);
    return self;
  },
  push: (self, given) => {
    self.push(...given);
    return self;
  },
  pop: (self) => self.pop() ?? null,
  shift: (self) => self.shift() ?? null,
  unshift: (self, given) => {
    self.unshift(...given);
    return self;
  },
  '+': (self, [other]) => [...self, ...listOf(other!)],
  '-': (self, [other]) => self.filter((one) => !listOf(other!).some((two) => equal(one, two))),
  '*': (self, [times]) => {
    if (times instanceof RubyString) return str(joined(self, times.text));
    const rounds = amount(times);
    return listed(self.length * rounds) === 0 ? [] : Array.from({ length: rounds }, () => self).flat();
  },
  '[]': (self, given) => sliced(self, given),
  '[]=': (self, [at, value]) => {
    const index = listed(wrapped(count(at), self.length));
    if (index < 0)
      throw new RubyError('IndexError', `index ${count(at)} too small for array; minimum: -${self.length}`);
    while (self.length < index) self.push(null);
    self[index] = value!;
    return value!;
  },
  last: (self, [size]) =>
    size === undefined
      ? (self.at(-1) ?? null)
      : self.slice(Math.max(0, self.length - amount(size, 'negative array size'))),
  'empty?': (self) => self.length === 0,
  index: (self, [wanted]) => {
    const at = self.findIndex((one) => equal(one, wanted!));
    return at < 0 ? null : BigInt(at);
  },
  flatten: (self) => flattened(self),
  compact: (self) => self.filter((one) => one !== null),
  uniq: (self) => {
    // As keys of a hash: 2 and 2.0 are two.
    const seen = new RubyHash();
    for (const one of self) if (!seen.has(one)) seen.set(one, null);
    return seen.pairs.map(([one]) => one);
  },
  rotate: (self, [by = 1n]) =>
    self.map((_, at) => self[wrapped((at + count(by)) % self.length, self.length)]!),
  transpose: (self) => listOf(self[0] ?? []).map((_, at) => self.map((row) => listOf(row)[at]!)),
  each_index: (self, _given, block) => {
    for (const at of self.keys()) needed(block, 'each_index')(BigInt(at));
    return self;
  },
};

const hashMethods: Methods<RubyHash> = {
  '[]': (self, [key]) => self.get(key!),
  '[]=': (self, [key, value]) => {
    self.set(key!, value!);
    return value!;
  },
  fetch: (self, [key, other]) => {
    if (self.has(key!)) return self.get(key!);
    if (other === undefined) throw new RubyError('KeyError', `key not found: ${inspect(key!)}`);
    return other;
  },
  delete: (self, [key]) => {
    const value = self.get(key!);
    self.delete(key!);
    return value;
  },
  keys: (self) => self.pairs.map(([key]) => key),
  values: (self) => self.pairs.map(([, value]) => value),
  'key?': (self, [key]) => self.has(key!),
  'include?': (self, [key]) => self.has(key!),
  'empty?': (self) => self.pairs.length === 0,
  each: (self, _given, block) => {
    for (const [key, value] of self.pairs) needed(block, 'each')(key, value);
    return self;
  },
  each_pair: (self, given, block) => hashMethods['each']!(self, given, block),
  map: (self, _given, block) => self.pairs.map(([key, value]) => needed(block, 'map')(key, value)),
  select: (self, _given, block) => chosenPairs(self, (pair) => truthy(needed(block, 'select')(...pair))),
  reject: (self, _given, block) => chosenPairs(self, (pair) => !truthy(needed(block, 'reject')(...pair))),
};

function chosenPairs({ pairs }: RubyHash, isChosen: (pair: [RubyValue, RubyValue]) => boolean): RubyHash {
  const chosen = new RubyHash();
  for (const pair of pairs) if (isChosen(pair)) chosen.set(...pair);
  return chosen;
}

const rangeMethods: Methods<RubyRange> = {
  step: (self, [by], block) => {
    if (typeof self.from === 'number' || typeof by === 'number')
      throw new RubyError('Unsupported', 'step of floats on a range');
    const values = rangeValues(self, toInteger(number(by)));
    if (!block) return values;
    for (const one of values) block(one);
    return self;
  },
  first: (self, given) => (given.length === 0 ? self.from : listMethods['first']!(self, given, undefined)),
  begin: (self) => self.from,
  end: (self) => self.to,
  last: (self) => self.to,
  '===': (self, [one]) => rangeCovers(self, one!),
  'include?': (self, [one]) => rangeCovers(self, one!),
};

function rangeCovers({ from, to, exclusive }: RubyRange, value: RubyValue): boolean {
  const [low, high] = [order(from, value), order(value, to)];
  return low !== undefined && high !== undefined && low <= 0 && (exclusive ? high < 0 : high <= 0);
}

const symbolMethods: Methods<RubySymbol> = {
  to_sym: (self) => self,
  length: (self) => BigInt(self.name.length),
};

const aliases: Readonly<Record<string, string>> = {
  collect: 'map',
  reduce: 'inject',
  filter: 'select',
  detect: 'find',
  'member?': 'include?',
  slice: '[]',
  append: 'push',
  prepend: 'unshift',
  size: 'length',
  'has_key?': 'key?',
};

const binary = /^([-+*/%&|^<>]|\*\*|<<|>>|<=|>=)$/;

/** Calls a method of a value. Errors: `RubyError` NoMethodError, Unsupported for a form of it that is not supported, and what the method says. */
export function call(
  self: RubyValue,
  called: string,
  given: readonly RubyValue[],
  block: RubyBlock | undefined,
): RubyValue {
  const name = aliases[called] ?? called;
  if (isNumeric(self) && binary.test(name) && given.length === 1) return arithmetic(name, self, given[0]!);
  if (typeof self === 'boolean' || self === null) {
    if (name === '&') return truthy(self) && truthy(given[0]!);
    if (name === '|') return truthy(self) || truthy(given[0]!);
    if (name === 'to_i' && self === null) return 0n;
  }
  const method = methodOf(self, name);
  if (!method) throw missing(self, called);
  checkForm(name, given, block);
  return method(given, block);
}

/** A method of a value, if it has one of this name: of its kind before those that all have. */
function methodOf(
  self: RubyValue,
  name: string,
): ((given: readonly RubyValue[], block: RubyBlock | undefined) => RubyValue) | undefined {
  const bound = <V extends RubyValue>(value: V, ...kinds: readonly Methods<V>[]) => {
    for (const methods of kinds) {
      const method = own(methods, name);
      if (method)
        return (given: readonly RubyValue[], block: RubyBlock | undefined) => method(value, given, block);
    }
    return undefined;
  };
  if (isNumeric(self)) return bound(self, numericMethods, anyMethods);
  if (self instanceof RubyString) return bound(self, stringMethods, anyMethods);
  if (self instanceof RubySymbol) return bound(self, symbolMethods, anyMethods);
  if (Array.isArray(self)) return bound(self, arrayMethods, listMethods, anyMethods);
  if (self instanceof RubyHash) return bound(self, hashMethods, listMethods, anyMethods);
  if (self instanceof RubyRange) return bound(self, rangeMethods, listMethods, anyMethods);
  return bound(self, anyMethods);
}

const own = <T>(methods: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(methods, name) ? methods[name] : undefined;
