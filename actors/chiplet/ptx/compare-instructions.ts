import type { Definition, Definitions } from './definition.ts';
import { bits, integers, reals, UnknownForm } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { ResolvedOperand } from './resolved.ts';
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
  if (order === undefined) return undefined;
  const shift = isSigned(type) && word in orders ? '' : ' >>> 0';
  if (!wide) return `a${shift} ${order} b${shift}`;
  return `(ah === bh ? al >>> 0 ${order} bl >>> 0 : ah${shift} ${order} bh${shift})`;
}

/** The statements that read a and b. */
function readBoth(writer: LaneWriter, type: ValueType, a: ResolvedOperand, b: ResolvedOperand): string {
  if (bitsOf(type) < 64 || isReal(type))
    return `const a = ${writer.value(a, type)}, b = ${writer.value(b, type)};`;
  const [x, y] = [writer.wide(a, type), writer.wide(b, type)];
  return `const al = ${x.low}, ah = ${x.high}, bl = ${y.low}, bh = ${y.high};`;
}

const compare: Definition = {
  words: [...comparisons, ...Object.keys(joins), 'ftz'],
  types: [[...integers, ...bits, ...reals]],
  operands: [3, 4],
  kind: 'lanes',
  class: ({ types: [type] }) => (type === 'f64' ? 'doubleAdd' : type === 'f32' ? 'floatAdd' : 'intAdd'),
  lower: (writer, form, [d, a, b, c]) => {
    const type = form.types[0]!;
    const condition = conditionOf(form.words[0] ?? '', type);
    const join = form.words.map((word) => joins[word]).find((one) => one !== undefined);
    if (condition === undefined || (join === undefined) !== (c === undefined))
      throw new UnknownForm(form.written);
    const body = `${readBoth(writer, type, a!, b!)} if (${condition}) r |= 1 << l;`;
    const [first, second] = d!.kind === 'pair' ? [d!.first, d!.second] : [d!];
    const other = c === undefined ? '' : `const c = ${writer.mask(c)};`;
    const result = (word: string): string => (join === undefined ? word : `(${word} ${join} c)`);
    const puts = [
      writer.putMask(first!, result('r')),
      ...(second === undefined ? [] : [writer.putMask(second, result('~r'))]),
    ];
    return { run: writer.lanes(body, `let r = 0; ${other}`, puts.join(' ')) };
  },
};

const select: Definition = {
  words: [],
  types: [[...bits, ...integers, ...reals]],
  operands: [4, 4],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, { types: [given] }, [d, a, b, p]) => {
    const type = given!;
    const mask = writer.mask(p!);
    if (bitsOf(type) < 64) {
      // Bits are moved as they are, not as numbers.
      const plain: ValueType = type === 'f32' ? 'b32' : type;
      const text = `(${mask} >>> l & 1 ? ${writer.value(a!, plain)} : ${writer.value(b!, plain)})`;
      return { run: writer.lanes(writer.put(d!, plain, text)) };
    }
    const [x, y] = [writer.wide(a!, type), writer.wide(b!, type)];
    const read = `let rl, rh; if (${mask} >>> l & 1) { rl = ${x.low}; rh = ${x.high}; } else { rl = ${y.low}; rh = ${y.high}; }`;
    return { run: writer.lanes(`${read} ${writer.putWide(d!, 'b64', { low: 'rl', high: 'rh' })}`) };
  },
};

/** Comparison and selection. */
export const compareInstructions: Definitions = { setp: compare, selp: select };
