import type { Definition, Definitions } from './definition.ts';
import { bits, integers, uniform } from './definition.ts';
import { integerWork } from './integer-work.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { ResolvedOperand } from './resolved.ts';
import { bitsOf, isSigned, type ValueType } from './value-type.ts';

/*
 * Logic, shifts, counts and fields of bits (chiplet specification 7.1).
 */

const clamp = (amount: string, width: number, shifted: string, beyond: string): string =>
  `((${amount}) >>> 0 >= ${width} ? ${beyond} : ${shifted})`;

const logic = (sign: string, wordwise: string): Definition => ({
  words: [],
  types: [['pred', ...bits]],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a, b]) => {
    if (type === 'pred') {
      const word = `(${writer.mask(a!)} ${sign} ${writer.mask(b!)})`;
      return { run: writer.whole(writer.putMask(d!, word)) };
    }
    return integerWork(writer, type!, [d!, a!, b!], wordwise, `rl = al ${sign} bl; rh = ah ${sign} bh;`);
  },
});

const inverse: Definition = {
  words: [],
  types: [['pred', ...bits]],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a]) =>
    type === 'pred'
      ? { run: writer.whole(writer.putMask(d!, `~${writer.mask(a!)}`)) }
      : integerWork(writer, type!, [d!, a!], '~a', 'rl = ~al; rh = ~ah;'),
};

/** Shifts: the amount is a 32-bit number, held at the width (chiplet specification 7.1). */
const shift = (left: boolean): Definition => ({
  words: [],
  types: [left ? bits : [...bits, ...integers]],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a, amount]) => {
    const signed = isSigned(type!);
    const by = writer.value(amount!, 'u32');
    if (bitsOf(type!) < 64) {
      const value = writer.value(a!, type!);
      const text = left
        ? clamp(by, bitsOf(type!), `${value} << ${by}`, '0')
        : clamp(
            by,
            bitsOf(type!),
            `${value} ${signed ? '>>' : '>>>'} ${by}`,
            signed ? `${value} >> 31` : '0',
          );
      return { run: writer.lanes(writer.put(d!, type!, text)) };
    }
    const { low, high } = writer.wide(a!, type!);
    const fill = signed ? '(ah >> 31)' : '0';
    const begin = `const n = ${by} >>> 0, al = ${low}, ah = ${high}; let rl = al, rh = ah;`;
    const work = left
      ? 'if (n > 63) { rl = 0; rh = 0; } else if (n > 31) { rl = 0; rh = al << n - 32; } else if (n > 0) { rl = al << n; rh = ah << n | al >>> 32 - n; }'
      : `if (n > 63) { rl = ${fill}; rh = ${fill}; } else if (n > 31) { rl = ah ${signed ? '>>' : '>>>'} n - 32; rh = ${fill}; } else if (n > 0) { rl = al >>> n | ah << 32 - n; rh = ah ${signed ? '>>' : '>>>'} n; }`;
    return { run: writer.lanes(`${begin} ${work} ${writer.putWide(d!, type!, { low: 'rl', high: 'rh' })}`) };
  },
});

/** Counts whose result has 32 bits. */
const counting = (narrow: string, wide: string): Definition => ({
  words: [],
  types: [['b32', 'b64']],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a]) => {
    if (type === 'b32') {
      return { run: writer.lanes(`const a = ${writer.value(a!, 'b32')}; ${writer.put(d!, 'u32', narrow)}`) };
    }
    const { low, high } = writer.wide(a!, 'b64');
    return { run: writer.lanes(`const al = ${low}, ah = ${high}; ${writer.put(d!, 'u32', wide)}`) };
  },
});

const reversal: Definition = {
  words: [],
  types: [['b32', 'b64']],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a]) =>
    integerWork(
      writer,
      type!,
      [d!, a!],
      'h.reversedBits(a)',
      'rl = h.reversedBits(ah); rh = h.reversedBits(al);',
    ),
};

const fieldTypes: readonly ValueType[] = ['u32', 's32', 'u64', 's64'];

/** Where a field begins, or how long it is: of 32 bits the lowest 8 count, as the manual says, of 64 bits all, as they do on an H100. */
const placeText = (writer: LaneWriter, operand: ResolvedOperand, type: ValueType): string =>
  bitsOf(type) === 32
    ? `(${writer.value(operand, 'u32')} & 255)`
    : `Math.min(${writer.value(operand, 'u32')} >>> 0, 64)`;

const extraction: Definition = {
  words: [],
  types: [fieldTypes],
  ...uniform([4, 4], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a, first, count]) => {
    const [from, length] = [first!, count!].map((one) => placeText(writer, one, type!));
    const rest = `${from}, ${length}, ${bitsOf(type!)}, ${isSigned(type!)}`;
    if (bitsOf(type!) === 32) {
      const text = `Number(BigInt.asIntN(32, h.extractBits(BigInt(${writer.value(a!, type!)}), ${rest})))`;
      return { run: writer.lanes(writer.put(d!, type!, text)) };
    }
    const { low, high } = writer.wide(a!, type!);
    const text = `h.put(w.pair, h.extractBits(h.joined(${low}, ${high}), ${rest}));`;
    return {
      run: writer.lanes(`${text} ${writer.putWide(d!, type!, { low: 'w.pair[0]', high: 'w.pair[1]' })}`),
    };
  },
};

const insertion: Definition = {
  words: [],
  types: [['b32', 'b64']],
  ...uniform([5, 5], 'lanes', 'intAdd'),
  lower: (writer, { types: [type] }, [d, a, b, first, count]) => {
    const [to, length] = [first!, count!].map((one) => placeText(writer, one, type!));
    const rest = `${to}, ${length}, ${bitsOf(type!)}`;
    if (type === 'b32') {
      const text = `Number(BigInt.asIntN(32, h.insertBits(BigInt(${writer.value(a!, 'b32')}), BigInt(${writer.value(b!, 'b32')}), ${rest})))`;
      return { run: writer.lanes(writer.put(d!, 'b32', text)) };
    }
    const [x, y] = [writer.wide(a!, 'b64'), writer.wide(b!, 'b64')];
    const text = `h.put(w.pair, h.insertBits(h.joined(${x.low}, ${x.high}), h.joined(${y.low}, ${y.high}), ${rest}));`;
    return {
      run: writer.lanes(`${text} ${writer.putWide(d!, 'b64', { low: 'w.pair[0]', high: 'w.pair[1]' })}`),
    };
  },
};

/** What looks at numbers as rows of bits. */
export const bitInstructions: Definitions = {
  and: logic('&', 'a & b'),
  or: logic('|', 'a | b'),
  xor: logic('^', 'a ^ b'),
  not: inverse,
  shl: shift(true),
  shr: shift(false),
  popc: counting('h.bitCount(a)', 'h.bitCount(al) + h.bitCount(ah)'),
  clz: counting('Math.clz32(a)', '(ah === 0 ? 32 + Math.clz32(al) : Math.clz32(ah))'),
  brev: reversal,
  bfe: extraction,
  bfi: insertion,
};
