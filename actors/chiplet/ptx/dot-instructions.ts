import type { Definition, Definitions } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { isSigned } from './value-type.ts';

/*
 * Products of rows of bytes, masks of bits, and extensions of fields (PTX ISA, dp4a, dp2a, bmsk, szext).
 */

/** Byte or half `at` of `name`, extended by its sign or with zeros. */
const part = (name: string, width: 8 | 16, at: number, signed: boolean): string =>
  signed
    ? `(${name} << ${32 - width * (at + 1)} >> ${32 - width})`
    : `(${name} >>> ${width * at} & ${2 ** width - 1})`;

/** dp4a: four products of bytes and a sum; dp2a: two products of halves of a and bytes of b. */
const dot = (width: 8 | 16): Definition => ({
  words: width === 16 ? ['lo', 'hi'] : [],
  exclusive: [['lo', 'hi']],
  types: [
    ['u32', 's32'],
    ['u32', 's32'],
  ],
  ...uniform([4, 4], 'lanes', 'intMad'),
  lower: (writer, { words, types: [first, second], written }, [d, a, b, c]) => {
    if (width === 16 && words.length === 0) throw new UnknownForm(written, 'dp2a with lo or hi');
    const result = isSigned(first!) || isSigned(second!) ? 's32' : 'u32';
    const from = words.includes('hi') ? 2 : 0;
    const products = Array.from(
      { length: 32 / width },
      (_, at) => `${part('a', width, at, isSigned(first!))} * ${part('b', 8, from + at, isSigned(second!))}`,
    );
    const read = `const a = ${writer.value(a!, first!)}, b = ${writer.value(b!, second!)}, c = ${writer.value(c!, result)};`;
    return { run: writer.lanes(`${read} ${writer.put(d!, result, `c + ${products.join(' + ')} | 0`)}`) };
  },
});

/** bmsk: a row of ones, by its place and length, both held at 32 or taken modulo 32. */
const mask: Definition = {
  words: ['clamp', 'wrap'],
  exclusive: [['clamp', 'wrap']],
  types: [['b32']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { words, written }, [d, a, b]) => {
    if (words.length !== 1) throw new UnknownForm(written, 'bmsk with clamp or wrap');
    const held = (text: string): string =>
      words[0] === 'wrap' ? `(${text} & 31)` : `Math.min(${text} >>> 0, 32)`;
    const read = `const from = ${held(writer.value(a!, 'u32'))}, count = ${held(writer.value(b!, 'u32'))};`;
    const ones = '(count === 32 ? -1 : (1 << count) - 1)';
    return { run: writer.lanes(`${read} ${writer.put(d!, 'b32', `from === 32 ? 0 : ${ones} << from`)}`) };
  },
};

/** szext: the lowest bits of a number, extended by their sign or with zeros. */
const extend: Definition = {
  words: ['clamp', 'wrap'],
  exclusive: [['clamp', 'wrap']],
  types: [['u32', 's32']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { words, types: [type], written }, [d, a, b]) => {
    if (words.length !== 1) throw new UnknownForm(written, 'szext with clamp or wrap');
    const count = writer.value(b!, 'u32');
    const held = words[0] === 'wrap' ? `${count} & 31` : `Math.min(${count} >>> 0, 32)`;
    const shift = isSigned(type!) ? '>>' : '>>>';
    const text = `count === 0 ? 0 : a << 32 - count ${shift} 32 - count`;
    return {
      run: writer.lanes(
        `const a = ${writer.value(a!, type!)}, count = ${held}; ${writer.put(d!, type!, text)}`,
      ),
    };
  },
};

/** Rows of bytes, masks, fields. */
export const dotInstructions: Definitions = { dp4a: dot(8), dp2a: dot(16), bmsk: mask, szext: extend };
