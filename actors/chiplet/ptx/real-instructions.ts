import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import type { ValueType } from './value-type.ts';

/*
 * Arithmetic on reals: calculated as doubles, rounded once to 32 bits when it is stored (chiplet specification 7.1). Sum, product, quotient and root of
 * 32-bit reals come out right that way, since a double has more than twice their bits.
 */

/** Words that only instructions on reals have. */
export const realWords: readonly string[] = ['rn', 'ftz', 'sat', 'approx', 'full', 'NaN'];

const formulas: Readonly<Record<string, string>> = {
  add: 'a + b',
  sub: 'a - b',
  mul: 'a * b',
  div: 'a / b',
  min: 'h.lesser(a, b)',
  max: 'h.greater(a, b)',
  abs: 'Math.abs(a)',
  neg: '-a',
  sqrt: 'Math.sqrt(a)',
  rcp: '1 / a',
  rsqrt: '1 / Math.sqrt(a)',
  ex2: '2 ** a',
  lg2: 'Math.log2(a)',
  sin: 'Math.sin(a)',
  cos: 'Math.cos(a)',
  tanh: 'Math.tanh(a)',
};

const fused: Readonly<Partial<Record<ValueType, string>>> = {
  f32: 'h.fused32(a, b, c)',
  f64: 'h.fused64(a, b, c)',
};

/** Work on reals: every operand flushed where asked for, one formula, the result held in 0..1 where asked for. */
export function realFormula(
  writer: LaneWriter,
  base: string,
  form: Form,
  [d, ...sources]: readonly ResolvedOperand[],
): Lowered {
  const type = form.types[0]!;
  const { words } = form;
  const formula = base === 'fma' || base === 'mad' ? fused[type] : formulas[base];
  const odd = words.some((word) => ['lo', 'hi', 'wide', 'cc'].includes(word));
  if (formula === undefined || odd || (type === 'f64' && words.includes('sat')))
    throw new UnknownForm(form.written);
  const flush = words.includes('ftz') && type === 'f32';
  const read = sources.map((one, at) => {
    const value = writer.value(one, type);
    return `${'abc'[at]} = ${flush ? `h.flushed(${value})` : value}`;
  });
  const held = words.includes('sat') ? `h.saturated(${formula})` : formula;
  const result = flush ? `h.flushed(Math.fround(${held}))` : held;
  return { run: writer.lanes(`const ${read.join(', ')}; ${writer.put(d!, type, result)}`) };
}

const both: readonly ValueType[] = ['f32', 'f64'];

const special = (base: string, types: readonly ValueType[]): Definition => ({
  words: realWords,
  types: [types],
  operands: [2, 2],
  kind: 'lanes',
  class: () => 'special',
  lower: (writer, form, operands) => realFormula(writer, base, form, operands),
});

/** Instructions that only reals have. */
export const realInstructions: Definitions = {
  fma: {
    words: realWords,
    types: [both],
    operands: [4, 4],
    kind: 'lanes',
    class: ({ types: [type] }) => (type === 'f64' ? 'doubleMad' : 'floatMad'),
    lower: (writer, form, operands) => realFormula(writer, 'fma', form, operands),
  },
  sqrt: special('sqrt', both),
  rcp: special('rcp', both),
  rsqrt: special('rsqrt', both),
  ex2: special('ex2', ['f32']),
  lg2: special('lg2', ['f32']),
  sin: special('sin', ['f32']),
  cos: special('cos', ['f32']),
  tanh: special('tanh', ['f32']),
};
