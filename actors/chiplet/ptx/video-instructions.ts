import type { Definition, Definitions } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { isSigned, type ValueType } from './value-type.ts';
import { partOf, partsOf } from './video-arithmetic.ts';

/*
 * Video instructions (PTX ISA): one operation on words of which parts are taken, or the same on two half words or four bytes.
 */

const types: readonly ValueType[] = ['u32', 's32'];
const comparisons = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];

/** A word, or the part of one that is named, as a number. */
function partText(writer: LaneWriter, operand: ResolvedOperand, type: ValueType): string {
  const [plain, part] =
    operand.kind === 'part'
      ? [{ kind: 'register', register: operand.register } as const, operand.part]
      : [operand, undefined];
  const value = writer.value(plain, type);
  const [first, bits] = placeOf(part);
  return `h.takenPart(${value}, ${first}, ${bits}, ${isSigned(type)})`;
}

/** The place of a part of a word. Errors: `OperandMismatch`. */
function placeOf(part: string | undefined): readonly [first: number, bits: number] {
  const place = partOf(part);
  if (place === undefined) throw new OperandMismatch(`.${part}`, '.b0 to .b3, .h0, .h1');
  return place;
}

/** The type of the result and of the sources; a comparison has none for its result. */
const typesOf = ({ types: given }: Form, compares: boolean): readonly [ValueType, ValueType, ValueType] =>
  compares ? ['u32', given[0]!, given[1]!] : [given[0]!, given[1]!, given[2]!];

/** vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset: sources may be parts, and so may be the result, or a second operation follows. */
const scalar = (what: string): Definition => {
  const compares = what === 'set';
  const shifts = what === 'shl' || what === 'shr';
  const modes = shifts ? ['clamp', 'wrap'] : [];
  return {
    words: [...(compares ? comparisons : ['sat']), ...modes, 'add', 'min', 'max'],
    exclusive: [comparisons, modes, ['add', 'min', 'max']],
    types: compares ? [types, types] : [types, types, shifts ? ['u32'] : types],
    ...uniform([3, 4], 'lanes', 'intAdd'),
    lower: (writer, form, [d, a, b, c]) => {
      const { words, written } = form;
      const [to, from, by] = typesOf(form, compares);
      const second = words.find((word) => ['add', 'min', 'max'].includes(word));
      const mode = words.find((word) => modes.includes(word));
      const step = compares ? words.find((word) => comparisons.includes(word)) : what;
      if (step === undefined || (shifts && mode === undefined)) throw new UnknownForm(written);
      const part = d!.kind === 'part' ? d!.part : undefined;
      if ((part !== undefined || second !== undefined) !== (c !== undefined) || (part && second))
        throw new OperandMismatch(
          c === undefined ? '3 operands' : '4 operands',
          'a fourth operand for a part of the result or a second operation, and for no other',
        );
      const amount = partText(writer, b!, by);
      const limited =
        mode === 'wrap' ? `(${amount} & 31)` : mode === 'clamp' ? `Math.min(${amount}, 32)` : amount;
      const [first, bits] = placeOf(part);
      const exact = `h.videoStep('${step}', ${partText(writer, a!, from)}, ${limited})`;
      const held = words.includes('sat') ? `h.heldPart(${exact}, ${bits}, ${isSigned(to)})` : exact;
      // What is kept of a wide result are its lowest 32 bits.
      const text = `const v = Number(BigInt.asIntN(32, BigInt(${held})));`;
      const third = c === undefined ? '' : partText(writer, c, to);
      const sign = isSigned(to) ? '' : ' >>> 0';
      const last =
        part !== undefined
          ? `h.mergedPart(v, ${third}, ${first}, ${bits})`
          : second === undefined
            ? 'v'
            : `h.videoStep('${second}', v${sign}, ${third}) | 0`;
      const target = d!.kind === 'part' ? ({ kind: 'register', register: d!.register } as const) : d!;
      return { run: writer.lanes(`${text} ${writer.put(target, to, last)}`) };
    },
  };
};

