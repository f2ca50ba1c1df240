import { z } from 'zod';
import { add } from '../../actors/grape/arithmetic/adder.ts';
import { type AluFunction, alu } from '../../actors/grape/arithmetic/alu.ts';
import {
  inputConversions,
  normaliseWord,
  outputConversions,
} from '../../actors/grape/arithmetic/conversions.ts';
import { multiplierWords, multiply } from '../../actors/grape/arithmetic/multiplier.ts';
import { reduceTree, reductionNode } from '../../actors/grape/arithmetic/reduction.ts';
import type { FloatResult } from '../../actors/grape/arithmetic/rounding.ts';
import { opcodeOf } from '../../machines/grape/assembler/opcodes.ts';
import { referenceData } from '../json-data.ts';
import type { ReferenceFile } from '../reference-kind.ts';
import { equalRow, type Row } from '../reference-row.ts';

/** Tables of words that an operation must give, by the first of their columns (GRAPE specification 2). */
export type VectorKind = 'float' | 'alu' | 'conversion' | 'reduction';

/** What a table is about; undefined when it is none of ours. */
export function vectorKindOf(json: unknown): VectorKind | undefined {
  const { columns, rows } = (json ?? {}) as { readonly columns?: unknown; readonly rows?: unknown };
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined;
  if (columns.includes('zeroFlag')) return 'alu';
  if (columns.includes('shortResult')) return 'float';
  if (columns[0] === 'conversion') return 'conversion';
  return columns.includes('one word per block') ? 'reduction' : undefined;
}

const word = (hex: string): bigint => BigInt(`0x${hex}`);
const hex = (value: bigint, digits = 18): string => value.toString(16).padStart(digits, '0');
const statusNumbers = { fine: 0, overflow: 1, underflow: 2 } as const;

const wordText = z.string().regex(/^[0-9a-f]+$/i);
/** The columns of each kind of table. */
const rowSchemas = {
  float: z.tuple([z.string(), z.int().min(0).max(1), wordText, wordText, wordText, z.int()]),
  alu: z.tuple([z.string(), wordText, wordText, wordText, z.int()]),
  conversion: z.tuple([z.string(), wordText, z.string()]),
  reduction: z.tuple([z.string(), z.int().min(0).max(1), z.array(wordText).min(1), wordText]),
};
type VectorRow<Kind extends VectorKind> = z.output<(typeof rowSchemas)[Kind]>;

const comparisons: { readonly [Kind in VectorKind]: (id: string, row: VectorRow<Kind>) => Row } = {
  float: (id, [mnemonic, short, a, b, result, status]) => {
    const found = floatResult(mnemonic, short === 1, word(a), word(b));
    const what = `${mnemonic} ${a} ${b}${short ? ', short' : ''}: word and status`;
    return equalRow(
      id,
      what,
      `${result} ${status}`,
      found && `${hex(found.word)} ${statusNumbers[found.status]}`,
    );
  },
  alu: (id, [mnemonic, a, b, result, zero]) => {
    const found = alu(mnemonic.slice(1) as AluFunction, mnemonic.startsWith('i'), word(a), word(b));
    const what = `${mnemonic} ${a} ${b}: word and zero flag`;
    return equalRow(id, what, `${result} ${zero}`, `${hex(found)} ${found === 0n ? 1 : 0}`);
  },
  conversion: (id, [name, from, to]) => equalRow(id, `${name} ${from}`, to, converted(name, word(from))),
  reduction: (id, [op, round, words, result]) => {
    const leaves = words.map(word);
    const node = reductionNode(op, round === 1);
    const found = /^\d+$/.test(op) ? leaves[Number(op)] : node && reduceTree(leaves, node);
    return equalRow(
      id,
      `${op} of ${words.length} blocks`,
      result,
      found === undefined ? undefined : hex(found),
    );
  },
};

/** Compares every row of a table with the reference arithmetic, bit for bit. Errors: `DamagedReference`. */
export const vectorRows = (kind: VectorKind, file: ReferenceFile): Iterable<Row> => rowsOf(kind, file);

function* rowsOf<Kind extends VectorKind>(kind: Kind, file: ReferenceFile): Iterable<Row> {
  const schema = z.looseObject({ rows: z.array(rowSchemas[kind] as unknown as z.ZodType<VectorRow<Kind>>) });
  for (const [at, row] of referenceData(file, schema).rows.entries())
    yield comparisons[kind](`${at} ${row[0]}`, row);
}

/** The result of a float operation by the word that writes it; undefined when there is no such word. */
export function floatResult(mnemonic: string, short: boolean, a: bigint, b: bigint): FloatResult | undefined {
  const opcode = opcodeOf(mnemonic);
  if (opcode?.unit === 'mul')
    return multiply(a, b, opcode.bits ?? (short ? multiplierWords.fmulShort : multiplierWords.fmulLong));
  if (opcode?.unit !== 'fadd') return undefined;
  const { flags, sub } = opcode;
  return add(a, b, {
    normA: !flags.includes('A'),
    normB: !flags.includes('B'),
    normO: !flags.includes('O'),
    sub: sub || flags.includes('S'),
    round: short,
  });
}

function converted(name: string, from: bigint): string | undefined {
  if (name === 'normalise') return hex(normaliseWord(from));
  const entering = inputConversions.find((one) => one.name === name);
  if (entering) return hex(entering.convert(from, { narrowMode: 'nearest' }), entering.long ? 18 : 9);
  return outputConversions
    .find((one) => one.name === name)
    ?.convert(from)
    .map((one) => hex(one, 16))
    .join(' ');
}
