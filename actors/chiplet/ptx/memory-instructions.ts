import { parameterWindow } from './address-space.ts';
import type { Definition, Definitions } from './definition.ts';
import { UnknownForm } from './definition.ts';
import type { AccessSpace, InstructionClass } from './instruction.ts';
import { type LaneWriter, nameOfKind, OperandMismatch, registerOf } from './lane-writer.ts';
import { addressName, addressText, memoryOf, placeOf, shown, spaceOf, spaces } from './memory-place.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, bytesOf, isReal, isSigned, plainTypes, type ValueType } from './value-type.ts';

/*
 * Loads and stores (chiplet specification 7.1, 7.2): lanes in order, each with its checks.
 */

const hint = 'L2::cache_hint';
const scopes = ['cta', 'cluster', 'gpu', 'sys'];
const vectors: Readonly<Record<string, number>> = { v2: 2, v4: 4, v8: 8 };
/** Hints for caches, which change nothing here. */
const levels = [
  ['L1::evict_normal', 'L1::evict_unchanged', 'L1::evict_first', 'L1::evict_last', 'L1::no_allocate'],
  ['L2::64B', 'L2::128B', 'L2::256B', 'L2::evict_first', 'L2::evict_last', 'L2::evict_normal'],
  [hint],
  ['mmio'],
];
const loadWords = [
  ['volatile', 'weak', 'relaxed', 'acquire'],
  scopes,
  spaces,
  ['ca', 'cg', 'cs', 'lu', 'cv'],
  ['nc'],
  ...levels,
  Object.keys(vectors),
];
const storeWords = [
  ['volatile', 'weak', 'relaxed', 'release'],
  scopes,
  spaces,
  ['wb', 'cg', 'cs', 'wt'],
  ...levels,
  Object.keys(vectors),
];
const inMemory = plainTypes.filter((type) => type !== 'pred');
/** Bytes that a lane may load or store at once, and those of global memory. */
const accessBytesMost = 16;
const globalBytesMost = 32;

/** The element at byte `by` after `x`, as text: an integer of up to 32 bits. */
function elementText(type: ValueType, by: number): string {
  const at = by === 0 ? 'x' : `x + ${by}`;
  switch (bytesOf(type)) {
    case 1:
      return isSigned(type) ? `(bytes[${at}] << 24 >> 24)` : `bytes[${at}]`;
    case 2:
      return isSigned(type) ? `(halves[${at} >>> 1] << 16 >> 16)` : `halves[${at} >>> 1]`;
    default:
      return `words[${at} >>> 2]`;
  }
}

export const elementsOf = (operand: ResolvedOperand, count: number): readonly ResolvedOperand[] => {
  // A single value may stand in braces, too.
  if (count === 1 && (operand.kind !== 'vector' || operand.parts.length !== 1)) return [operand];
  if (operand.kind !== 'vector' || operand.parts.length !== count)
    throw new OperandMismatch(nameOfKind(operand), `${count} registers in braces`);
  return operand.parts;
};

const vectorOf = ({ words }: Form): number => vectors[words.find((word) => word in vectors) ?? ''] ?? 1;

const classes: Readonly<Record<AccessSpace, InstructionClass>> = {
  global: 'global',
  generic: 'global',
  local: 'global',
  shared: 'shared',
  const: 'constant',
  param: 'constant',
};

const accessClass = (form: Form, operands: readonly ResolvedOperand[]): InstructionClass =>
  classes[shown(spaceOf(form, operands))];

/** Bytes that a lane touches. Errors: `UnknownForm` for more than there is an instruction for. */
function sizeOf(form: Form): number {
  const bytes = bytesOf(form.types[0]!) * vectorOf(form);
  const most =
    form.words.includes('global') && [4, 8].includes(bytesOf(form.types[0]!))
      ? globalBytesMost
      : accessBytesMost;
  if (bytes > most) throw new UnknownForm(form.written, `at most ${most} bytes in one instruction`);
  return bytes;
}

/** A third operand is a policy of caches. */
function checkHint({ words }: Form, { length }: readonly ResolvedOperand[]): void {
  const wanted = words.includes(hint) ? 3 : 2;
  if (length !== wanted) throw new OperandMismatch(`${length} operands`, `${wanted}`);
}

