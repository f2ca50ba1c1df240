import { instructionClasses } from './instruction.ts';
import type { FlatLine, Form } from './resolved.ts';
import { isShort } from './translation.ts';
import { bitsOf, isHalf, isReal, type ValueType } from './value-type.ts';

/*
 * What the translator makes of an instruction of PTX, as far as timing may want to know it: sequences of several instructions, and how far a load may move up.
 */

/** What a GPU carries out otherwise than the class of an instruction says: as several instructions, by a slower unit, or not at all. */
export const sequences = [
  /** Part of another instruction, or of the code around it (`translation.ts`). */
  'folded',
  /** Integers of 64 bits: sums and comparisons, logic and shifts, the smaller or larger, products and their upper halves, quotients. */
  'wideAdd',
  'wideShift',
  'wideMax',
  'wideMul',
  'wideMulHi',
  'wideDiv',
  /** Integers of 32 bits: a product of 64 bits, the upper half of one, quotients by what is not constant, by a constant, by what was divided by before. */
  'mulWide',
  'mulHi',
  'div',
  'divConstant',
  'divAgain',
  /** Fields of bits, bytes that are summed, bits that are counted or turned round. */
  'field',
  'video',
  'count',
  'countZeros',
  'wideCount',
  /** Conversions from whole numbers to f32, from f32 to whole numbers, from and to f64, between reals of 16 and 32 bits. */
  'toReal',
  'fromReal',
  'doubleConvert',
  'halfConvert',
  /** Roots and reciprocals that are not approximate, of 32 and of 64 bits. */
  'root',
  'reciprocal',
  'doubleRoot',
  'doubleReciprocal',
  /** Roundings of quotients and roots that a GPU has to work out; quotients that are approximate. */
  'roundedDiv',
  'approximateDiv',
  /** Approximate functions: those of a table, sine and cosine, and those that subnormal numbers cost more. */
  'approximate',
  'sine',
  'approximateSubnormal',
  'doubleMax',
  'doubleCompare',
  'halfAdd',
  /** Lanes of a warp together. */
  'vote',
  'match',
  'redux',
  'matrix',
] as const;

export type Sequence = (typeof sequences)[number];

/** The place of an instruction in a table of cycles: by sequence, by class, and whether its results are predicates that are waited for. */
export const timingIndex = (classIndex: number, sequence: Sequence | null, predicate: boolean): number =>
  2 * ((sequence === null ? 0 : 1 + sequences.indexOf(sequence)) * instructionClasses.length + classIndex) +
  (predicate ? 1 : 0);

/** How far a fence of memory reaches. */
export type FenceScope = 'block' | 'device' | 'system';

/** What timing may want to know of an instruction besides its class. */
export interface Schedule {
  readonly sequence: Sequence | null;
  /** True when its results are predicates that guard instructions. */
  readonly predicate: boolean;
  /** True when no load moves up past it: a branch that is not a short one ahead leads here, or a barrier, call or fence is before it. */
  readonly opens: boolean;
  /** The line itself where a loop begins, or its branch back is, of which the translator makes four turns one; -1 elsewhere. */
  readonly unrolled: number;
  /** How far a fence of memory reaches; null for other instructions. */
  readonly fence: FenceScope | null;
  /** Where an atomic is tried until nobody came between; null for one that memory carries out. */
  readonly tries: 'shared' | 'anywhere' | null;
  /** An atomic of one address whose result nobody reads: the translator lets the lanes of a warp join their operands first. */
  readonly together: boolean;
  /** A load that moves past stores: it reads what no kernel writes. */
  readonly readOnly: boolean;
  /** An access that goes past the first-level cache, and that no load moves past. */
  readonly volatile: boolean;
  /** Registers that it reads, by number. */
  readonly reads: readonly number[];
}

/** How far a fence reaches; null for an instruction that is none. */
export function fenceOf({ base, words }: Form): FenceScope | null {
  if (base !== 'membar' && base !== 'fence') return null;
  if (words.includes('sys')) return 'system';
  return words.includes('gpu') || words.includes('gl') ? 'device' : 'block';
}

/** Where an atomic is a loop around a compare-and-swap: of reals and of 64 bits in shared memory, of 16 bits everywhere. */
export function isTried({ words, types: [type] }: Form): Schedule['tries'] {
  if (type === undefined || words.includes('cas') || words.includes('exch')) return null;
  if (bitsOf(type) === 16) return 'anywhere';
  return bitsOf(type) === 64 || isReal(type) || isHalf(type) ? 'shared' : null;
}

