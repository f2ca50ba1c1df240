import { instructionClasses } from './instruction.ts';
import type { FlatLine } from './resolved.ts';
import { bitsOf, isReal, type ValueType } from './value-type.ts';

/*
 * What the translator makes of an instruction of PTX, as far as timing may want to know it: sequences of several instructions, and how far a load may move up.
 */

/** Instructions that a GPU carries out as several, or by a slower unit than others of their class. */
export const sequences = [
  /** Integers of 64 bits: sums, logic, shifts and comparisons; products; quotients. */
  'wideAdd',
  'wideMul',
  'wideDiv',
  /** Conversions from and to reals. */
  'convert',
  /** Bits that are counted or turned round. */
  'count',
  /** Roots and reciprocals that are not approximate, of 32 and of 64 bits. */
  'root',
  'doubleRoot',
] as const;

export type Sequence = (typeof sequences)[number];

/** The place of an instruction in a table of cycles: by class, or by sequence behind the classes; those of instructions with predicates for results follow. */
export const timingIndex = (classIndex: number, sequence: Sequence | null, predicate: boolean): number =>
  (sequence === null ? classIndex : instructionClasses.length + sequences.indexOf(sequence)) +
  (predicate ? instructionClasses.length + sequences.length : 0);

/** What timing may want to know of an instruction besides its class. */
export interface Schedule {
  readonly sequence: Sequence | null;
  /** True when its results are predicates. */
  readonly predicate: boolean;
  /** True when no load moves up past it: a branch that is not a short one ahead leads here, or a barrier, call or fence is before it. */
  readonly opens: boolean;
  /** True for a fence of memory. */
  readonly fence: boolean;
  /** A load that moves past stores: it reads what no kernel writes. */
  readonly readOnly: boolean;
  /** An access that goes past the first-level cache, and that no load moves past. */
  readonly volatile: boolean;
  /** Registers that it reads, by number. */
  readonly reads: readonly number[];
}

const sums = new Set([
  'add',
  'sub',
  'addc',
  'subc',
  'and',
  'or',
  'xor',
  'not',
  'shl',
  'shr',
  'neg',
  'abs',
  'min',
  'max',
  'setp',
  'set',
  'selp',
]);
const products = new Set(['mul', 'mad', 'madc']);
const quotients = new Set(['div', 'rem']);
const counts = new Set(['popc', 'clz', 'bfind', 'brev', 'fns']);
const roots = new Set(['sqrt', 'rcp', 'rsqrt']);

/** The sequence of an instruction; null for one that is one. */
export function sequenceOf({ form: { base, types, words } }: Pick<FlatLine, 'form'>): Sequence | null {
  const [type] = types;
  if (type === undefined) return null;
  const isWide = bitsOf(type) === 64 && !isReal(type);
  if (isWide && sums.has(base)) return 'wideAdd';
  // A wide product is one instruction: its factors have 32 bits.
  if (isWide && products.has(base)) return 'wideMul';
  if (isWide && quotients.has(base)) return 'wideDiv';
  if (counts.has(base)) return 'count';
  const isExact = !words.includes('approx');
  if (roots.has(base) && isExact) return type === 'f64' ? 'doubleRoot' : 'root';
  const isOfReals = (one: ValueType | undefined): boolean => one !== undefined && isReal(one);
  return base === 'cvt' && (isOfReals(type) || isOfReals(types[1])) ? 'convert' : null;
}

/** Instructions that a branch may jump over without being one: the translator carries them out under a guard. */
const shortBranch = 12;

/** By line: whether no load moves up past it. */
export function openings(
  lines: readonly Pick<FlatLine, 'form' | 'targets' | 'guard' | 'next'>[],
): readonly boolean[] {
  const opens = lines.map((_, at) => at === 0);
  for (const [at, { form, targets, next }] of lines.entries()) {
    const behind = at + 1 < lines.length;
    for (const to of targets) {
      const isShort = form.base === 'bra' && to > at && to - at <= shortBranch;
      if (isShort) continue;
      if (to < lines.length) opens[to] = true;
      if (behind) opens[at + 1] = true;
    }
    if (next !== undefined && next < lines.length) opens[next] = true;
    if (/^(?:bar|barrier|call|membar|fence|ret|exit|atom)$/.test(form.base) && behind) opens[at + 1] = true;
  }
  return opens;
}
