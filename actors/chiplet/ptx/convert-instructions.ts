import { localWindow, parameterWindow, sharedWindow } from './address-space.ts';
import { clusterStep } from './cluster.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { isSmallConversion, smallConversion } from './small-conversions.ts';
import { bitsOf, isBits, isReal, isSigned, plainTypes, type ValueType, valueTypes } from './value-type.ts';

/*
 * Moves and conversions (chiplet specification 7.1).
 */

const roundings: Readonly<Record<string, string>> = {
  rni: 'h.roundEven(x)',
  rzi: 'Math.trunc(x)',
  rmi: 'Math.floor(x)',
  rpi: 'Math.ceil(x)',
};
const realRoundings = ['rn', 'rz', 'rm', 'rp'];
const significantOf = (type: ValueType): 24 | 53 => (type === 'f32' ? 24 : 53);
const numeric = valueTypes.filter((type) => bitsOf(type) >= 8 && !isBits(type) && !/^e\dm\d$/.test(type));

const leastOf = (type: ValueType): number => (isSigned(type) ? -(2 ** (bitsOf(type) - 1)) : 0);
const mostOf = (type: ValueType): number => 2 ** (bitsOf(type) - (isSigned(type) ? 1 : 0)) - 1;

/** cvt.D.S: D is the type of the result, S that of the source; either register may be wider than its type. */
const convert: Definition = {
  words: [...Object.keys(roundings), ...realRoundings, 'rna', 'sat', 'ftz', 'relu', 'satfinite'],
  exclusive: [[...Object.keys(roundings), ...realRoundings, 'rna']],
  types: [numeric, numeric],
  ...uniform([2, 3], 'lanes', 'intAdd'),
  lower: (writer, form, operands) => {
    if (isSmallConversion(form)) return smallConversion(writer, form, operands);
    const [d, a, more] = operands;
    if (more !== undefined) throw new OperandMismatch('three operands', 'two');
    if (form.words.some((word) => ['rna', 'relu', 'satfinite'].includes(word)))
      throw new UnknownForm(form.written);
    if (form.words.includes('ftz') && !form.types.includes('f32'))
      throw new UnknownForm(form.written, 'cvt.ftz with .f32');
    const [to, from] = form.types as readonly [ValueType, ValueType];
    if (isReal(from))
      return isReal(to) ? realToReal(writer, form, d!, a!) : realToWhole(writer, form, d!, a!);
    return isReal(to) ? wholeToReal(writer, form, d!, a!) : wholeToWhole(writer, form, d!, a!);
  },
};

const isOf = (list: readonly string[]) => (word: string) => list.includes(word);

/** The rounding of a conversion: PTX asks for one where something can be lost, and allows none elsewhere. Errors: `UnknownForm`. */
function roundingOf(
  { words, written }: Form,
  kind: 'real' | 'whole' | 'none',
  must: boolean,
): string | undefined {
  const list: readonly string[] = { real: realRoundings, whole: Object.keys(roundings), none: [] }[kind];
  const word = words.find(isOf([...realRoundings, ...Object.keys(roundings)]));
  const fits = word === undefined ? !must : list.includes(word);
  const expected = list.length === 0 ? 'cvt without a rounding' : `cvt with ${list.join(', ')}`;
  if (!fits) throw new UnknownForm(written, `${expected}${must || list.length === 0 ? '' : ' or none'}`);
  return word;
}

const input = (form: Form, text: string): string =>
  form.words.includes('ftz') && form.types[1] === 'f32' ? `h.flushed(${text})` : text;

