import type { Lowered } from './definition.ts';
import { UnknownForm } from './definition.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, isReal, isSigned, type ValueType } from './value-type.ts';

/*
 * Conversions to and from reals of fewer than 32 bits (PTX ISA, cvt): f16, bf16, tf32, and two numbers of 8 or 16 bits in one register.
 */

const small: readonly ValueType[] = ['f16', 'bf16', 'f16x2', 'bf16x2', 'e4m3x2', 'e5m2x2', 'tf32'];

/** True for a conversion that this file knows. */
export const isSmallConversion = ({ types }: Form): boolean => types.some((type) => small.includes(type));

const real = ['rn', 'rz', 'rm', 'rp'];
const whole: Readonly<Record<string, string>> = {
  rni: 'h.roundEven(x)',
  rzi: 'Math.trunc(x)',
  rmi: 'Math.floor(x)',
  rpi: 'Math.ceil(x)',
};

interface Format {
  /** Name of the function that makes bits of a number, and of the one that reads them. */
  readonly bits: string;
  readonly value: string;
  /** Bits of infinity; 0 for a format without. */
  readonly infinite: number;
}

const formats: Readonly<Partial<Record<ValueType, Format>>> = {
  f16: { bits: 'h.bits16', value: 'h.realOf16', infinite: 0x7c00 },
  bf16: { bits: 'h.bitsBfloat', value: 'h.realOfBfloat', infinite: 0x7f80 },
  e4m3x2: { bits: 'h.bitsE4m3', value: 'h.realOfE4m3', infinite: 0 },
  e5m2x2: { bits: 'h.bitsE5m2', value: 'h.realOfE5m2', infinite: 0 },
};

const singleOf: Readonly<Partial<Record<ValueType, ValueType>>> = { f16x2: 'f16', bf16x2: 'bf16' };

/** Writes a conversion. Errors: `UnknownForm`, `OperandMismatch`. */
export function smallConversion(
  writer: LaneWriter,
  form: Form,
  [d, a, b]: readonly ResolvedOperand[],
): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  if (to === 'tf32') return toTf32(writer, form, d!, a!, b);
  if (from === 'tf32') throw new UnknownForm(form.written);
  const packs = singleOf[to] !== undefined || to === 'e4m3x2' || to === 'e5m2x2';
  if (packs) return pack(writer, form, d!, a!, b);
  if (b !== undefined) throw new OperandMismatch('three operands', 'two');
  return fromOrTo(writer, form, d!, a!);
}

/** Finds fault with words that a conversion does not have, and gives its rounding. */
function modeOf({ words, written }: Form, allowed: readonly string[], must: boolean): string | undefined {
  const odd = words.find((word) => !allowed.includes(word));
  if (odd !== undefined)
    throw new UnknownForm(written, `cvt with no other words than: ${allowed.join(', ')}`);
  const mode = words.find((word) => word === 'rna' || real.includes(word) || word in whole);
  if (must && mode === undefined)
    throw new UnknownForm(
      written,
      `cvt with one of ${allowed.filter((word) => real.includes(word) || word in whole).join(', ')}`,
    );
  return mode;
}

/** The bits of a number as text, with what the words ask for. */
function bitsText({ words }: Form, format: Format, value: string, mode = 'rn'): string {
  let held = value;
  if (words.includes('relu')) held = `h.rectified(${held})`;
  if (words.includes('sat')) held = `h.saturated(${held})`;
  const bits = format.infinite === 0 ? `${format.bits}(${held})` : `${format.bits}(${held}, '${mode}')`;
  return words.includes('satfinite') && format.infinite > 0
    ? `h.finiteBits(${bits}, ${format.infinite})`
    : bits;
}

