import type { Definition, Definitions } from './definition.ts';
import { integers, integers16, integers32, integers64, reals, UnknownForm, uniform } from './definition.ts';
import { halfFormula, halfOperations } from './half-formula.ts';
import type { InstructionClass } from './instruction.ts';
import { carriedWork, integerWork, lessWide } from './integer-work.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import { narrowReals, realFormula, realWords } from './real-instructions.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, halfTypes, isHalf, isReal, isSigned, type ValueType } from './value-type.ts';

/*
 * Arithmetic on integers of 16, 32 and 64 bits, and the instructions that integers and reals share by name (chiplet specification 7.1).
 */

/** Formula of a result of up to 32 bits from operands a, b, c. */
type Narrow = (type: ValueType, words: readonly string[]) => string | undefined;
/** Statement that sets `rl` and `rh` from halves `al`, `ah`, `bl`, … */
type Wide = (type: ValueType, words: readonly string[]) => string | undefined;

const unsigned = (type: ValueType, a: string): string => (isSigned(type) ? a : `(${a} >>> 0)`);

/** A sum as it wraps, or with `sat`, which only .s32 has, as it is held within its type. */
function held(type: ValueType, words: readonly string[], sum: string): string | undefined {
  if (!words.includes('sat')) return `${sum} | 0`;
  return type === 's32' ? `h.held(${sum}, -2147483648, 2147483647)` : undefined;
}

const addWide = 'rl = al + bl | 0; rh = ah + bh + (rl >>> 0 < al >>> 0 ? 1 : 0);';
const helped = (call: string): string => `${call}; rl = w.pair[0]; rh = w.pair[1];`;

/** Words for which there is a formula; an instruction of 16 bits multiplies exactly in 32. */
function multiplied(type: ValueType, words: readonly string[]): string | undefined {
  if (words.includes('lo')) return 'Math.imul(a, b)';
  if (!words.includes('hi')) return undefined;
  if (bitsOf(type) === 16) return isSigned(type) ? 'Math.imul(a, b) >> 16' : 'Math.imul(a, b) >>> 16';
  return isSigned(type) ? 'h.multiplyHighSigned(a, b)' : 'h.multiplyHighUnsigned(a, b)';
}

const multiplyLow =
  'rl = Math.imul(al, bl); rh = h.multiplyHighUnsigned(al, bl) + Math.imul(al, bh) + Math.imul(ah, bl) | 0;';
const multipliedWide: Wide = (type, words) =>
  words.includes('lo')
    ? multiplyLow
    : words.includes('hi')
      ? helped(`h.wide(w.pair, 'mulhi', ${isSigned(type)}, al, ah, bl, bh)`)
      : undefined;

/** Parts of an operation: formulas, and the class of its timing. */
interface Arithmetic {
  readonly operands: number;
  readonly types: readonly ValueType[];
  readonly words?: readonly string[];
  readonly class: 'Add' | 'Max' | 'Mul' | 'Mad' | 'Div';
  readonly narrow: Narrow;
  readonly wide: Wide;
}

const selected = (type: ValueType, less: boolean): string => {
  const test = lessWide(type, 'a', 'b');
  const [first, second] = less ? ['a', 'b'] : ['b', 'a'];
  return `if (${test}) { rl = ${first}l; rh = ${first}h; } else { rl = ${second}l; rh = ${second}h; }`;
};

const same =
  (formula: string): Narrow =>
  () =>
    formula;

/** Two integers of 16 bits in one register. */
const pairs: readonly ValueType[] = ['u16x2', 's16x2'];

const inHalves = (what: 'add' | 'min' | 'max', type: ValueType): string =>
  `h.halfWords('${what}', a, b, ${isSigned(type)})`;