function realToReal(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  const narrows = to === 'f32' && from === 'f64';
  const rounding = roundingOf(form, narrows ? 'real' : to === from ? 'whole' : 'none', narrows);
  let text = to === from && rounding !== undefined ? roundings[rounding]! : 'x';
  if (form.words.includes('sat')) text = `h.saturated(${text})`;
  if (narrows && rounding !== 'rn') text = `h.rounded32(${text}, '${rounding}')`;
  if (to === 'f32' && form.words.includes('ftz')) text = `h.flushed(Math.fround(${text}))`;
  const put = `const x = ${input(form, writer.value(a, from))}; ${writer.put(d, to, text)}`;
  if (form.words.includes('sat')) return { run: writer.lanes(put) };
  const moves = rounding === undefined && !form.words.includes('ftz');
  if (to === 'f32' && from === 'f32')
    return { run: writer.lanes(moves ? writer.putBits(d, to, writer.valueBits(a, from)) : put) };
  if (to === 'f64' && from === 'f64') {
    const { low, high } = writer.wide(a, 'f64');
    if (moves) return { run: writer.lanes(writer.putWide(d, to, { low, high })) };
    const quiet = writer.putWide(d, 'f64', { low: 'low', high: 'high | 524288' });
    return {
      run: writer.lanes(`const low = ${low}, high = ${high}; ${put} if (x !== x) { ${quiet} }`),
    };
  }
  if (form.words.includes('ftz') && to === 'f64') {
    const none = writer.putWide(d, 'f64', { low: '-536870912', high: '2147483647' });
    return { run: writer.lanes(`${put} if (x !== x) { ${none} }`) };
  }
  return { run: writer.lanes(`${put} if (x !== x) { ${keptPayload(writer, to, d, a)} }`) };
}

/** What is no number keeps the upper bits of its fraction when it is converted. */
function keptPayload(writer: LaneWriter, to: ValueType, d: ResolvedOperand, a: ResolvedOperand): string {
  if (to === 'f32') {
    const { low, high } = writer.wide(a, 'f64');
    return writer.put(
      d,
      'b32',
      `${high} & -2147483648 | 2143289344 | (${high} & 1048575) << 3 | ${low} >>> 29`,
    );
  }
  const bits = writer.value(a, 'b32');
  const high = `${bits} & -2147483648 | 2146959360 | ${bits} >>> 3 & 1048575`;
  return `const bits = ${bits}; ${writer.putWide(d, 'f64', { low: 'bits << 29', high: high.replaceAll(bits, 'bits') })}`;
}

function realToWhole(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  const rounding = roundings[roundingOf(form, 'whole', true)!]!;
  const read = `const x = ${input(form, writer.value(a, from))};`;
  if (bitsOf(to) === 64) {
    const text = `h.realToWide(w.pair, ${rounding}, ${isSigned(to)});`;
    return {
      run: writer.lanes(`${read} ${text} ${writer.putWide(d, to, { low: 'w.pair[0]', high: 'w.pair[1]' })}`),
    };
  }
  // Values beyond the range of the type are held within it. What is no number becomes 0, from .f64 only the top bit.
  const none = from === 'f64' ? 2 ** (bitsOf(to) - 1) * (isSigned(to) ? -1 : 1) : 0;
  const text = `h.held(${rounding}, ${leastOf(to)}, ${mostOf(to)}, ${none}) | 0`;
  return { run: writer.lanes(`${read} ${writer.put(d, to, text, true)}`) };
}

function wholeToReal(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  const mode = roundingOf(form, 'real', true)!;
  const held = (text: string): string => (form.words.includes('sat') ? `h.saturated(${text})` : text);
  if (bitsOf(from) === 64) {
    const { low, high } = writer.wide(a, from);
    const text = `h.wholeToReal(${low}, ${high}, ${isSigned(from)}, '${mode}', ${significantOf(to)})`;
    return { run: writer.lanes(writer.put(d, to, held(text))) };
  }
  const value = writer.value(a, from, true);
  const number = from === 'u32' ? `(${value} >>> 0)` : value;
  const text = to === 'f32' && mode !== 'rn' ? `h.rounded32(${number}, '${mode}')` : number;
  return { run: writer.lanes(writer.put(d, to, held(text))) };
}

