import { outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import { reduceTree, reductionNode } from '../../actors/grape/arithmetic/reduction.ts';
import type { Word } from '../../actors/grape/arithmetic/word.ts';
import type { SimLine } from '../../actors/grape/program.ts';

/** What a line for the simulator shows (GRAPE specification 7.6). */
export interface Output {
  readonly line: number;
  readonly kind: 'print' | 'DBG' | 'RRN';
  readonly what: string;
  /** Floats as numbers, integers as bigints, patterns as hexadecimal digits. */
  readonly values: readonly (number | bigint | string)[];
}

/** What a line shows of the words that the blocks gave for it, by block; null for those that it does not concern. Nothing while words are missing. */
export function outputOf(item: SimLine, words: readonly (readonly Word[] | null)[]): Output | undefined {
  const { line, what } = item;
  if (item.kind === 'RRN' ? words.includes(null) : item.kind !== 'IDP' && !words[item.bb]) return undefined;
  switch (item.kind) {
    case 'IDP':
      return undefined;
    case 'RRN': {
      const { op, mem, n, round } = item;
      const values = Array.from({ length: n }, (_, k) =>
        floatOf(
          reduceWords(
            op,
            words.map((one) => one![k]!),
            round || !mem.long,
          ),
        ),
      );
      return { line, kind: 'RRN', what, values };
    }
    case 'print': {
      const values = words[item.bb]!.map((word) => shownAs(word, item.format, item.ref.long));
      return { line, kind: 'print', what, values };
    }
    case 'DBG': {
      const seen = words[item.bb]!;
      const values =
        item.of === 'MREG'
          ? [0, 1, 2, 3].map((k) => Number((seen[0]! >> BigInt(k)) & 1n))
          : seen.map((word) => digitsOf(word, true));
      return { line, kind: 'DBG', what, values };
    }
  }
}

/** The words of one place of all blocks, combined by a reduction opcode or a block number (GRAPE specification 2.10). */
export const reduceWords = (op: string, words: readonly Word[], round: boolean): Word =>
  /^\d+$/.test(op) ? (words[Number(op)] ?? 0n) : reduceTree(words, reductionNode(op, round)!);

const digitsOf = (word: Word, long: boolean): string =>
  long ? word.toString(16).padStart(18, '0') : (word >> 36n).toString(16).padStart(9, '0');

const view = new DataView(new ArrayBuffer(8));

/** A left-aligned word of the chip as a double. */
export function floatOf(word: Word): number {
  view.setBigUint64(0, outputConversions[0]!.convert(word)[0]!);
  return view.getFloat64(0);
}

function shownAs(word: Word, format: 'f' | 'i' | 'h', long: boolean): number | bigint | string {
  if (format === 'f') return floatOf(word);
  if (format === 'h') return digitsOf(word, long);
  return long ? BigInt.asIntN(72, word) : BigInt.asIntN(36, word >> 36n);
}

/** Output of the stand-alone simulator as its lines of text (GRAPE specification 7.6). */
export const outputText = ({
  line,
  kind,
  what,
  values,
}: Omit<Output, 'values'> & { readonly values: readonly unknown[] }): string =>
  `${kind} L${line} ${what}: ${values.map(String).join(' ')}`;