/** The smaller or larger one; with relu, which .s32 and .s16x2 have, at least 0. */
function extreme(what: 'min' | 'max', type: ValueType, words: readonly string[]): string | undefined {
  const relu = words.includes('relu');
  if (relu && type !== 's32' && type !== 's16x2') return undefined;
  if (pairs.includes(type)) return relu ? `h.rectifiedHalves(${inHalves(what, type)})` : inHalves(what, type);
  const order = what === 'min' ? '<' : '>';
  const one = `${unsigned(type, 'a')} ${order} ${unsigned(type, 'b')} ? a : b`;
  return relu ? `Math.max(0, ${one})` : one;
}

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  add: {
    operands: 2,
    types: [...integers, ...pairs, ...reals],
    words: ['sat'],
    class: 'Add',
    narrow: (type, words) =>
      pairs.includes(type) && words.length === 0 ? inHalves('add', type) : held(type, words, 'a + b'),
    wide: (_type, words) => (words.includes('sat') ? undefined : addWide),
  },
  sub: {
    operands: 2,
    types: [...integers, ...reals],
    words: ['sat'],
    class: 'Add',
    narrow: (type, words) => held(type, words, 'a - b'),
    wide: (_type, words) =>
      words.includes('sat') ? undefined : 'rl = al - bl | 0; rh = ah - bh - (al >>> 0 < bl >>> 0 ? 1 : 0);',
  },
  mul: {
    operands: 2,
    types: [...integers, ...reals],
    words: ['lo', 'hi', 'wide', 'sat'],
    class: 'Mul',
    narrow: (type, words) => (words.includes('sat') ? undefined : multiplied(type, words)),
    wide: (type, words) => (words.includes('sat') ? undefined : multipliedWide(type, words)),
  },
  mad: {
    operands: 3,
    types: [...integers, ...reals],
    words: ['lo', 'hi', 'wide', 'sat'],
    class: 'Mad',
    narrow: (type, words) => {
      const product = multiplied(type, words);
      if (words.includes('sat') && !words.includes('hi')) return undefined;
      return product && held(type, words, `(${product}) + c`);
    },
    wide: (type, words) => {
      const product = words.includes('sat') ? undefined : multipliedWide(type, words);
      return (
        product && `${product} const sl = rl; rl = sl + cl | 0; rh = rh + ch + (rl >>> 0 < cl >>> 0 ? 1 : 0);`
      );
    },
  },
  div: {
    operands: 2,
    types: [...integers, ...reals],
    class: 'Div',
    narrow: (type) => `b === 0 ? -1 : ${unsigned(type, 'a')} / ${unsigned(type, 'b')} | 0`,
    wide: (type) => helped(`h.wide(w.pair, 'div', ${isSigned(type)}, al, ah, bl, bh)`),
  },
  rem: {
    operands: 2,
    types: integers,
    class: 'Div',
    narrow: (type) => `b === 0 ? -1 : ${unsigned(type, 'a')} % ${unsigned(type, 'b')} | 0`,
    wide: (type) => helped(`h.wide(w.pair, 'rem', ${isSigned(type)}, al, ah, bl, bh)`),
  },
  min: {
    operands: 2,
    types: [...integers, ...pairs, ...reals],
    words: ['relu'],
    class: 'Max',
    narrow: (type, words) => extreme('min', type, words),
    wide: (type, words) => (words.includes('relu') ? undefined : selected(type, true)),
  },
  max: {
    operands: 2,
    types: [...integers, ...pairs, ...reals],
    words: ['relu'],
    class: 'Max',
    narrow: (type, words) => extreme('max', type, words),
    wide: (type, words) => (words.includes('relu') ? undefined : selected(type, false)),
  },
  abs: {
    operands: 1,
    types: ['s16', 's32', 's64', ...reals],
    class: 'Add',
    narrow: same('a < 0 ? -a | 0 : a'),
    wide: () => 'if (ah < 0) { rl = -al | 0; rh = ~ah + (al === 0 ? 1 : 0); } else { rl = al; rh = ah; }',
  },
  neg: {
    operands: 1,
    types: ['s16', 's32', 's64', ...reals],
    class: 'Add',
    narrow: same('-a | 0'),
    wide: () => 'rl = -al | 0; rh = ~ah + (al === 0 ? 1 : 0);',
  },
  sad: {
    operands: 3,
    types: integers,
    class: 'Mad',
    narrow: (type) => {
      const [a, b] = [unsigned(type, 'a'), unsigned(type, 'b')];
      return `c + (${a} < ${b} ? b - a : a - b) | 0`;
    },
    wide: (type) =>
      `const less = ${lessWide(type, 'a', 'b')}; const gl = less ? bl : al, gh = less ? bh : ah, ll = less ? al : bl, lh = less ? ah : bh; const sl = gl - ll | 0, sh = gh - lh - (gl >>> 0 < ll >>> 0 ? 1 : 0); rl = cl + sl | 0; rh = ch + sh + (rl >>> 0 < sl >>> 0 ? 1 : 0);`,
  },
  mul24: {
    operands: 2,
    types: integers32,
    words: ['lo', 'hi'],
    class: 'Mul',
    narrow: multiplied24,
    wide: () => undefined,
  },
  mad24: {
    operands: 3,
    types: integers32,
    words: ['lo', 'hi', 'sat'],
    class: 'Mad',
    narrow: (type, words) => {
      const product = multiplied24(type, words);
      if (words.includes('sat') && !words.includes('hi')) return undefined;
      return product && held(type, words, `(${product}) + c`);
    },
    wide: () => undefined,
  },
};