/** vmad: a product of parts and a sum, shifted right. */
const multiplyAdd: Definition = {
  words: ['po', 'sat', 'shr7', 'shr15'],
  exclusive: [['shr7', 'shr15']],
  types: [types, types, types],
  ...uniform([4, 4], 'lanes', 'intMad'),
  lower: (writer, { words, types: [to, from, by], written }, [d, ...given]) => {
    const shift = words.includes('shr7') ? 7 : words.includes('shr15') ? 15 : 0;
    const opposite = given.map(({ kind }) => kind === 'opposite');
    const [a, b, c] = given.map((one) => (one.kind === 'opposite' ? one.of : one));
    const turns = opposite[0] !== opposite[1];
    if (opposite.filter(Boolean).length > 1 || (opposite.includes(true) && words.includes('po')))
      throw new OperandMismatch(written, 'one operand with a minus, and none with .po');
    // The sum and its third operand have a sign when a factor or a minus has one, whatever the type of the register for the result.
    const signed = isSigned(from!) || isSigned(by!) || opposite.includes(true);
    const factor = `${turns ? '-' : ''}${partText(writer, a!, from!)}`;
    const third = `${opposite[2] ? '-' : ''}${partText(writer, c!, signed ? 's32' : 'u32')}`;
    const text = `h.videoProduct(${factor}, ${partText(writer, b!, by!)}, ${third}, ${shift}, ${words.includes('po') ? 1 : 0}, ${signed}, ${words.includes('sat')})`;
    return { run: writer.lanes(writer.put(d!, to!, text)) };
  },
};

/** A word and which of the parts of two words it names; those of the second word come behind those of the first. Errors: `OperandMismatch`. */
function chosenParts(operand: ResolvedOperand, bits: 8 | 16, usual: readonly number[], most: number) {
  if (operand.kind !== 'part') return { word: operand, parts: usual };
  const parts = partsOf(operand.part, bits);
  if (parts === undefined || parts.some((one) => one > most))
    throw new OperandMismatch(`.${operand.part}`, `.${bits === 8 ? 'b' : 'h'} and digits up to ${most}`);
  return { word: { kind: 'register', register: operand.register } as const, parts };
}

/** The same on two half words or four bytes; with add they are summed up onto the fourth operand. */
const parallel = (what: string, bits: 8 | 16): Definition => {
  const compares = what === 'set';
  return {
    words: [...(compares ? comparisons : ['sat']), 'add'],
    exclusive: [comparisons, ['sat', 'add']],
    types: compares ? [types, types] : [types, types, types],
    ...uniform([4, 4], 'lanes', 'intAdd'),
    lower: (writer, form, [d, a, b, c]) => {
      const { words, written } = form;
      const [to, from, by] = typesOf(form, compares);
      const step = compares ? words.find((word) => comparisons.includes(word)) : what;
      if (step === undefined)
        throw new UnknownForm(written, `${form.base} with one of ${comparisons.join(', ')}`);
      const count = 32 / bits;
      const own = Array.from({ length: count }, (_, at) => at);
      const first = chosenParts(a!, bits, own, 2 * count - 1);
      const second = chosenParts(
        b!,
        bits,
        own.map((at) => at + count),
        2 * count - 1,
      );
      const result = chosenParts(d!, bits, own, count - 1);
      if (first.parts.length !== count || second.parts.length !== count)
        throw new OperandMismatch(written, `${count} parts of each source`);
      const way = {
        what: step,
        bits,
        signs: { a: isSigned(from), b: isSigned(by), d: isSigned(to) },
        parts: { a: first.parts, b: second.parts, d: result.parts },
        holds: words.includes('sat'),
        adds: words.includes('add'),
      };
      const text = `h.videoParts(way, ${writer.value(first.word, from)}, ${writer.value(second.word, by)}, ${writer.value(c!, to)})`;
      return { run: writer.lanes(writer.put(result.word, to, text), `const way = ${JSON.stringify(way)};`) };
    },
  };
};

const onWords = ['add', 'sub', 'absdiff', 'min', 'max', 'shl', 'shr', 'set'];
const onParts = ['add', 'sub', 'avrg', 'absdiff', 'min', 'max', 'set'];

/** Video instructions. */
export const videoInstructions: Definitions = {
  ...Object.fromEntries(onWords.map((what) => [`v${what}`, scalar(what)])),
  vmad: multiplyAdd,
  ...Object.fromEntries(onParts.map((what) => [`v${what}2`, parallel(what, 16)])),
  ...Object.fromEntries(onParts.map((what) => [`v${what}4`, parallel(what, 8)])),
};
