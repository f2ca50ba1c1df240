import type { Definition, Definitions } from './definition.ts';
import { bits, integers, reals, UnknownForm } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, isReal, isSigned, type ValueType } from './value-type.ts';

/*
 * Comparisons into predicates, and selection by them (chiplet specification 7.1).
 */

const orders: Readonly<Record<string, string>> = { lt: '<', le: '<=', gt: '>', ge: '>=' };
const unsignedOrders: Readonly<Record<string, string>> = { lo: '<', ls: '<=', hi: '>', hs: '>=' };
const realOnly: Readonly<Record<string, string>> = {
  equ: '!(a < b || a > b)',
  neu: 'a !== b',
  ltu: '!(a >= b)',
  leu: '!(a > b)',
  gtu: '!(a <= b)',
  geu: '!(a < b)',
  num: 'a === a && b === b',
  nan: 'a !== a || b !== b',
};
const joins: Readonly<Record<string, string>> = { and: '&', or: '|', xor: '^' };
const comparisons = ['eq', 'ne', ...Object.keys({ ...orders, ...unsignedOrders, ...realOnly })];

/** The condition on a and b, as text; undefined when the type has no such comparison. */
function conditionOf(word: string, type: ValueType): string | undefined {
  if (isReal(type)) {
    if (word === 'eq') return 'a === b';
    if (word === 'ne') return 'a < b || a > b';
    return word in orders ? `a ${orders[word]} b` : realOnly[word];
  }
  const wide = bitsOf(type) === 64;
  if (word === 'eq') return wide ? 'al === bl && ah === bh' : 'a === b';
  if (word === 'ne') return wide ? 'al !== bl || ah !== bh' : 'a !== b';
  const order = orders[word] ?? unsignedOrders[word];
  // Plain bits have no order, and the words for unsigned numbers are for these only.
  if (order === undefined || type.startsWith('b') || (isSigned(type) && word in unsignedOrders))
    return undefined;
  const shift = isSigned(type) && word in orders ? '' : ' >>> 0';
  if (!wide) return `a${shift} ${order} b${shift}`;
  return `(ah === bh ? al >>> 0 ${order} bl >>> 0 : ah${shift} ${order} bh${shift})`;
}

/** The statements that read a and b. */
function readBoth(
  writer: LaneWriter,
  type: ValueType,
  a: ResolvedOperand,
  b: ResolvedOperand,
  flush: boolean,
): string {
  if (bitsOf(type) < 64 || isReal(type)) {
    const [x, y] = [a, b].map((one) => {
      const value = writer.value(one, type);
      return flush ? `h.flushed(${value})` : value;
    });
    return `const a = ${x}, b = ${y};`;
  }
  const [x, y] = [writer.wide(a, type), writer.wide(b, type)];
  return `const al = ${x.low}, ah = ${x.high}, bl = ${y.low}, bh = ${y.high};`;
}

const comparable: readonly ValueType[] = [...integers, ...bits, ...reals];
const compareWords = [...comparisons, ...Object.keys(joins), 'ftz'];
const compareExclusive = [comparisons, Object.keys(joins)];

/** What setp and set have in common: the words of bits for a comparison, one a lane in `r`. */
function comparison(
  writer: LaneWriter,
  form: Form,
  type: ValueType,
  [a, b, c]: readonly ResolvedOperand[],
): { readonly body: string; readonly before: string; joined(word: string): string } {
  const { words, written } = form;
  const condition = conditionOf(words[0] ?? '', type);
  const join = words.map((word) => joins[word]).find((one) => one !== undefined);
  const flush = words.includes('ftz');
  if (condition === undefined) {
    const known = comparisons.filter((word) => conditionOf(word, type) !== undefined).join(', ');
    throw new UnknownForm(written, `${form.base} for .${type} with one of ${known}`);
  }
  if (flush && type !== 'f32') throw new UnknownForm(written, `${form.base} with ftz for .f32`);
  if ((join === undefined) !== (c === undefined))
    throw new UnknownForm(written, 'and, or, xor with a predicate to join, and only then');
  return {
    body: `${readBoth(writer, type, a!, b!, flush)} if (${condition}) r |= 1 << l;`,
    before: `let r = 0; ${c === undefined ? '' : `const c = ${writer.mask(c)};`}`,
    joined: (word) => (join === undefined ? word : `(${word} ${join} c)`),
  };
}

const compare: Definition = {
  words: compareWords,
  exclusive: compareExclusive,
  types: [comparable],
  operands: [3, 4],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, form, [d, ...sources]) => {
    const { body, before, joined } = comparison(writer, form, form.types[0]!, sources);
    const [first, second] = d!.kind === 'pair' ? [d!.first, d!.second] : [d!];
    const puts = [
      writer.putMask(first!, joined('r')),
      ...(second === undefined ? [] : [writer.putMask(second, joined('~r'))]),
    ];
    return { run: writer.lanes(body, before, puts.join(' ')) };
  },
};

/** set: a comparison as a number, all bits or none, or as 1.0 or 0.0. */
const setNumber: Definition = {
  words: compareWords,
  exclusive: compareExclusive,
  types: [['u32', 's32', 'f32'], comparable],
  operands: [3, 4],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, form, [d, ...sources]) => {
    const [to, type] = form.types as readonly [ValueType, ValueType];
    const { body, before, joined } = comparison(writer, form, type, sources);
    const yes = to === 'f32' ? '1' : '-1';
    const put = writer.put(d!, to, `(${joined('r')} >>> l & 1 ? ${yes} : 0)`);
    return { run: writer.lanes(`${body} ${put}`, before) };
  },
};

/** slct: a where the third operand is not negative, else b. */
const choose: Definition = {
  words: ['ftz'],
  types: [comparable, ['s32', 'f32']],
  operands: [4, 4],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, form, [d, a, b, c]) => {
    const [type, by] = form.types as readonly [ValueType, ValueType];
    const flush = form.words.includes('ftz');
    if (flush && by !== 'f32') throw new UnknownForm(form.written, 'slct with ftz for .f32');
    const sign = writer.value(c!, by);
    const test = `${flush ? `h.flushed(${sign})` : sign} >= 0`;
    return chosen(writer, type, test, [d!, a!, b!]);
  },
};

/** d = a where the test holds, else b; bits are moved as they are, not as numbers. */
function chosen(
  writer: LaneWriter,
  type: ValueType,
  test: string,
  [d, a, b]: readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand],
) {
  if (bitsOf(type) < 64) {
    const text = `(${test} ? ${writer.valueBits(a, type)} : ${writer.valueBits(b, type)})`;
    return { run: writer.lanes(writer.putBits(d, type, text)) };
  }
  const [x, y] = [writer.wide(a, type), writer.wide(b, type)];
  const read = `let rl, rh; if (${test}) { rl = ${x.low}; rh = ${x.high}; } else { rl = ${y.low}; rh = ${y.high}; }`;
  return { run: writer.lanes(`${read} ${writer.putWide(d, type, { low: 'rl', high: 'rh' })}`) };
}

const select: Definition = {
  words: [],
  types: [comparable],
  operands: [4, 4],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, { types: [type] }, [d, a, b, p]) =>
    chosen(writer, type!, `${writer.mask(p!)} >>> l & 1`, [d!, a!, b!]),
};

/** Comparison and selection. */
export const compareInstructions: Definitions = { setp: compare, set: setNumber, selp: select, slct: choose };
