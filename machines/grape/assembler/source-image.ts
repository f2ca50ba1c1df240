import { aluOps } from '../../../actors/grape/arithmetic/alu.ts';
import { outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import type {
  AddOp,
  AluOp,
  BmOp,
  IdpOp,
  Item,
  MultiplyOp,
  Program,
  Ref,
  RrnOp,
} from '../../../actors/grape/program.ts';
import { invariant } from '../../../kernel/errors.ts';

/** The sections that the library runs, in this order; the preamble belongs to the stand-alone simulator (GRAPE specification 3.3). */
export const imageSections = [
  'initialization',
  'loopInitialization',
  'loopBody',
  'loopFinalization',
] as const;

/** The kinds of operands by their numbers in an image. */
export const imageRefs = ['lm', 'grf', 'bm', 't', 'ti', 'ind', 'fb', 'pe', 'bb'] as const;

/** The number of `imm` in an image: behind the functions of the ALU. */
export const imageImmediate = aluOps.length;

const functionNames = (from: number, to: number): string =>
  aluOps
    .slice(from, to)
    .map((op, at) => `${from + at} ${op}`)
    .join(', ');

/** What an image means, as the comment of a generated source; `emitSource` writes tables of this form. */
export const imageForm = `Slots, as words of 32 bits; bits are counted from 0, the lowest. An instruction is a head and its parts, in
this order: multiplier, adder or ALU, transfer, input, reduction. Lines for the simulator are not in it.

  head        31..30 kind: 1 slot, 2 nop;  29..20 words that follow;  19..17 vector length;  16..14 mi;
              13..11 mof;  10..8 moi;  4..0 parts: 1 multiplier, 2 adder or ALU, 4 bm, 8 idp, 16 rrn
  nop         the number of slots: its upper and its lower 32 bits
  multiplier  word 9..0 control bits, u is bit 9 and O bit 0, 31..16 destinations; operands A, B, destinations
  adder       word 0 NORMALA, 1 NORMALB, 2 subtract, 3 NORMALO, 4 ROUND, 30..16 destinations, 31 is 0;
              operands A, B, destinations
  ALU         word 4..0 function, 5 signed, 30..16 destinations, 31 is 1; operands A, B, destinations. Functions:
              ${functionNames(0, 10)},
              ${functionNames(10, aluOps.length)}, ${imageImmediate} imm. Instead of A and B,
              imm has two words: the upper 4 bits of its pattern, the lower 32
  bm          word 1: to PEs, 0: from a PE; the PE, -1 for all; operand in broadcast memory, operand in PEs
  idp         region; mode; block, below 0 for all: two's complement
  rrn         reduction (below) with 24 round, 25 ODPOE, 26 SREGEN, 23..20 conversion; number of words; operand
  operand     word 3..0 kind: ${imageRefs.map((kind, at) => `${at} ${kind}`).join(', ')};
              4 long, 5 vector, 31..8 short-word address; word: stride in words of the operand's width
  reduction   17..16 0: adder with 0 NORMALA, 1 NORMALB, 3 NORMALO; 1: ALU with 4..0 function, 5 signed;
              2: no reduction, the word of block 15..0`;

/** A value that is so many bits wide, at a place in a word of 32 bits. */
function field(value: number, at: number, bits: number): number {
  invariant(
    Number.isInteger(value) && value >= 0 && value < 2 ** bits,
    `${value} has ${bits} bits in an image`,
  );
  return value * 2 ** at;
}

const flag = (on: boolean, at: number): number => (on ? 2 ** at : 0);

function refWords({ kind, addr, long, vector, stride }: Ref): number[] {
  const place = imageRefs.indexOf(kind) + flag(long, 4) + flag(vector, 5) + field(addr, 8, 24);
  return [place, field(stride, 0, 32)];
}

const refsWords = (refs: readonly Ref[]): number[] => refs.flatMap(refWords);

const multiplierPart = ({ bits, a, b, dst }: MultiplyOp): number[] => [
  field(bits, 0, 10) + field(dst.length, 16, 15),
  ...refsWords([a, b, ...dst]),
];

function adderPart(op: AddOp | AluOp): number[] {
  const destinations = field(op.dst.length, 16, 15);
  if (op.unit === 'fadd') {
    const control =
      flag(op.normA, 0) + flag(op.normB, 1) + flag(op.sub, 2) + flag(op.normO, 3) + flag(op.round, 4);
    return [control + destinations, ...refsWords([op.a, op.b, ...op.dst])];
  }
  const head = (code: number): number => code + flag(op.signed, 5) + destinations + flag(true, 31);
  if (op.op === 'imm') {
    const pattern = op.imm!;
    return [
      head(imageImmediate),
      Number(pattern >> 32n),
      Number(pattern & 0xffff_ffffn),
      ...refsWords(op.dst),
    ];
  }
  return [head(aluOps.indexOf(op.op)), ...refsWords([op.a!, op.b!, ...op.dst])];
}

const transferPart = ({ toPe, bm, pe, peid }: BmOp): number[] => [
  toPe ? 1 : 0,
  peid === undefined ? unsigned(-1) : field(peid, 0, 31),
  ...refsWords([bm, pe]),
];

const inputPart = ({ elt, mode, bbid }: IdpOp): number[] => [field(elt, 0, 32), mode, unsigned(bbid)];

const reductionPart = ({ op, mem, n, round, odpoe, sregen, conv }: RrnOp): number[] => [
  reductionWord(op) +
    field(outputConversions.find(({ name }) => name === conv)!.number, 20, 4) +
    flag(round, 24) +
    flag(odpoe, 25) +
    flag(sregen, 26),
  field(n, 0, 32),
  ...refWords(mem),
];

const unsigned = (value: number): number => value >>> 0;

/** A reduction opcode, or the number of a block, as a word of an image (GRAPE specification 2.10). */
export function reductionWord(opcode: string): number {
  if (/^\d+$/.test(opcode)) return 2 * 2 ** 16 + field(Number(opcode), 0, 16);
  if (!opcode.startsWith('fadd')) {
    const name = opcode.slice(1);
    const code = (aluOps as readonly string[]).indexOf(name);
    return 2 ** 16 + field(code, 0, 5) + flag(opcode.startsWith('i'), 5);
  }
  const flags = opcode.slice('fadd'.length);
  return flag(!flags.includes('A'), 0) + flag(!flags.includes('B'), 1) + flag(!flags.includes('O'), 3);
}

function itemWords(item: Item): number[] {
  if (item.kind === 'nop')
    return [headWord(2, 2, item.vlen), field(Math.floor(item.count / 2 ** 32), 0, 32), unsigned(item.count)];
  if (item.kind !== 'slot') return [];
  const { vlen, mi, mof, moi, mul, add, bm, idp, rrn } = item;
  const words = [
    ...(mul ? multiplierPart(mul) : []),
    ...(add ? adderPart(add) : []),
    ...(bm ? transferPart(bm) : []),
    ...(idp ? inputPart(idp) : []),
    ...(rrn ? reductionPart(rrn) : []),
  ];
  const parts = [mul, add, bm, idp, rrn].reduce((bits, part, at) => bits + flag(part !== undefined, at), 0);
  const masks = field(mi, 14, 3) + field(mof, 11, 3) + field(moi, 8, 3);
  return [headWord(1, words.length, vlen) + masks + parts, ...words];
}

const headWord = (kind: number, words: number, vlen: number): number =>
  field(kind, 30, 2) + field(words, 20, 10) + field(vlen, 17, 3);

/** The slots of the sections of a program that the library runs, a list of words of 32 bits for each. Cost: linear in the program. */
export const imageOf = ({ sections }: Program): readonly (readonly number[])[] =>
  imageSections.map((name) => sections[name].flatMap(itemWords));
