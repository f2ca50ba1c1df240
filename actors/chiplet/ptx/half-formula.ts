import type { Lowered } from './definition.ts';
import { UnknownForm } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, type ValueType } from './value-type.ts';

/*
 * Arithmetic on reals of 16 bits, one or two in a register (PTX ISA, half precision instructions): the result is exact as a double, or rounded to odd, and rounded
 * once to 16 bits.
 */

interface HalfOperation {
  readonly formula: string;
  /** Words for f16 and for bf16, of each list one at most; undefined where there is no such instruction. */
  readonly half: readonly (readonly string[])[];
  readonly bfloat: readonly (readonly string[])[];
}

const sum = { half: [['rn'], ['ftz'], ['sat']], bfloat: [['rn']] };
const choice = { half: [['ftz'], ['NaN'], ['xorsign'], ['abs']], bfloat: [['NaN'], ['xorsign'], ['abs']] };

const operations: Readonly<Record<string, HalfOperation>> = {
  add: { formula: 'h.oddSum(a, b)', ...sum },
  sub: { formula: 'h.oddSum(a, -b)', ...sum },
  // Products of 11 bits are exact.
  mul: { formula: 'a * b', ...sum },
  fma: {
    formula: 'h.oddSum(a * b, c)',
    half: [['rn'], ['ftz'], ['sat', 'relu'], ['oob']],
    bfloat: [['rn'], ['relu'], ['oob']],
  },
  min: { formula: 'h.lesser(a, b)', ...choice },
  max: { formula: 'h.greater(a, b)', ...choice },
  ex2: { formula: '2 ** a', half: [['approx']], bfloat: [['approx'], ['ftz']] },
  tanh: { formula: 'Math.tanh(a)', half: [['approx']], bfloat: [['approx']] },
};

/** Changes of the sign alone. */
const signs: Readonly<Record<string, string>> = {
  abs: 'h.halfNumber(x & 32767, infinite)',
  neg: 'h.halfNumber(x ^ 32768, infinite)',
};

/** Names of the instructions that there are for reals of 16 bits. */
export const halfOperations: readonly string[] = [...Object.keys(operations), ...Object.keys(signs)];

function check({ words, written, base }: Form, groups: readonly (readonly string[])[]): void {
  const known = groups.flat();
  const twice = groups.some((group) => words.filter((word) => group.includes(word)).length > 1);
  if (!twice && words.every((word) => known.includes(word))) return;
  throw new UnknownForm(written, `${base} with no other words than: ${known.join(', ') || 'none'}`);
}

const infiniteOf = (bfloat: boolean): number => (bfloat ? 0x7f80 : 0x7c00);

const isBfloat = (type: ValueType): boolean => type === 'bf16' || type === 'bf16x2';

/** Work on one or two reals of 16 bits. Errors: `UnknownForm`. */
export function halfFormula(
  writer: LaneWriter,
  form: Form,
  [d, ...sources]: readonly ResolvedOperand[],
): Lowered {
  const type = form.types[0]!;
  const two = bitsOf(type) === 32;
  const into: ValueType = two ? 'b32' : 'b16';
  const names = ['x', 'y', 'z'];
  const read = `const ${sources.map((one, at) => `${names[at]} = ${writer.value(one, type)}`).join(', ')};`;
  const sign = signs[form.base];
  // The register must be one of the type, also where bits are put into it.
  writer.put(d!, type, '0');
  if (sign !== undefined) {
    check(form, isBfloat(type) ? [] : [['ftz']]);
    const flush = form.words.includes('ftz');
    const changed = (x: string): string => {
      const bits = sign.replace('x', x).replace('infinite', `${infiniteOf(isBfloat(type))}`);
      return flush ? `h.bits16(h.flushed16(h.realOf16(${bits})))` : bits;
    };
    const text = two ? `${changed('(x & 65535)')} | (${changed('(x >>> 16)')}) << 16` : changed('x');
    return { run: writer.lanes(`${read} ${writer.put(d!, into, text)}`) };
  }
  const operation = operations[form.base];
  if (operation === undefined) throw new UnknownForm(form.written);
  check(form, isBfloat(type) ? operation.bfloat : operation.half);
  const result = (upper: boolean): string => oneResult(form, operation, sources.length, upper);
  const text = two
    ? `let low, high; { ${result(false)} low = v; } { ${result(true)} high = v; } ${writer.put(d!, into, 'low | high << 16')}`
    : `${result(false)} ${writer.put(d!, into, 'v')}`;
  return { run: writer.lanes(`${read} ${text}`) };
}

/** The statements that make the bits `v` of one result. */
function oneResult(
  { types, words, base }: Form,
  operation: HalfOperation,
  count: number,
  upper: boolean,
): string {
  const bfloat = isBfloat(types[0]!);
  const flush = words.includes('ftz') && !bfloat;
  const [from, to] = bfloat ? ['h.realOfBfloat', 'h.bitsBfloat'] : ['h.realOf16', 'h.bits16'];
  const values = ['x', 'y', 'z'].slice(0, count).map((name, at) => {
    const value = `${from}(${upper ? `${name} >>> 16` : `${name} & 65535`})`;
    return `${'abc'[at]} = ${flush ? `h.flushed16(${value})` : value}`;
  });
  let formula = operation.formula;
  const isChoice = base === 'min' || base === 'max';
  if (isChoice && words.includes('NaN')) formula = base === 'min' ? 'Math.min(a, b)' : 'Math.max(a, b)';
  if (isChoice && words.includes('abs')) formula = formula.replace('(a, b)', '(Math.abs(a), Math.abs(b))');
  if (words.includes('sat')) formula = `h.saturated(${formula})`;
  if (words.includes('relu')) formula = `h.rectified(${formula})`;
  const bits = flush ? `${to}(h.flushedResult16(${formula}))` : `${to}(${formula})`;
  const signed = `${bits} ^ (x ^ y)${upper ? ' >>> 16' : ''} & 32768`;
  const v = words.includes('xorsign') ? `h.halfNumber(${signed}, ${infiniteOf(bfloat)})` : bits;
  return `const ${values.join(', ')}; const v = ${v};`;
}