function multiplied24(type: ValueType, words: readonly string[]): string | undefined {
  const [a, b] = isSigned(type) ? ['(a << 8 >> 8)', '(b << 8 >> 8)'] : ['(a & 16777215)', '(b & 16777215)'];
  if (words.includes('lo')) return `Math.imul(${a}, ${b})`;
  // Below 2^48, so exact as a double.
  return words.includes('hi') ? `Math.floor(${a} * ${b} / 65536) | 0` : undefined;
}

/** Additions that keep a carry, for the next instruction to take: one bit a lane. */
const carrying = (subtract: boolean): Definition => ({
  words: ['cc'],
  types: [['u32', 's32', 'b32', 'u64', 's64']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { words, types: [type] }, operands) =>
    carriedWork(writer, type!, operands, { subtracts: subtract, takes: true, keeps: words.includes('cc') }),
});

/** madc: a product and a sum with the carry that went before. */
const multiplyWithCarry: Definition = {
  words: ['lo', 'hi', 'cc'],
  exclusive: [['lo', 'hi']],
  types: [[...integers32, ...integers64]],
  ...uniform([4, 4], 'lanes', 'intMad'),
  lower: (writer, form, operands) =>
    carriedWork(writer, form.types[0]!, operands, {
      product: halfOf(form),
      takes: true,
      keeps: form.words.includes('cc'),
    }),
};

/** Which half of its product an instruction takes. Errors: `UnknownForm` when it does not say. */
function halfOf({ base, words, written }: Form): 'lo' | 'hi' {
  if (words.includes('lo')) return 'lo';
  if (words.includes('hi')) return 'hi';
  throw new UnknownForm(written, `${base} with lo or hi`);
}

