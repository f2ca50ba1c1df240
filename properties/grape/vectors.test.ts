import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { add } from '../../actors/grape/arithmetic/adder.ts';
import { type AluFunction, alu } from '../../actors/grape/arithmetic/alu.ts';
import {
  inputConversions,
  normaliseWord,
  outputConversions,
} from '../../actors/grape/arithmetic/conversions.ts';
import { bitsOfFlags, multiplierWords, multiply } from '../../actors/grape/arithmetic/multiplier.ts';
import { reduceTree, reductionNode } from '../../actors/grape/arithmetic/reduction.ts';
import type { FloatResult } from '../../actors/grape/arithmetic/rounding.ts';

const rowsOf = <Row>(name: string): readonly Row[] =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8')).rows;
const word = (hex: string): bigint => BigInt(`0x${hex}`);
const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0');

function float(mnemonic: string, short: boolean, a: bigint, b: bigint): FloatResult {
  const [, op, flags] = /^(fadd|fsub|fmul|dmul0|dmul1)(.*)$/.exec(mnemonic) as unknown as [
    string,
    string,
    string,
  ];
  if (op === 'fadd' || op === 'fsub')
    return add(a, b, {
      normA: !flags.includes('A'),
      normB: !flags.includes('B'),
      normO: !flags.includes('O'),
      sub: op === 'fsub' || flags.includes('S'),
      round: short,
    });
  if (op === 'dmul0' || op === 'dmul1') return multiply(a, b, multiplierWords[op]);
  if (flags === '') return multiply(a, b, short ? multiplierWords.fmulShort : multiplierWords.fmulLong);
  return multiply(a, b, bitsOfFlags(flags));
}

const statusNumber = { fine: 0, overflow: 1, underflow: 2 } as const;

describe('the reference arithmetic gives the golden words (GRAPE specification 2)', () => {
  test('adder and multiplier', () => {
    const rows = rowsOf<[string, 0 | 1, string, string, string, number]>('float_vectors');
    for (const [mnemonic, short, a, b, result, status] of rows) {
      const found = float(mnemonic, short === 1, word(a), word(b));

      expect([mnemonic, short, a, b, hex(found.word, 18), statusNumber[found.status]]).toEqual([
        mnemonic,
        short,
        a,
        b,
        result,
        status,
      ]);
    }
    expect(rows).toHaveLength(2480);
  });

  test('integer ALU', () => {
    const rows = rowsOf<[string, string, string, string, 0 | 1]>('alu_vectors');
    for (const [mnemonic, a, b, result, zero] of rows) {
      const found = alu(mnemonic.slice(1) as AluFunction, mnemonic[0] === 'i', word(a), word(b));

      expect([mnemonic, a, b, hex(found, 18), found === 0n ? 1 : 0]).toEqual([mnemonic, a, b, result, zero]);
    }
    expect(rows).toHaveLength(544);
  });

  test('conversions', () => {
    const rows = rowsOf<[string, string, string]>('conversion_vectors');
    for (const [name, from, to] of rows) {
      const found = converted(name, word(from));

      expect([name, from, found]).toEqual([name, from, to]);
    }
    expect(rows).toHaveLength(566);
  });

  test('reduction tree', () => {
    const rows = rowsOf<[string, 0 | 1, readonly string[], string]>('reduction_vectors');
    for (const [op, round, words, result] of rows) {
      const leaves = words.map(word);
      const found = /^\d+$/.test(op)
        ? leaves[Number(op)]!
        : reduceTree(leaves, reductionNode(op, round === 1)!);

      expect([op, words, hex(found, 18)]).toEqual([op, words, result]);
    }
    expect(rows).toHaveLength(112);
  });
});

function converted(name: string, from: bigint): string {
  if (name === 'normalise') return hex(normaliseWord(from), 18);
  const entering = inputConversions.find((one) => one.name === name);
  if (entering) return hex(entering.convert(from, { narrowMode: 'nearest' }), entering.long ? 18 : 9);
  const leaving = outputConversions.find((one) => one.name === name)!;
  return leaving
    .convert(from)
    .map((one) => hex(one, 16))
    .join(' ');
}