function wholeToWhole(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  roundingOf(form, 'none', false);
  const limits = form.words.includes('sat');
  if (bitsOf(from) < 64) {
    const value = writer.value(a, from, true);
    if (bitsOf(to) === 64) {
      const high = limits && from.startsWith('s') && !isSigned(to) ? '0' : isSigned(from) ? 'x >> 31' : '0';
      const low = limits && isSigned(from) && !isSigned(to) ? '(x < 0 ? 0 : x)' : 'x';
      return { run: writer.lanes(`const x = ${value}; ${writer.putWide(d, to, { low, high })}`) };
    }
    const number = from === 'u32' ? `(${value} >>> 0)` : value;
    const text = limits ? `h.held(${number}, ${leastOf(to)}, ${mostOf(to)}) | 0` : cutTo(value, to);
    return { run: writer.lanes(writer.put(d, to, text, true)) };
  }
  const { low, high } = writer.wide(a, from);
  if (bitsOf(to) === 64 && !limits) return { run: writer.lanes(writer.putWide(d, to, { low, high })) };
  if (limits) {
    const value = `(${isSigned(from) ? 'ah' : '(ah >>> 0)'} * 4294967296 + (al >>> 0))`;
    const read = `const al = ${low}, ah = ${high};`;
    if (bitsOf(to) < 64) {
      const text = `h.held(${value}, ${leastOf(to)}, ${mostOf(to)}) | 0`;
      return { run: writer.lanes(`${read} ${writer.put(d, to, text, true)}`) };
    }
    const kept = isSigned(from) === isSigned(to);
    const wrong = kept ? 'false' : 'ah < 0';
    const [edgeLow, edgeHigh] = isSigned(to) ? ['-1', '2147483647'] : ['0', '0'];
    const written = writer.putWide(d, to, {
      low: `(${wrong} ? ${edgeLow} : al)`,
      high: `(${wrong} ? ${edgeHigh} : ah)`,
    });
    return { run: writer.lanes(`${read} ${written}`) };
  }
  return { run: writer.lanes(writer.put(d, to, cutTo(low, to), true)) };
}

const narrow: readonly ValueType[] = ['u16', 's16', 'u8', 's8', 'u4', 's4'];
const narrowest = ['u2', 's2'];

/** cvt.pack.sat: two integers held within few bits, the first one above the second; those of fewer than 16 bits come below what there is already. */
const pack: Definition = {
  words: ['sat', ...narrowest],
  exclusive: [narrowest],
  types: [[...narrow, 's32'], ['s32', 'b32'], ['b32']],
  typesLeast: 2,
  ...uniform([3, 4], 'lanes', 'intAdd'),
  lower: (writer, { words, types, written }, [d, a, b, c]) => {
    const name = words.find(isOf(narrowest)) ?? types[0]!;
    const bits = Number(name.slice(1));
    const expected = bits === 16 ? `${name}.s32` : `${name}.s32.b32`;
    if (!words.includes('sat') || !written.endsWith(`.${expected}`))
      throw new UnknownForm(written, 'cvt.pack.sat with .u16.s32, .s16.s32, or fewer bits and .s32.b32');
    if ((c === undefined) !== (bits === 16))
      throw new OperandMismatch(c === undefined ? '3 operands' : '4 operands', `those of .${expected}`);
    const [least, most] = name.startsWith('s')
      ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
      : [0, 2 ** bits - 1];
    const held = (operand: ResolvedOperand): string =>
      `(h.held(${writer.value(operand, 's32')}, ${least}, ${most}) & ${2 ** bits - 1})`;
    const below = `${held(a!)} << ${bits} | ${held(b!)}`;
    const text = c === undefined ? below : `${writer.value(c, 'b32')} << ${2 * bits} | ${below}`;
    return { run: writer.lanes(writer.put(d!, 'b32', text)) };
  },
};

/** The lowest bits of an integer, extended by the type of the result: what a wider register then holds. */
function cutTo(text: string, to: ValueType): string {
  if (bitsOf(to) === 8) return isSigned(to) ? `${text} << 24 >> 24` : `${text} & 255`;
  if (bitsOf(to) === 16) return isSigned(to) ? `${text} << 16 >> 16` : `${text} & 65535`;
  return text;
}

