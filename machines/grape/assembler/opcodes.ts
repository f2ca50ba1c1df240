import { type AluFunction, aluOps } from '../../../actors/grape/arithmetic/alu.ts';
import { bitsOfFlags, multiplierWords } from '../../../actors/grape/arithmetic/multiplier.ts';

/** What an operation word of a component means (GRAPE specification 3.2). */
export type Opcode =
  /** `bits` is absent where the destinations decide (plain `fmul`). */
  | { readonly unit: 'mul'; readonly bits?: number }
  | { readonly unit: 'fadd'; readonly flags: string; readonly sub: boolean }
  | { readonly unit: 'ialu'; readonly op: AluFunction; readonly signed: boolean }
  | { readonly unit: 'imm'; readonly signed: boolean }
  | { readonly unit: 'bm' | 'idp' | 'rrn' };

const different = (flags: string): boolean => new Set(flags).size === flags.length;

/** The meaning of an operation word; undefined when there is no such operation. */
export function opcodeOf(text: string): Opcode | undefined {
  if (text === 'bm' || text === 'idp' || text === 'rrn') return { unit: text };
  if (text === 'dmul0' || text === 'dmul1') return { unit: 'mul', bits: multiplierWords[text] };
  const mul = /^fmul([uvwAxyzBRO]*)$/.exec(text);
  if (mul) {
    const flags = mul[1]!;
    if (!different(flags)) return undefined;
    return flags === '' ? { unit: 'mul' } : { unit: 'mul', bits: bitsOfFlags(flags) };
  }
  const add = /^(fadd|fsub)([ABSO]*)$/.exec(text);
  if (add) return different(add[2]!) ? { unit: 'fadd', flags: add[2]!, sub: add[1] === 'fsub' } : undefined;
  const integer = /^([iu])(\w+)$/.exec(text);
  if (!integer) return undefined;
  const signed = integer[1] === 'i';
  const op = integer[2]!;
  if (op === 'imm') return { unit: 'imm', signed };
  return (aluOps as readonly string[]).includes(op)
    ? { unit: 'ialu', op: op as AluFunction, signed }
    : undefined;
}

/** Words that begin a statement of their own. */
export const declarationWords = ['var', 'bvar', 'evar', 'alias', 'prefix'] as const;
export const directiveWords = ['vlen', 'mi', 'mof', 'moi'] as const;
export const sectionWords = ['initialization', 'loop'] as const;
export const simulatorWords = ['IDP', 'FLT', 'FIX', 'HEX', 'RRN', 'DBG', 'print'] as const;

/** Every word of the language that stands alone on its line, `nop` apart. */
export const standaloneWords: readonly string[] = [
  ...declarationWords,
  ...directiveWords,
  ...sectionWords,
  ...simulatorWords,
];

/** True for a word that means something at the beginning of a statement. */
export const isLanguageWord = (text: string): boolean =>
  text === 'nop' || standaloneWords.includes(text) || opcodeOf(text) !== undefined;
