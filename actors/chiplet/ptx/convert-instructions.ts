import { localWindow, sharedWindow } from './address-space.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm } from './definition.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, isReal, isSigned, type ValueType, valueTypes } from './value-type.ts';

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
const numeric = valueTypes.filter((type) => type !== 'pred' && !type.startsWith('b'));

const leastOf = (type: ValueType): number => (isSigned(type) ? -(2 ** (bitsOf(type) - 1)) : 0);
const mostOf = (type: ValueType): number => 2 ** (bitsOf(type) - (isSigned(type) ? 1 : 0)) - 1;

/** cvt.D.S: D is the type of the result, S that of the source; either register may be wider than its type. */
const convert: Definition = {
  words: [...Object.keys(roundings), ...realRoundings, 'sat', 'ftz'],
  types: [numeric, numeric],
  operands: [2, 2],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, form, [d, a]) => {
    const [to, from] = form.types as readonly [ValueType, ValueType];
    if (isReal(from))
      return isReal(to) ? realToReal(writer, form, d!, a!) : realToWhole(writer, form, d!, a!);
    return isReal(to) ? wholeToReal(writer, form, d!, a!) : wholeToWhole(writer, form, d!, a!);
  },
};

const rest = (form: Form, allowed: readonly string[]): void => {
  if (form.words.some((word) => !allowed.includes(word))) throw new UnknownForm(form.written);
};

const input = (form: Form, text: string): string =>
  form.words.includes('ftz') && form.types[1] === 'f32' ? `h.flushed(${text})` : text;

function realToReal(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  rest(form, [...Object.keys(roundings), ...realRoundings, 'sat', 'ftz']);
  const whole = form.words.find((word) => word in roundings);
  const mode = form.words.find((word) => realRoundings.includes(word)) ?? 'rn';
  let text = whole === undefined ? 'x' : roundings[whole]!;
  if (form.words.includes('sat')) text = `h.saturated(${text})`;
  if (to === 'f32' && from === 'f64' && mode !== 'rn') text = `h.rounded32(${text}, '${mode}')`;
  if (to === 'f32' && form.words.includes('ftz')) text = `h.flushed(Math.fround(${text}))`;
  return { run: writer.lanes(`const x = ${input(form, writer.value(a, from))}; ${writer.put(d, to, text)}`) };
}

function realToWhole(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  rest(form, [...Object.keys(roundings), 'sat', 'ftz']);
  const rounding = roundings[form.words.find((word) => word in roundings) ?? ''];
  if (rounding === undefined) throw new UnknownForm(form.written);
  const read = `const x = ${input(form, writer.value(a, from))};`;
  if (bitsOf(to) === 64) {
    const text = `h.realToWide(w.pair, ${rounding}, ${isSigned(to)});`;
    return {
      run: writer.lanes(`${read} ${text} ${writer.putWide(d, to, { low: 'w.pair[0]', high: 'w.pair[1]' })}`),
    };
  }
  // Values beyond the range of the type are held within it.
  const text = `h.held(${rounding}, ${leastOf(to)}, ${mostOf(to)}) | 0`;
  return { run: writer.lanes(`${read} ${writer.put(d, to, text, true)}`) };
}

function wholeToReal(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  rest(form, [...realRoundings, 'sat']);
  const mode = form.words.find((word) => realRoundings.includes(word)) ?? 'rn';
  const held = (text: string): string => (form.words.includes('sat') ? `h.saturated(${text})` : text);
  if (bitsOf(from) === 64) {
    const { low, high } = writer.wide(a, from);
    if (to === 'f64' && mode !== 'rn') throw new UnknownForm(form.written);
    const text =
      to === 'f32'
        ? `h.wholeToReal32(${low}, ${high}, ${isSigned(from)}, '${mode}')`
        : `(${isSigned(from) ? high : `(${high} >>> 0)`}) * 4294967296 + (${low} >>> 0)`;
    return { run: writer.lanes(writer.put(d, to, held(text))) };
  }
  const value = writer.value(a, from, true);
  const number = from === 'u32' ? `(${value} >>> 0)` : value;
  const text = to === 'f32' && mode !== 'rn' ? `h.rounded32(${number}, '${mode}')` : number;
  return { run: writer.lanes(writer.put(d, to, held(text))) };
}

function wholeToWhole(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  rest(form, ['sat']);
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

/** The lowest bits of an integer, extended by the type of the result: what a wider register then holds. */
function cutTo(text: string, to: ValueType): string {
  if (bitsOf(to) === 8) return isSigned(to) ? `${text} << 24 >> 24` : `${text} & 255`;
  if (bitsOf(to) === 16) return isSigned(to) ? `${text} << 16 >> 16` : `${text} & 65535`;
  return text;
}

/** mov, also of several small registers into a large one and back. */
const move: Definition = {
  words: [],
  types: [valueTypes.filter((type) => bitsOf(type) !== 8)],
  operands: [2, 2],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, { types: [given] }, [d, a]) => {
    const type = given!;
    if (type === 'pred') return { run: writer.whole(writer.putMask(d!, writer.mask(a!))) };
    if (a!.kind === 'vector') return { run: packed(writer, type, d!, a!.parts) };
    if (d!.kind === 'vector') return { run: unpacked(writer, type, d!.parts, a!) };
    if (bitsOf(type) === 64) return { run: writer.lanes(writer.putWide(d!, 'b64', writer.wide(a!, type))) };
    const plain: ValueType = type === 'f32' ? 'b32' : type;
    return { run: writer.lanes(writer.put(d!, plain, writer.value(a!, plain))) };
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
  if (width !== 16) throw new OperandMismatch(`${parts.length} parts`, `parts that fill .${type}`);
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
  if (width !== 16) throw new OperandMismatch(`${parts.length} parts`, `parts that fill .${type}`);
  const puts = parts.map((_, at) => put(at, `${at < 2 ? 'x' : 'y'} ${at % 2 === 0 ? '& 65535' : '>>> 16'}`));
  return writer.lanes(`${read} ${puts.join(' ')}`);
}

const windows: Readonly<Record<string, number>> = { shared: sharedWindow, local: localWindow };

/** cvta: an address of a space as a generic one, or with `to` back. Global and constant memory are generic addresses as they are. */
const addressConversion: Definition = {
  words: ['to', 'global', 'shared', 'local', 'const', 'param'],
  types: [['u32', 'u64']],
  operands: [2, 2],
  kind: 'lanes',
  class: () => 'intAdd',
  lower: (writer, form, [d, a]) => {
    const back = form.words.includes('to');
    const space = form.words.find((word) => word !== 'to') ?? '';
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

/** Moves and conversions. */
export const convertInstructions: Definitions = { cvt: convert, mov: move, cvta: addressConversion };