function toTf32(
  writer: LaneWriter,
  form: Form,
  d: ResolvedOperand,
  a: ResolvedOperand,
  b: ResolvedOperand | undefined,
) {
  const mode = modeOf(form, ['rna', 'rn', 'rz', 'relu', 'satfinite'], true);
  if (form.types[1] !== 'f32' || b !== undefined || (mode === 'rna' && form.words.includes('relu')))
    throw new UnknownForm(form.written, 'cvt.rna.tf32.f32, or cvt.rn or cvt.rz with relu');
  const value = writer.value(a, 'f32');
  const bits = `h.bitsTf32(${form.words.includes('relu') ? `h.rectified(${value})` : value}, '${mode}')`;
  // The largest number is the one before infinity.
  const held = form.words.includes('satfinite') ? `h.finiteTf32(${bits})` : bits;
  if (mode !== 'rna') return { run: writer.lanes(writer.put(d, 'b32', held)) };
  // With rna what is no number keeps its bits, of which an H100 takes one away to make it finite.
  const less = form.words.includes('satfinite') ? ' - 8192' : '';
  const text = `(x & 2147483647) > 2139095040 ? (x & -8192)${less} : ${held}`;
  return { run: writer.lanes(`const x = ${writer.valueBits(a, 'f32')}; ${writer.put(d, 'b32', text)}`) };
}

/** Two numbers into one register, the first into the upper half. */
function pack(
  writer: LaneWriter,
  form: Form,
  d: ResolvedOperand,
  a: ResolvedOperand,
  b: ResolvedOperand | undefined,
): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  const width = bitsOf(to) / 2;
  const format = formats[singleOf[to] ?? to]!;
  const bytes = width === 8;
  const put = (first: string, second: string): Lowered => {
    const text = `(${second}) | (${first}) << ${width}`;
    writer.put(d, to, '0');
    return { run: writer.lanes(writer.put(d, bytes ? 'b16' : 'b32', text)) };
  };
  if (from === 'f32') {
    if (b === undefined)
      throw new OperandMismatch('two operands', 'three: the upper number and the lower one');
    const mode = modeOf(form, bytes ? ['rn', 'satfinite', 'relu'] : ['rn', 'rz', 'relu', 'satfinite'], true);
    if (bytes && !form.words.includes('satfinite')) throw new UnknownForm(form.written, 'cvt with satfinite');
    const [x, y] = [writer.value(a, 'f32'), writer.value(b, 'f32')];
    return put(bitsText(form, format, x, mode), bitsText(form, format, y, mode));
  }
  if (b !== undefined) throw new OperandMismatch('three operands', 'two');
  const source = formats[singleOf[from] ?? from];
  const fits = bytes
    ? from === 'f16x2' || from === 'bf16x2'
    : to === 'f16x2' && (from === 'e4m3x2' || from === 'e5m2x2');
  if (!fits || source === undefined) throw new UnknownForm(form.written);
  modeOf(form, bytes ? ['rn', 'satfinite', 'relu'] : ['rn', 'relu'], true);
  if (bytes && !form.words.includes('satfinite')) throw new UnknownForm(form.written, 'cvt with satfinite');
  const read = writer.value(a, from);
  const half = bitsOf(from) / 2;
  const value = (upper: boolean): string =>
    `${source.value}(${upper ? `${read} >>> ${half}` : read} & ${2 ** half - 1})`;
  return put(bitsText(form, format, value(true)), bitsText(form, format, value(false)));
}

