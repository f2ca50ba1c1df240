import { byteChoices } from './bit-arithmetic.ts';
import type { Definition, Definitions } from './definition.ts';
import { bits, UnknownForm, uniform } from './definition.ts';
import { integerWork } from './integer-work.ts';
import { OperandMismatch } from './lane-writer.ts';
import { bitsOf, isSigned } from './value-type.ts';

/*
 * Patterns of bits: bytes picked out, tables of logic, shifts over two registers, the highest bit (chiplet specification 7.1, as compilers emit
 * them beside its table).
 */

/** prmt: four bytes out of eight. */
const permute: Definition = {
  words: Object.keys(byteChoices),
  types: [['b32']],
  ...uniform([4, 4], 'lanes', 'intAdd'),
  lower: (writer, { words: [mode] }, [d, a, b, c]) => {
    const selector = writer.value(c!, 'b32');
    const choices = byteChoices[mode as keyof typeof byteChoices];
    const choice = mode === undefined ? selector : `[${choices.join(', ')}][${selector} & 3]`;
    const text = `h.chosenBytes(${writer.value(a!, 'b32')}, ${writer.value(b!, 'b32')}, ${choice})`;
    return { run: writer.lanes(writer.put(d!, 'b32', text)) };
  },
};

/** lop3: any logic of three operands, given as a table of eight bits; with a word, whether any bit is set is joined with a predicate. */
const logicOfThree: Definition = {
  words: ['or', 'and'],
  exclusive: [['or', 'and']],
  types: [['b32']],
  ...uniform([5, 6], 'lanes', 'intAdd'),
  lower: (writer, { words: [join], written }, [d, a, b, c, table, asked]) => {
    if (table!.kind !== 'whole' || table!.value < 0n || table!.value > 255n)
      throw new OperandMismatch('another table', 'a number from 0 to 255');
    const [x, y, z] = [a!, b!, c!].map((one) => writer.value(one, 'b32'));
    const text = `h.lookedUp(${x}, ${y}, ${z}, ${writer.constant(Number(table!.value))})`;
    if ((join !== undefined) !== (asked !== undefined) || (d!.kind === 'pair') !== (join !== undefined))
      throw new UnknownForm(written, 'lop3.b32, or lop3.or.b32 or and.b32 with d|p and a predicate');
    if (d!.kind !== 'pair') return { run: writer.lanes(writer.put(d!, 'b32', text)) };
    const given = writer.mask(asked!);
    const after = writer.putMask(d!.second, `(r ${join === 'or' ? '|' : '&'} ${given})`);
    const work = `const v = ${text}; if (v !== 0) r |= 1 << l; ${writer.put(d!.first, 'b32', 'v')}`;
    return { run: writer.lanes(work, 'let r = 0;', after) };
  },
};

/** fns: the bit that is the n-th one set. */
const findNthSet: Definition = {
  words: [],
  types: [['b32']],
  ...uniform([4, 4], 'lanes', 'intAdd'),
  lower: (writer, _form, [d, mask, base, offset]) => {
    const text = `h.nthSetBit(${writer.value(mask!, 'b32')}, ${writer.value(base!, 'b32')}, ${writer.value(offset!, 's32')})`;
    return { run: writer.lanes(writer.put(d!, 'b32', text)) };
  },
};

/** shf: a shift of 64 bits, of which one half is kept. */
const funnelShift: Definition = {
  words: ['l', 'r', 'clamp', 'wrap'],
  exclusive: [
    ['l', 'r'],
    ['clamp', 'wrap'],
  ],
  types: [['b32']],
  ...uniform([4, 4], 'lanes', 'intAdd'),
  lower: (writer, { words, written }, [d, a, b, c]) => {
    const wraps = words.includes('wrap');
    if (words.length !== 2) throw new UnknownForm(written, 'shf with l or r, and with clamp or wrap');
    const [low, high] = [writer.value(a!, 'b32'), writer.value(b!, 'b32')];
    const by = writer.value(c!, 'u32');
    const amount = wraps ? `${by} & 31` : `${by} >>> 0 > 32 ? 32 : ${by}`;
    const read = `const x = ${low}, y = ${high}, n = ${amount};`;
    const shifted = words.includes('l')
      ? 'n === 32 ? x : n === 0 ? y : y << n | x >>> 32 - n'
      : 'n === 32 ? y : n === 0 ? x : y << 32 - n | x >>> n';
    return { run: writer.lanes(`${read} ${writer.put(d!, 'b32', shifted)}`) };
  },
};

/** bfind: where the highest bit is that says something; all ones where none does. */
const findBit: Definition = {
  words: ['shiftamt'],
  types: [['u32', 's32', 'u64', 's64']],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { words, types: [given] }, [d, a]) => {
    const type = given!;
    const wide = bitsOf(type) === 64;
    const { low, high } = wide ? writer.wide(a!, type) : { low: writer.value(a!, type), high: '0' };
    const top = wide ? 'high' : 'low';
    // Of a negative number the bits are looked for that differ from its sign.
    const turned = isSigned(type) ? `if (${top} < 0) { low = ~low; ${wide ? 'high = ~high;' : ''} }` : '';
    const found = words.includes('shiftamt') ? `(n < 0 ? -1 : ${bitsOf(type) - 1} - n)` : 'n';
    const body = `let low = ${low}, high = ${high}; ${turned} const n = h.highestBit(low, high);`;
    return { run: writer.lanes(`${body} ${writer.put(d!, 'u32', found)}`) };
  },
};

/** cnot: 1 where the operand is 0, else 0. */
const logicalNot: Definition = {
  words: [],
  types: [bits],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a]) =>
    integerWork(writer, type!, [d!, a!], 'a === 0 ? 1 : 0', 'rl = (al | ah) === 0 ? 1 : 0; rh = 0;'),
};

/** Patterns of bits. */
export const patternInstructions: Definitions = {
  prmt: permute,
  lop3: logicOfThree,
  shf: funnelShift,
  bfind: findBit,
  fns: findNthSet,
  cnot: logicalNot,
};