/** mov, also of several small registers into a large one and back. */
const move: Definition = {
  words: [],
  types: [plainTypes.filter((type) => bitsOf(type) !== 8)],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { types: [given] }, [d, from]) => {
    const type = given!;
    // A single value may stand in braces, too.
    const [only, ...others] = from!.kind === 'vector' ? from!.parts : [];
    const isWhole = only?.kind === 'register' && bitsOf(only.register.type) === bitsOf(type);
    const a = isWhole && others.length === 0 ? only : from;
    if (type === 'pred') return { run: writer.whole(writer.putMask(d!, writer.mask(a!))) };
    if (bitsOf(type) === 128) {
      const parts = (operand: ResolvedOperand) => (operand.kind === 'vector' ? operand.parts : [operand]);
      const [to, from] = [parts(d!), parts(a!)];
      const typeOf = ({ length }: readonly ResolvedOperand[]): ValueType => {
        const found = ({ 1: 'b128', 2: 'b64', 4: 'b32' } as const)[length];
        if (found === undefined) throw new OperandMismatch(`${length} parts`, 'parts that fill .b128');
        return found;
      };
      const texts = writer.words(from, typeOf(from));
      const names = texts.map((_, at) => `q${at}`);
      const read = texts.map((text, at) => `q${at} = ${text}`).join(', ');
      return { run: writer.lanes(`const ${read}; ${writer.putWords(to, typeOf(to), names)}`) };
    }
    if (a!.kind === 'vector') return { run: packed(writer, type, d!, a!.parts) };
    if (d!.kind === 'vector') return { run: unpacked(writer, type, d!.parts, a!) };
    if (bitsOf(type) === 64) return { run: writer.lanes(writer.putWide(d!, type, writer.wide(a!, type))) };
    return { run: writer.lanes(writer.putBits(d!, type, writer.valueBits(a!, type))) };
  },
};

function packed(writer: LaneWriter, type: ValueType, d: ResolvedOperand, parts: readonly ResolvedOperand[]) {
  const width = bitsOf(type) / parts.length;
  if (bitsOf(type) === 64 && width === 32) {
    const [low, high] = parts.map((one) => writer.value(one, 'b32'));
    return writer.lanes(
      `const x = ${low}, y = ${high}; ${writer.putWide(d, 'b64', { low: 'x', high: 'y' })}`,
    );
  }
  if (width !== 16 || parts.length < 2)
    throw new OperandMismatch(`${parts.length} parts`, `parts that fill .${type}`);
  const half = (at: number): string =>
    `${writer.value(parts[at]!, 'b16')} | ${writer.value(parts[at + 1]!, 'b16')} << 16`;
  if (bitsOf(type) === 32) return writer.lanes(writer.put(d, 'b32', half(0)));
  return writer.lanes(
    `const x = ${half(0)}, y = ${half(2)}; ${writer.putWide(d, 'b64', { low: 'x', high: 'y' })}`,
  );
}

function unpacked(
  writer: LaneWriter,
  type: ValueType,
  parts: readonly ResolvedOperand[],
  a: ResolvedOperand,
) {
  const width = bitsOf(type) / parts.length;
  const put = (at: number, text: string): string =>
    writer.put(parts[at]!, width === 16 ? 'b16' : 'b32', text);
  const [low, high] =
    bitsOf(type) === 64 ? Object.values(writer.wide(a, 'b64')) : [writer.value(a, 'b32'), '0'];
  const read = `const x = ${low}, y = ${high};`;
  if (bitsOf(type) === 64 && width === 32) return writer.lanes(`${read} ${put(0, 'x')} ${put(1, 'y')}`);
  if (width !== 16 || parts.length < 2)
    throw new OperandMismatch(`${parts.length} parts`, `parts that fill .${type}`);
  const puts = parts.map((_, at) => put(at, `${at < 2 ? 'x' : 'y'} ${at % 2 === 0 ? '& 65535' : '>>> 16'}`));
  return writer.lanes(`${read} ${puts.join(' ')}`);
}

const spaces = ['global', 'shared', 'local', 'const', 'param'];
const windows: Readonly<Record<string, number>> = { shared: sharedWindow, local: localWindow };