/** One number from or to f16 or bf16. */
function fromOrTo(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): Lowered {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  const [into, source] = [formats[to], formats[from]];
  const wholeWords = Object.keys(whole);
  if (source !== undefined) {
    const read = `const x = ${source.value}(${writer.value(a, from)});`;
    if (into === undefined && isReal(to)) {
      // A rounding may stand there, from .bf16, though nothing is lost.
      modeOf(form, [...(from === 'bf16' ? real : []), 'ftz', 'sat'], false);
      const flushes = form.words.includes('ftz') && from === 'bf16' && to === 'f32';
      const value = flushes ? 'h.flushed(x)' : 'x';
      const text = form.words.includes('sat') ? `h.saturated(${value})` : value;
      const payload = flushes ? '' : kept(writer, form, d, a);
      return { run: writer.lanes(`${read} ${writer.put(d, to, text)} ${payload}`) };
    }
    if (into !== undefined) {
      const same = to === from;
      const mode = modeOf(
        form,
        same ? [...wholeWords, 'ftz', 'sat'] : [...real, 'relu', 'satfinite', 'sat', 'ftz'],
        false,
      );
      const value = mode !== undefined && mode in whole ? whole[mode]! : 'x';
      const text = bitsText(form, into, value, mode !== undefined && real.includes(mode) ? mode : 'rn');
      return { run: writer.lanes(`${read} ${writer.put(d, to, text)}`) };
    }
    const rounded = whole[modeOf(form, [...wholeWords, 'sat', 'ftz'], true)!]!;
    if (bitsOf(to) === 64) {
      const text = `h.realToWide(w.pair, ${rounded}, ${isSigned(to)});`;
      return {
        run: writer.lanes(
          `${read} ${text} ${writer.putWide(d, to, { low: 'w.pair[0]', high: 'w.pair[1]' })}`,
        ),
      };
    }
    const most = 2 ** (bitsOf(to) - (isSigned(to) ? 1 : 0)) - 1;
    const least = isSigned(to) ? -(2 ** (bitsOf(to) - 1)) : 0;
    return {
      run: writer.lanes(`${read} ${writer.put(d, to, `h.held(${rounded}, ${least}, ${most}) | 0`, true)}`),
    };
  }
  if (into === undefined) throw new UnknownForm(form.written);
  const mode = modeOf(form, [...real, 'sat', ...(isReal(from) ? ['relu', 'satfinite', 'ftz'] : [])], true);
  let value: string;
  if (isReal(from)) value = writer.value(a, from);
  else if (bitsOf(from) === 64) {
    const { low, high } = writer.wide(a, from);
    value = `h.wholeToOdd(${low}, ${high}, ${isSigned(from)})`;
  } else value = from === 'u32' ? `(${writer.value(a, from, true)} >>> 0)` : writer.value(a, from, true);
  // An H100 flushes what becomes a .bf16, not what becomes a .f16.
  if (form.words.includes('ftz') && to === 'bf16') value = `h.flushed(${value})`;
  const bits = bitsText(form, into, value, mode);
  const plain = form.words.every((word) => real.includes(word));
  // Of a .f64 that is no number sign and upper bits are kept.
  const fraction = to === 'f16' ? '32256 | (n >>> 10 & 1023)' : '32704 | (n >>> 13 & 127)';
  const none = (high: string) => `n >>> 16 & 32768 | ${fraction}`.replaceAll('n', `(${high})`);
  const text = from === 'f64' && plain ? `x === x ? ${bits} : ${none(writer.wide(a, from).high)}` : bits;
  return { run: writer.lanes(`const x = ${value}; ${writer.put(d, to, text.replace(value, 'x'))}`) };
}

/** What is no number keeps its fraction, as the upper bits; a .f16 does not as an .f32. */
function kept(writer: LaneWriter, form: Form, d: ResolvedOperand, a: ResolvedOperand): string {
  const [to, from] = form.types as readonly [ValueType, ValueType];
  if (form.words.includes('sat')) return '';
  const bits = writer.value(a, from);
  const [exponent, shift] = from === 'f16' ? [0x3ff, 13] : [0x7f, 16];
  if (to === 'f32') return from === 'f16' ? '' : `if (x !== x) { ${writer.put(d, 'b32', `${bits} << 16`)} }`;
  const high = `(${bits} & 32768) << 16 | 2146959360 | (${bits} & ${exponent}) << ${shift - 3}`;
  return `if (x !== x) { const bits = ${high}; ${writer.putWide(d, 'f64', { low: '0', high: 'bits' })} }`;
}