/** mul.wide and mad.wide: the whole product (chiplet specification 7.1). */
function widening(writer: LaneWriter, form: Form, [d, a, b, c]: readonly ResolvedOperand[]) {
  const type = form.types[0]!;
  const result: ValueType = isSigned(type) ? 's64' : 'u64';
  if (integers16.includes(type)) {
    const product = `Math.imul(${writer.value(a!, type)}, ${writer.value(b!, type)})`;
    const text = c === undefined ? product : `${product} + ${writer.value(c, 'u32')} | 0`;
    return { run: writer.lanes(writer.put(d!, isSigned(type) ? 's32' : 'u32', text)) };
  }
  if (!integers32.includes(type)) throw new UnknownForm(form.written);
  const x = unsigned(type, writer.value(a!, type));
  const y = unsigned(type, writer.value(b!, type));
  const high = isSigned(type) ? 'h.multiplyHighSigned(x, y)' : 'h.multiplyHighUnsigned(x, y)';
  // A product below 2^53 is exact as a double.
  const product = `const x = ${x}, y = ${y}, p = x * y; let rl, rh; if (p >= -9007199254740991 && p <= 9007199254740991) { rl = p | 0; rh = Math.floor(p / 4294967296); } else { rl = Math.imul(x, y); rh = ${high}; }`;
  let sum = '';
  if (c !== undefined) {
    const { low, high: top } = writer.wide(c, result);
    sum = `const cl = ${low}, ch = ${top}; rl = rl + cl | 0; rh = rh + ch + (rl >>> 0 < cl >>> 0 ? 1 : 0);`;
  }
  return { run: writer.lanes(`${product} ${sum} ${writer.putWide(d!, result, { low: 'rl', high: 'rh' })}`) };
}

const classOf = (name: Arithmetic['class'], { types: [type] }: Form): InstructionClass =>
  `${type === 'f32' || type === 'f32x2' ? 'float' : type === 'f64' ? 'double' : 'int'}${name}`;

const define = (base: string, one: Arithmetic): Definition => ({
  words: [
    ...(one.words ?? []),
    ...(one.types.includes('f32') ? realWords : []),
    ...(base === 'min' || base === 'max' ? ['xorsign', 'abs', 'relu'] : []),
    ...(base === 'add' || base === 'sub' || base === 'mad' ? ['cc'] : []),
  ],
  exclusive: [['lo', 'hi', 'wide']],
  types: [
    [
      ...one.types,
      ...(halfOperations.includes(base) ? halfTypes : []),
      ...(['add', 'sub', 'mul'].includes(base) ? (['f32x2'] as const) : []),
    ],
    ...(base === 'add' || base === 'sub' ? [narrowReals] : []),
  ],
  typesLeast: 1,
  operands: [one.operands + 1, one.operands + (base === 'min' || base === 'max' ? 2 : 1)],
  kind: 'lanes',
  class: (form) => classOf(one.class, form),
  lower: (writer, form, operands) => {
    const type = form.types[0]!;
    if (isHalf(type) && form.types.length === 1 && operands.length === one.operands + 1)
      return halfFormula(writer, form, operands);
    if (isReal(type) || type === 'f32x2') return realFormula(writer, base, form, operands);
    if (operands.length > one.operands + 1)
      throw new OperandMismatch(`${operands.length} operands`, `${one.operands + 1}`);
    if (form.types.length > 1) throw new UnknownForm(form.written);
    if (form.words.some((word) => [...realWords, 'xorsign', 'abs'].includes(word)))
      throw new UnknownForm(form.written);
    if (form.words.includes('cc')) {
      const product = base === 'mad' ? halfOf(form) : undefined;
      if (bitsOf(type) < 32 || form.words.length > (product === undefined ? 1 : 2))
        throw new UnknownForm(form.written);
      const carry = { subtracts: base === 'sub', takes: false, keeps: true };
      return carriedWork(writer, type, operands, product === undefined ? carry : { ...carry, product });
    }
    if (form.words.includes('wide') && form.words.length === 1) return widening(writer, form, operands);
    const narrow = one.narrow(type, form.words);
    const wide = one.wide(type, form.words);
    if ((bitsOf(type) < 64 ? narrow : wide) === undefined) throw new UnknownForm(form.written);
    return integerWork(writer, type, operands, narrow ?? '', wide ?? '');
  },
});

/** Arithmetic. */
export const integerInstructions: Definitions = {
  ...Object.fromEntries(Object.entries(arithmetic).map(([base, one]) => [base, define(base, one)])),
  subc: carrying(true),
  madc: multiplyWithCarry,
};