const wide: Readonly<Partial<Record<string, Sequence>>> = {
  ...rowsOf('wideAdd', 'add sub addc subc neg abs setp set selp'),
  ...rowsOf('wideShift', 'and or xor not shl shr cnot'),
  ...rowsOf('wideMax', 'min max'),
  ...rowsOf('wideMul', 'mul mad madc'),
  ...rowsOf('wideDiv', 'div rem'),
  ...rowsOf('wideCount', 'popc clz bfind brev'),
  ...rowsOf('field', 'bfe bfi'),
};

const usual: Readonly<Partial<Record<string, Sequence>>> = {
  ...rowsOf('count', 'popc brev bfind fns'),
  ...rowsOf('countZeros', 'clz'),
  ...rowsOf('field', 'bfe bfi'),
  ...rowsOf('video', 'vadd2 vsub2 vmin2 vmax2 vavrg2 vset2 vadd4 vsub4 vmin4 vmax4 vavrg4 vset4'),
  ...rowsOf('vote', 'vote'),
  ...rowsOf('match', 'match'),
  ...rowsOf('redux', 'redux'),
  ...rowsOf('matrix', 'mma wmma'),
};

function rowsOf(sequence: Sequence, names: string): Readonly<Partial<Record<string, Sequence>>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, sequence]));
}

/** The sequence of an instruction; null for one that is what its class is. */
export function sequenceOf({ form, operands }: Pick<FlatLine, 'form' | 'operands'>): Sequence | null {
  const { base, types, words } = form;
  const [type] = types;
  if (usual[base] !== undefined && (type === undefined || bitsOf(type) <= 32)) return usual[base];
  if (type === undefined || type === 'pred') return null;
  if (base === 'cvt') return conversionOf(type, types[1] ?? type);
  if (type === 'f64') return doubleOf(form);
  if (type === 'f32') return realOf(form);
  if (isHalf(type)) return base === 'ex2' || base === 'tanh' ? 'approximate' : 'halfAdd';
  if (bitsOf(type) === 64) return words.includes('hi') ? 'wideMulHi' : (wide[base] ?? null);
  if (base === 'mul' || base === 'mad')
    return words.includes('wide') ? 'mulWide' : words.includes('hi') ? 'mulHi' : null;
  if (base !== 'div' && base !== 'rem') return null;
  return operands[2]?.kind === 'whole' ? 'divConstant' : 'div';
}

function conversionOf(to: ValueType, from: ValueType): Sequence | null {
  if (to === 'f64' || from === 'f64') return 'doubleConvert';
  if (isHalf(to) || isHalf(from)) return 'halfConvert';
  if (from === 'f32') return 'fromReal';
  return to === 'f32' ? 'toReal' : null;
}

const isRounded = ({ words }: Form): boolean => ['rz', 'rm', 'rp'].some((word) => words.includes(word));

function doubleOf(form: Form): Sequence | null {
  if (form.words.includes('approx')) return 'approximate';
  switch (form.base) {
    case 'div':
      return isRounded(form) ? 'roundedDiv' : null;
    case 'sqrt':
      return isRounded(form) ? 'roundedDiv' : 'doubleRoot';
    case 'rcp':
      return isRounded(form) ? 'roundedDiv' : 'doubleReciprocal';
    case 'min':
    case 'max':
      return 'doubleMax';
    case 'setp':
    case 'set':
      return 'doubleCompare';
    default:
      return null;
  }
}

function realOf(form: Form): Sequence | null {
  const { base, words } = form;
  if (base === 'sin' || base === 'cos') return 'sine';
  if (base === 'tanh' || base === 'ex2') return 'approximate';
  if (base === 'div') {
    if (words.includes('approx') || words.includes('full')) return 'approximateDiv';
    return isRounded(form) ? 'roundedDiv' : null;
  }
  const isRoot = base === 'sqrt';
  if (!isRoot && base !== 'rcp' && base !== 'rsqrt' && base !== 'lg2') return null;
  if (words.includes('approx')) return words.includes('ftz') ? 'approximate' : 'approximateSubnormal';
  return isRounded(form) ? 'roundedDiv' : isRoot ? 'root' : 'reciprocal';
}

/** By line: whether no load moves up past it. */
export function openings(
  lines: readonly Pick<FlatLine, 'form' | 'targets' | 'guard' | 'next'>[],
): readonly boolean[] {
  const opens = lines.map((_, at) => at === 0);
  for (const [at, { form, targets, next }] of lines.entries()) {
    const behind = at + 1 < lines.length;
    for (const to of targets) {
      if (form.base === 'bra' && isShort(lines, at, to)) continue;
      if (to < lines.length) opens[to] = true;
      if (behind) opens[at + 1] = true;
    }
    if (next !== undefined && next < lines.length) opens[next] = true;
    if (/^(?:bar|barrier|call|membar|fence|ret|exit|atom)$/.test(form.base) && behind) opens[at + 1] = true;
  }
  return opens;
}