const load: Definition = {
  words: loadWords.flat(),
  exclusive: loadWords,
  types: [inMemory],
  operands: [2, 3],
  kind: 'memory',
  class: accessClass,
  lower: (writer, form, operands) => {
    checkHint(form, operands);
    const [d, a] = operands;
    const type = form.types[0]!;
    const memory = memoryOf(a!);
    const space = spaceOf(form, operands);
    if (form.words.includes('nc') && space !== 'global' && space !== 'generic')
      throw new UnknownForm(form.written, 'nc for global memory only');
    const parts = elementsOf(d!, vectorOf(form));
    const access = { space: shown(space), what: 'load', bytes: sizeOf(form) } as const;
    if (space === 'param') {
      const puts = parts.map((part, at) => loadPart(writer, type, part, at * bytesOf(type)));
      const { bytes: size } = access;
      if (memory.base !== null || memory.space !== 'param') {
        const text = `const at = ${addressText(writer, memory)}; ${parameterAt(size)} ${puts.join(' ')}`;
        return { run: writer.lanes(text), access };
      }
      const check = `if (!(x >= 0 && x + ${size} <= w.home.kernel.parameterBytes)) w.outside(x, ${size}, lane, 'parameter'); if (x % ${size} !== 0) w.misaligned(x, ${size}, lane);`;
      const before = `const x = ${writer.constant(memory.offset)}, lane = 31 - Math.clz32(m & -m); ${check} const { bytes, halves, words } = w.parameters;`;
      return { run: writer.lanes(puts.join(' '), before), access };
    }
    const place = placeOf(space, access.bytes, false);
    const puts = parts.map((part, at) => loadPart(writer, type, part, at * bytesOf(type)));
    const text = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate} ${puts.join(' ')}`;
    return { run: writer.lanes(text, place.before), access };
  },
};

/** Finds a parameter by its address: one of the kernel, or of a called function, which lies in its frame. */
const parameterAt = (size: number): string =>
  `let x = at - ${parameterWindow}, views = w.parameters; if (x >= 0) { if (x + ${size} > w.home.kernel.parameterBytes) w.outside(at, ${size}, l, 'parameter'); } else { if (!(at >= 0 && at + ${size} <= w.localBytes)) w.outside(at, ${size}, l, 'parameter'); x = w.localOf(l) + at; views = w.local; } if (at % ${size} !== 0) w.misaligned(at, ${size}, l); const { bytes, halves, words } = views;`;

/** The register may be wider than what is loaded: signed types fill it with the sign, others with zeros. */
export function loadPart(writer: LaneWriter, type: ValueType, part: ResolvedOperand, by: number): string {
  if (part.kind === 'sink') return '';
  if (bitsOf(type) === 128)
    return writer.putWords(
      [part],
      type,
      [0, 4, 8, 12].map((word) => elementText('b32', by + word)),
    );
  if (bitsOf(type) === 64)
    return writer.putWide(part, type, { low: elementText('b32', by), high: elementText('b32', by + 4) });
  const register = registerOf(part);
  // A real goes where reals go.
  if (isReal(type) && bitsOf(register.type) !== 32)
    throw new OperandMismatch(`${register.name} of .${register.type}`, 'a register of 32 bits');
  return writer.putBits(part, type, elementText(type, by), true);
}

const store: Definition = {
  words: storeWords.flat(),
  exclusive: storeWords,
  types: [inMemory],
  operands: [2, 3],
  kind: 'memory',
  class: accessClass,
  lower: (writer, form, operands) => {
    checkHint(form, operands);
    const [a, d] = operands;
    const type = form.types[0]!;
    const memory = memoryOf(a!);
    const space = spaceOf(form, operands);
    if (space === 'const' || space === 'param')
      throw new OperandMismatch(`an address of .${space}`, 'memory that can be written');
    const parts = elementsOf(d!, vectorOf(form));
    const access = { space: shown(space), what: 'store', bytes: sizeOf(form) } as const;
    const place = placeOf(space, access.bytes, true);
    const puts = parts.map((part, at) => storePart(writer, type, part, at * bytesOf(type)));
    const text = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate} ${puts.join(' ')}`;
    return { run: writer.lanes(text, place.before), access };
  },
};

export function storePart(writer: LaneWriter, type: ValueType, part: ResolvedOperand, by: number): string {
  const at = by === 0 ? 'x' : `x + ${by}`;
  if (bitsOf(type) === 128)
    return writer
      .words([part], type)
      .map((text, word) => `words[(${at} >>> 2) + ${word}] = ${text};`)
      .join(' ');
  if (bitsOf(type) === 64) {
    const { low, high } = writer.wide(part, type);
    return `words[${at} >>> 2] = ${low}; words[(${at} >>> 2) + 1] = ${high};`;
  }
  const value = writer.valueBits(part, type, true);
  const view = { 1: `bytes[${at}]`, 2: `halves[${at} >>> 1]`, 4: `words[${at} >>> 2]` }[bytesOf(type)]!;
  return `${view} = ${value};`;
}

/** Loads, stores. */
export const memoryInstructions: Definitions = {
  ld: load,
  ldu: { ...load, words: ['global', ...Object.keys(vectors)] },
  st: store,
};
