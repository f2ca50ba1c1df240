import type { Definition, Definitions } from './definition.ts';
import { bits, integers, reals, UnknownForm, uniform } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, halfTypes, isBits, isHalf, isReal, isSigned, type ValueType } from './value-type.ts';

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
  if (isReal(type) || isHalf(type)) {
    if (word === 'eq') return 'a === b';
    if (word === 'ne') return 'a < b || a > b';
    return word in orders ? `a ${orders[word]} b` : realOnly[word];
  }
  const wide = bitsOf(type) === 64;
  if (word === 'eq') return wide ? 'al === bl && ah === bh' : 'a === b';
  if (word === 'ne') return wide ? 'al !== bl || ah !== bh' : 'a !== b';
  const order = orders[word] ?? unsignedOrders[word];
  // Plain bits have no order, and the words for unsigned numbers are for these only.
  if (order === undefined || isBits(type) || (isSigned(type) && word in unsignedOrders)) return undefined;
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

/** The value of a register of 16-bit reals, as text: the lower one, or with `upper` the upper one of two. */
const halfText = (type: ValueType, bits: string, upper: boolean): string =>
  `h.${type.startsWith('b') ? 'realOfBfloat' : 'realOf16'}(${upper ? `${bits} >>> 16` : `${bits} & 65535`})`;

/** Work on one or two reals of 16 bits: words of bits for the comparison of the lower ones in `r`, of the upper ones in `s`. */
function compareHalves(
  writer: LaneWriter,
  type: ValueType,
  condition: string,
  [a, b]: readonly ResolvedOperand[],
  flush: boolean,
): string {
  const [x, y] = [writer.value(a!, type), writer.value(b!, type)];
  const value = (bits: string, upper: boolean): string =>
    flush ? `h.flushed16(${halfText(type, bits, upper)})` : halfText(type, bits, upper);
  const test = (upper: boolean, into: string): string =>
    `{ const a = ${value('x', upper)}, b = ${value('y', upper)}; if (${condition}) ${into} |= 1 << l; }`;
  return `const x = ${x}, y = ${y}; ${test(false, 'r')} ${bitsOf(type) === 32 ? test(true, 's') : ''}`;
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
  if (flush && type !== 'f32' && type !== 'f16' && type !== 'f16x2')
    throw new UnknownForm(written, `${form.base} with ftz for .f32`);
  if ((join === undefined) !== (c === undefined))
    throw new UnknownForm(written, 'and, or, xor with a predicate to join, and only then');
  if (isHalf(type))
    return {
      body: compareHalves(writer, type, condition, [a!, b!], flush),
      before: `let r = 0, s = 0; ${c === undefined ? '' : `const c = ${writer.mask(c)};`}`,
      joined: (word) => (join === undefined ? word : `(${word} ${join} c)`),
    };
  return {
    body: `${readBoth(writer, type, a!, b!, flush)} if (${condition}) r |= 1 << l;`,
    before: `let r = 0; ${c === undefined ? '' : `const c = ${writer.mask(c)};`}`,
    joined: (word) => (join === undefined ? word : `(${word} ${join} c)`),
  };
}

const compare: Definition = {
  words: compareWords,
  exclusive: compareExclusive,
  types: [[...comparable, ...halfTypes]],
  ...uniform([3, 4], 'lanes', 'intAdd'),
  lower: (writer, form, [d, ...sources]) => {
    const two = form.types[0] === 'f16x2' || form.types[0] === 'bf16x2';
    if (two && d!.kind !== 'pair')
      throw new UnknownForm(form.written, 'two predicates, p|q, for two comparisons');
    const { body, before, joined } = comparison(writer, form, form.types[0]!, sources);
    const [first, second] = d!.kind === 'pair' ? [d!.first, d!.second] : [d!];
    const puts = [
      writer.putMask(first!, joined('r')),
      ...(second === undefined ? [] : [writer.putMask(second, joined(two ? 's' : '~r'))]),
    ];
    return { run: writer.lanes(body, before, puts.join(' ')) };
  },
};

/** set: a comparison as a number, all bits or none, or as 1.0 or 0.0. */
const setNumber: Definition = {
  words: compareWords,
  exclusive: compareExclusive,
  types: [
    ['u16', 's16', 'u32', 's32', 'f32', ...halfTypes],
    [...comparable, ...halfTypes],
  ],
  ...uniform([3, 4], 'lanes', 'intAdd'),
  lower: (writer, form, [d, ...sources]) => {
    const [to, type] = form.types as readonly [ValueType, ValueType];
    const { body, before, joined } = comparison(writer, form, type, sources);
    const two = bitsOf(type) === 32 && isHalf(type);
    if (isHalf(type) ? two && bitsOf(to) !== 32 : bitsOf(to) === 16 || isHalf(to))
      throw new UnknownForm(form.written);
    if (isHalf(type)) {
      // 1.0 of the format, or all bits.
      const one = to === 'f16' || to === 'f16x2' ? 0x3c00 : to.startsWith('b') ? 0x3f80 : two ? 65535 : -1;
      const bit = (word: string): string => `(${joined(word)} >>> l & 1)`;
      if (to === 'f32') return { run: writer.lanes(`${body} ${writer.put(d!, 'f32', bit('r'))}`, before) };
      const text = two ? `${bit('r')} * ${one} | ${bit('s')} * ${one} << 16` : `${bit('r')} * ${one}`;
      return {
        run: writer.lanes(`${body} ${writer.put(d!, bitsOf(to) === 16 ? 'b16' : 'b32', text)}`, before),
      };
    }
    const yes = to === 'f32' ? '1' : '-1';
    const put = writer.put(d!, to, `(${joined('r')} >>> l & 1 ? ${yes} : 0)`);
    return { run: writer.lanes(`${body} ${put}`, before) };
  },
};

/** slct: a where the third operand is not negative, else b. */
const choose: Definition = {
  words: ['ftz'],
  types: [comparable, ['s32', 'f32']],
  ...uniform([4, 4], 'lanes', 'intAdd'),
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
  ...uniform([4, 4], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a, b, p]) =>
    chosen(writer, type!, `${writer.mask(p!)} >>> l & 1`, [d!, a!, b!]),
};

/** Comparison and selection. */
export const compareInstructions: Definitions = { setp: compare, set: setNumber, selp: select, slct: choose };