/** cvta: an address of a space as a generic one, or with `to` back. Global and constant memory are generic addresses as they are. */
const addressConversion: Definition = {
  words: ['to', ...spaces],
  exclusive: [spaces],
  types: [['u32', 'u64']],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, form, [d, a]) => {
    const back = form.words.includes('to');
    const space = form.words.find((word) => word !== 'to');
    if (space === undefined) throw new UnknownForm(form.written, `cvta with one of ${spaces.join(', ')}`);
    const window = writer.constant(windows[space] ?? 0);
    if (form.types[0] === 'u32') {
      const text = `${writer.value(a!, 'u32')} ${back ? '-' : '+'} ${window} | 0`;
      return { run: writer.lanes(writer.put(d!, 'u32', text)) };
    }
    const { low, high } = writer.wide(a!, 'u64');
    const moved = { low: `x ${back ? '-' : '+'} ${window} | 0`, high };
    return { run: writer.lanes(`const x = ${low}; ${writer.putWide(d!, 'u64', moved)}`) };
  },
};

const inSpace: Readonly<Record<string, string>> = {
  global: 'high === 0 && low < local && !w.memory.isConstant(low)',
  const: 'high === 0 && w.memory.isConstant(low)',
  local: 'high === 0 && low >= local && low < shared',
  shared: 'high === 0 && low >= shared && low < shared + step',
  cluster: 'high === 0 && low >= shared && low < parameters',
  param: 'high === 0 && low >= parameters',
};

/** isspacep: whether a generic address leads into a space. */
const spaceTest: Definition = {
  words: spaces,
  exclusive: [spaces],
  types: [],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { words: [space = ''], written }, [p, a]) => {
    const test = inSpace[written.includes('shared::cluster') ? 'cluster' : space];
    if (test === undefined) throw new UnknownForm(written, `isspacep with one of ${spaces.join(', ')}`);
    const narrow = a!.kind === 'register' && bitsOf(a!.register.type) === 32;
    const { low, high } = narrow ? { low: writer.value(a!, 'u32'), high: '0' } : writer.wide(a!, 'u64');
    const read = `const low = ${low} >>> 0, high = ${high}, local = ${localWindow}, shared = ${sharedWindow}, step = ${clusterStep}, parameters = ${parameterWindow};`;
    const work = `${read} if (${test}) r |= 1 << l;`;
    return { run: writer.lanes(work, 'let r = 0;', writer.putMask(p!, 'r')) };
  },
};

/** mapa: where the shared memory of another block of the cluster has what an address of this block names. */
const mapAddress: Definition = {
  words: ['shared'],
  types: [['u32', 'u64']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { words, types: [type], written }, [d, a, b]) => {
    if (words.includes('shared') && !written.includes('shared::cluster'))
      throw new UnknownForm(written, 'mapa with shared::cluster, or without a space');
    const window = words.includes('shared') ? 0 : sharedWindow;
    const { low, high } =
      type === 'u64' ? writer.wide(a!, 'u64') : { low: writer.value(a!, 'u32'), high: '0' };
    const rank = writer.value(b!, 'u32');
    const text = `const at = (${low} >>> 0) - ${window}, rank = ${rank} >>> 0; const moved = w.addressInCluster(${high} === 0 ? at : -1, rank, l) + ${window} | 0;`;
    const put =
      type === 'u64'
        ? writer.putWide(d!, 'u64', { low: 'moved', high: '0' })
        : writer.put(d!, 'u32', 'moved');
    return { run: writer.lanes(`${text} ${put}`) };
  },
};

/** getctarank: the rank of the block whose shared memory an address leads to. */
const rankOfAddress: Definition = {
  ...mapAddress,
  operands: [2, 2],
  lower: (writer, { words, types: [type], written }, [d, a]) => {
    if (words.includes('shared') && !written.includes('shared::cluster'))
      throw new UnknownForm(written, 'getctarank with shared::cluster, or without a space');
    const window = words.includes('shared') ? 0 : sharedWindow;
    const { low, high } =
      type === 'u64' ? writer.wide(a!, 'u64') : { low: writer.value(a!, 'u32'), high: '0' };
    const at = `${high} === 0 ? (${low} >>> 0) - ${window} : -1`;
    return { run: writer.lanes(writer.put(d!, 'u32', `w.rankInCluster(${at}, l)`)) };
  },
};

/** Moves and conversions. */
export const convertInstructions: Definitions = {
  cvt: convert,
  'cvt.pack': pack,
  mov: move,
  cvta: addressConversion,
  isspacep: spaceTest,
  mapa: mapAddress,
  getctarank: rankOfAddress,
};
