import { aluOps } from '../../actors/grape/arithmetic/alu.ts';
import { inputConversions, outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import { bitsOfFlags, multiplierLetters } from '../../actors/grape/arithmetic/multiplier.ts';
import { reduceTree, reductionNode } from '../../actors/grape/arithmetic/reduction.ts';
import type { Block, BlockSpec } from '../../actors/grape/block/block.ts';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import { WasmBlock } from '../../actors/grape/block/wasm-block.ts';
import { hostValue, hostWords, wordOfHost } from '../../actors/grape/host-words.ts';
import type { Ref, Slot } from '../../actors/grape/program.ts';
import { transferSlot } from '../../machines/grape/chip.ts';
import { besideScenario } from '../beside-scenario.ts';
import { floatSum, hostBits, treeOf } from './exact-words.ts';
import { hostValueOf, integer, lettersOn, product, wordOfHostValue } from './plain/plain-arithmetic.ts';
import { wordsDrawn } from './whole-programs.arbitrary.ts';

/*
 * Each unit of a PE by itself, each conversion of the host and each node of the tree, on words at the edges of the formats, against exact integers (GRAPE specification 2).
 * A program meets few of their cases, and runs on one engine.
 */

/** What a unit does in a slot, and what it is in exact integers. */
interface Case {
  readonly name: string;
  readonly op: (a: Ref, b: Ref, dst: readonly Ref[]) => Partial<Slot>;
  readonly word: (a: bigint, b: bigint) => bigint;
  /** The flag that a mask takes (GRAPE specification 2.4, 2.7); the multiplier has none. */
  readonly flag?: (word: bigint) => boolean;
}

/** The letters whose bit is set in a number, the first one lowest. */
const lettersOf = (all: string, bits: number): string =>
  [...all].filter((_, at) => (bits >> at) % 2 === 1).join('');

const additionOf = (bits: number): Case => {
  const flags = lettersOf('ABSO', bits);
  const round = bits >> 4 === 1;
  const sub = flags.includes('S');
  return {
    name: `fadd${flags}, ${round ? 'short' : 'long'}`,
    op: (a, b, dst) => {
      const norm = { normA: !flags.includes('A'), normB: !flags.includes('B'), normO: !flags.includes('O') };
      return { mof: 1, add: { unit: 'fadd', ...norm, sub, round, a, b, dst } };
    },
    word: (a, b) => floatSum(a, b ^ (sub ? 1n << 71n : 0n), flags, round),
    flag: (word) => word > 1n << 71n,
  };
};

const multiplicationOf = (bits: number): Case => {
  const flags = lettersOf(multiplierLetters, bits);
  return {
    name: `fmul${flags}`,
    op: (a, b, dst) => ({ mul: { bits: bitsOfFlags(flags), a, b, dst } }),
    word: (a, b) => product(a, b, lettersOn(flags)),
  };
};

const integers: readonly Case[] = aluOps.flatMap((op) =>
  [false, true].map((signed) => ({
    name: `${signed ? 'i' : 'u'}${op}`,
    op: (a: Ref, b: Ref, dst: readonly Ref[]) => ({
      moi: 1,
      add: { unit: 'ialu', op, signed, a, b, dst } as const,
    }),
    word: (a: bigint, b: bigint) => integer(op, signed, a, b),
    flag: (word: bigint) => word === 0n,
  })),
);
/** dmul0, dmul1, fmul for a short and for a long result (GRAPE specification 2.5). */
const usual = ['vRO', 'vxzBRO', 'wz', 'wzR'].map((letters) =>
  multiplicationOf([...letters].reduce((bits, one) => bits + 2 ** multiplierLetters.indexOf(one), 0)),
);

/** Of the cases of adder and multiplier so many are tried at a time. */
const floatsEach = 6;

const casesOf = (number: number): readonly Case[] => [
  ...integers.filter((_, at) => at % 3 === number % 3),
  additionOf(0),
  additionOf(16),
  ...usual,
  ...Array.from({ length: floatsEach }, (_, at) => additionOf((number + 5 * at) % 32)),
  ...Array.from({ length: floatsEach }, (_, at) => multiplicationOf((7 * number + 171 * at) % 1024)),
];

const nPE = 2;
const vlen = 4;
const lanes = nPE * vlen;
const spec: BlockSpec = { nPE, number: 0, lmShort: 16, grfShort: 32, bmShort: 16, mode: 'pipelined' };
const place = (kind: Ref['kind'], addr: number, long = true): Ref => ({
  ...{ kind, addr, long, vector: true, stride: 1, text: '' },
});
const [left, right, whole, half] = [
  place('grf', 0),
  place('grf', 8),
  place('grf', 16),
  place('lm', 0, false),
];

/** Puts four words into a place of a PE. */
function load(block: Block, pe: Ref, peid: number, words: readonly bigint[]): void {
  for (const [k, word] of words.entries()) block.writeBroadcast(2 * k, true, word);
  block.issue(transferSlot({ toPe: true, bm: place('bm', 0), pe, peid }, vlen));
  block.drain();
}

const shown = (word: bigint): string => `h"${word.toString(16).padStart(18, '0')}"`;

/** What a block makes of a case otherwise than exact integers do. */
function caseFault(
  block: Block,
  { name, op, word, flag }: Case,
  words: readonly bigint[],
): string | undefined {
  const [a, b] = [words.slice(0, lanes), words.slice(lanes, 2 * lanes)];
  for (let pe = 0; pe < nPE; pe++) {
    load(block, left, pe, a.slice(vlen * pe, vlen * pe + vlen));
    load(block, right, pe, b.slice(vlen * pe, vlen * pe + vlen));
  }
  block.issue({ kind: 'slot', line: 0, vlen, mi: 0, mof: 0, moi: 0, ...op(left, right, [whole, half]) });
  block.drain();
  for (let lane = 0; lane < lanes; lane++) {
    const [pe, k] = [Math.floor(lane / vlen), lane % vlen];
    const expected = word(a[lane]!, b[lane]!);
    const of = `${name} of ${shown(a[lane]!)} and ${shown(b[lane]!)}`;
    const found = block.peek(pe, whole, k);
    if (found !== expected) return `${of} is ${shown(found)}, not ${shown(expected)}`;
    const short = block.peek(pe, half, k);
    if (short >> 36n !== expected >> 36n) return `${of} is ${shown(short)} in a short word`;
    const isSet = block.peekMask(pe, 1) & (1 << k);
    if (flag && flag(expected) !== isSet > 0) return `${of} sets the flag ${isSet > 0 ? 'on' : 'off'}`;
  }
  return undefined;
}

function unitFault(number: number): string | undefined {
  const cases = casesOf(number);
  const words = wordsDrawn(lanes * (cases.length + 1), number);
  for (const Kind of [ReferenceBlock, LaneBlock, WasmBlock]) {
    const block = new Kind(spec);
    for (const [at, one] of cases.entries()) {
      const fault = caseFault(block, one, words.slice(lanes * at));
      if (fault !== undefined) return `${Kind.name}: ${fault}`;
    }
  }
  return undefined;
}

const numbers = [
  0,
  -0,
  1,
  -2.5,
  1 / 3,
  1e-310,
  -1e300,
  1 + 2 ** -24,
  1 + 2 ** -25,
  2 - 2 ** -40,
  3e38,
  1e-40,
];

/** Numbers of the host, both ways, by the name of the conversion (GRAPE specification 2.9). */
function conversionFault(number: number): string | undefined {
  const words = wordsDrawn(12, number + 1);
  for (const { name, cType } of inputConversions)
    for (const narrowMode of ['nearest', 'truncate'] as const) {
      const wide =
        cType === 'int64' ? BigInt.asIntN(64, words[number % 12]! >> BigInt(number % 13)) : undefined;
      const small = Number(BigInt.asIntN(32, words[number % 11]!));
      const value = name.startsWith('flt') ? numbers[number % numbers.length]! : (wide ?? small);
      const [found, expected] = [
        wordOfHost(name, value, { narrowMode }),
        wordOfHostValue(name, value, narrowMode === 'truncate'),
      ];
      if (found !== expected) return `${name} makes ${shown(found)} of ${value}, not ${shown(expected)}`;
    }
  for (const { name } of outputConversions)
    for (const op of ['fadd', 'faddO', 'uadd'])
      for (const word of words) {
        const [found, bits] = [hostWords(name, op, word), hostBits(name, op, word)!];
        if (String(found) !== String(bits)) return `${name} gives ${found} of ${shown(word)}, not ${bits}`;
        const [value, expected] = [hostValue(name, bits[0]!), hostValueOf(name, bits[0]!)];
        if (!Object.is(value, expected)) return `${name} reads ${bits[0]} as ${value}, not ${expected}`;
      }
  return undefined;
}

const floatNodes = ['fadd', 'faddA', 'faddB', 'faddO', 'faddABO'];
const nodes = [
  ...floatNodes,
  ...['add', 'max', 'min', 'and', 'or', 'xor', 'passa', 'passb'].flatMap((op) => [`u${op}`, `i${op}`]),
];

/** The tree over one to seven blocks (GRAPE specification 2.10). */
function treeFault(number: number): string | undefined {
  const words = wordsDrawn(1 + (number % 7), number + 2);
  for (const op of nodes)
    for (const short of [false, true]) {
      const [found, expected] = [reduceTree(words, reductionNode(op, short)!), treeOf(op, words, short)];
      if (found !== expected)
        return `${op} of ${words.map(shown).join(', ')} is ${shown(found)}, not ${shown(expected)}`;
    }
  return undefined;
}

/** What some unit, conversion or node makes of drawn words otherwise than exact integers do. */
export const arithmeticFault = (number: number): string | undefined =>
  unitFault(number) ?? conversionFault(number) ?? treeFault(number);

/** Units, conversions and nodes of the tree calculate what exact integers are, on every engine. */
export const unitsCalculateAsPlainOnes = besideScenario(arithmeticFault);
