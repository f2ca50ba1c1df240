import { add } from './adder.ts';
import { type AluFunction, alu, aluOps } from './alu.ts';
import type { Word } from './word.ts';

/** A node of the reduction tree: what it makes of the word of the lower blocks and the word of the higher ones. */
export type ReductionNode = (lower: Word, higher: Word) => Word;

const reducingAlu: readonly string[] = ['add', 'max', 'min', 'and', 'or', 'xor', 'passa', 'passb'];

/**
 * The node operation of a reduction opcode, `fadd` with flags A, B, O or an integer function; undefined when there is none
 * (GRAPE specification 2.10).
 *
 * Details: `round` rounds in the tree to 25 bits; it has a meaning for `fadd` only.
 */
export function reductionNode(opcode: string, round: boolean): ReductionNode | undefined {
  const float = /^fadd([ABO]*)$/.exec(opcode);
  if (float) {
    const flags = float[1]!;
    if (new Set(flags).size < flags.length) return undefined;
    const control = {
      normA: !flags.includes('A'),
      normB: !flags.includes('B'),
      normO: !flags.includes('O'),
      sub: false,
      round,
    };
    return (lower, higher) => add(lower, higher, control).word;
  }
  const name = opcode.slice(1);
  if (!/^[iu]/.test(opcode) || !reducingAlu.includes(name) || !(aluOps as readonly string[]).includes(name))
    return undefined;
  return (lower, higher) => alu(name as AluFunction, opcode[0] === 'i', lower, higher);
}

/**
 * Combines one word a block to one word, level by level, neighbours first; an odd word at the end passes up unchanged
 * (GRAPE specification 2.10). `words` has at least one.
 */
export function reduceTree(words: readonly Word[], node: ReductionNode): Word {
  let level = words;
  while (level.length > 1) level = reduceLevel(level, node);
  return level[0]!;
}

/** The words one level further up. */
export function reduceLevel(words: readonly Word[], node: ReductionNode): readonly Word[] {
  const above: Word[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) above.push(node(words[at]!, words[at + 1]!));
  if (words.length % 2 === 1) above.push(words.at(-1)!);
  return above;
}
