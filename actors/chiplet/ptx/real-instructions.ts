import type { Definition, Definitions, Lowered } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import { halfFormula } from './half-formula.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { halfTypes, isHalf, type ValueType } from './value-type.ts';

/*
 * Arithmetic on reals: calculated as doubles, rounded once to 32 bits when it is stored (chiplet specification 7.1). Sum, product, quotient and root of
 * 32-bit reals come out right that way, since a double has more than twice their bits; other roundings than to the nearest work on whole numbers.
 *
 * Where PTX asks for a rounding and none is written, it is to the nearest: the table of the specification names such forms.
 */

const roundings = ['rn', 'rz', 'rm', 'rp'];
/** Words that only instructions on reals have, apart from those that conversions share. */
export const realWords: readonly string[] = [...roundings, 'ftz', 'approx', 'full', 'NaN'];

type Real = 'f32' | 'f64';

/** Types of what is added to a .f32, or multiplied before that. */
export const narrowReals: readonly ValueType[] = ['f16', 'bf16'];

/** One operation: its formula to the nearest, what it is rounded otherwise by, and the words it may have: of each list one. */
interface RealOperation {
  readonly formula: string;
  readonly rounded?: string;
  readonly words: Readonly<Partial<Record<Real, readonly (readonly string[])[]>>>;
}

const sums = { f32: [roundings, ['ftz'], ['sat']], f64: [roundings] };
const approximate = { f32: [['approx'], ['ftz']] };
const plain = { f32: [['ftz']], f64: [] };

const operations: Readonly<Record<string, RealOperation>> = {
  add: { formula: 'a + b', rounded: 'h.exactSum(a, b', words: sums },
  sub: { formula: 'a - b', rounded: 'h.exactSum(a, -b', words: sums },
  mul: { formula: 'a * b', rounded: 'h.exactProduct(a, b', words: sums },
  fma: { formula: '', rounded: 'h.exactFused(a, b, c', words: sums },
  mad: { formula: '', rounded: 'h.exactFused(a, b, c', words: sums },
  div: {
    formula: 'a / b',
    rounded: 'h.exactQuotient(a, b',
    words: { f32: [[...roundings, 'approx', 'full'], ['ftz']], f64: [roundings] },
  },
  min: { formula: 'h.lesser(a, b)', words: { f32: [['ftz'], ['NaN'], ['xorsign'], ['abs']], f64: [] } },
  max: { formula: 'h.greater(a, b)', words: { f32: [['ftz'], ['NaN'], ['xorsign'], ['abs']], f64: [] } },
  abs: { formula: 'Math.abs(a)', words: plain },
  neg: { formula: '-a', words: plain },
  sqrt: {
    formula: 'Math.sqrt(a)',
    rounded: 'h.exactRoot(a',
    words: { f32: [[...roundings, 'approx'], ['ftz']], f64: [roundings] },
  },
  rcp: {
    formula: '1 / a',
    rounded: 'h.exactQuotient(1, a',
    words: { f32: [[...roundings, 'approx'], ['ftz']], f64: [[...roundings, 'approx'], ['ftz']] },
  },
  rsqrt: { formula: '1 / Math.sqrt(a)', words: { ...approximate, f64: [['approx'], ['ftz']] } },
  ex2: { formula: '2 ** a', words: approximate },
  lg2: { formula: 'Math.log2(a)', words: approximate },
  sin: { formula: 'Math.sin(a)', words: approximate },
  cos: { formula: 'Math.cos(a)', words: approximate },
  tanh: { formula: 'Math.tanh(a)', words: { f32: [['approx']] } },
};

const fused: Readonly<Record<Real, string>> = { f32: 'h.fused32(a, b, c)', f64: 'h.fused64(a, b, c)' };

/** Approximate 32-bit operations by the rules that an H100 shows, where one is known. */
const byH100: Readonly<Record<string, string>> = {
  div: 'u.divided(a, b, false)',
  rcp: 'u.reciprocal(a)',
  rsqrt: 'u.reciprocalRoot(a)',
  sqrt: 'u.root(a)',
  ex2: 'u.power(a)',
  lg2: 'u.logarithm(a)',
  sin: 'u.sine(a)',
  cos: 'u.cosine(a)',
};

/** Finds fault with words that an operation does not have, or not together. Errors: `UnknownForm`. */
function checkWords({ written, words }: Form, base: string, groups: readonly (readonly string[])[]): void {
  const groupOf = (word: string): number => groups.findIndex((group) => group.includes(word));
  const fits = words.every((word) => groupOf(word) >= 0) && new Set(words.map(groupOf)).size === words.length;
  if (fits) return;
  const choice = groups.map((group) => group.join(' or ')).join(', ');
  throw new UnknownForm(written, `${base} with no other words than: ${choice || 'none'}`);
}

/** The formula of an operation, rounded as its words say. */
function formulaOf(
  base: string,
  type: Real,
  { formula, rounded }: RealOperation,
  words: readonly string[],
  approximations: LaneWriter['approximations'],
): string {
  const measured = approximations === 'h100' ? byH100[base] : undefined;
  if (measured !== undefined && type === 'f32' && words.some((word) => word === 'approx' || word === 'full'))
    return words.includes('full') ? measured.replace('false', 'true') : measured;
  const mode = words.find((word) => roundings.includes(word)) ?? 'rn';
  const significant = type === 'f64' ? 53 : words.includes('ftz') ? "'flushed'" : 24;
  if (mode !== 'rn' && rounded !== undefined) return `${rounded}, '${mode}', ${significant})`;
  if (base === 'div' && words.includes('approx')) return 'h.dividedRoughly(a, b)';
  if (type === 'f64' && words.includes('approx') && words.includes('ftz'))
    return `h.roughly64(${formula.replace(/\ba\b/, 'h.high64(a)')})`;
  if (type === 'f64' && base === 'rsqrt') return 'h.exactReciprocalRoot(a)';
  const chosen = words.includes('NaN') ? (base === 'min' ? 'Math.min(a, b)' : 'Math.max(a, b)') : formula;
  if (words.includes('xorsign')) {
    const size = chosen.replace('(a, b)', '(Math.abs(a), Math.abs(b))');
    return `(h.bitsOfReal(a) ^ h.bitsOfReal(b)) < 0 ? -${size} : ${size}`;
  }
  if (chosen !== formula) return chosen;
  return formula === '' ? fused[type] : formula;
}

/** What PTX promises of approximate results: the largest error, relative to the result and absolute. */
const bounds: Readonly<Record<string, readonly [relative: number, absolute: number]>> = {
  div: [2 ** -22, 0],
  rcp: [2 ** -23, 0],
  sqrt: [2 ** -23, 0],
  rsqrt: [2 ** -22.4, 0],
  ex2: [2 ** -22, 0],
  lg2: [2 ** -22, 2 ** -22],
  tanh: [2 ** -11, 0],
};

/** A formula, moved to an end of the bound of its error where that is asked for. */
function movedFormula(writer: LaneWriter, base: string, words: readonly string[], formula: string): string {
  const bound = words.includes('approx') || words.includes('full') ? bounds[base] : undefined;
  if (writer.side !== 0 && (base === 'sin' || base === 'cos'))
    return `h.movedWave(${formula}, a, ${writer.side})`;
  if (writer.side === 0 || bound === undefined) return formula;
  const [relative, absolute] = bound.map((one) => writer.constant(one * writer.side));
  return `h.moved(${formula}, ${relative}, ${absolute})`;
}

/** Work on reals: every operand flushed where asked for, one formula, the result held in 0..1 where asked for. */
export function realFormula(
  writer: LaneWriter,
  base: string,
  form: Form,
  [d, ...sources]: readonly ResolvedOperand[],
): Lowered {
  const [written, narrow] = form.types;
  const type: Real = written === 'f64' ? 'f64' : 'f32';
  const { words } = form;
  const operation = operations[base];
  // Two of them have no sat, what is mixed has no ftz; three are compared without xorsign.
  const without =
    written === 'f32x2' ? 'sat' : narrow !== undefined ? 'ftz' : sources.length > 2 ? 'xorsign' : '';
  const groups = operation?.words[type]?.filter((group) => !group.includes(without));
  if (operation === undefined || groups === undefined || (narrow !== undefined && written !== 'f32'))
    throw new UnknownForm(form.written);
  checkWords(form, base, groups);
  if (sources.length > 2 && (base === 'min' || base === 'max')) {
    if (type === 'f64') throw new UnknownForm(form.written);
    const one = formulaOf(base, type, operation, words, writer.approximations);
    const read = sources.map((source, at) => {
      const value = `${words.includes('ftz') ? 'h.flushed' : ''}(${writer.value(source, type)})`;
      return `${'abc'[at]} = ${words.includes('abs') ? `Math.abs(${value})` : value}`;
    });
    return {
      run: writer.lanes(
        `const ${read.join(', ')}; ${writer.put(d!, type, one.replace('(a,', `(${one},`).replace(/b\)$/, 'c)'))}`,
      ),
    };
  }
  if (words.includes('xorsign') !== words.includes('abs'))
    throw new UnknownForm(form.written, `${base}.xorsign.abs`);
  const plain = formulaOf(base, type, operation, words, writer.approximations);
  const signs = form.fused && {
    sum: plain,
    less: plain.replace(', c', ', -c'),
    from: plain.replace('(a', '(-a'),
  };
  const formula = movedFormula(writer, base, words, signs?.[form.fused!] ?? plain);
  const flush = words.includes('ftz') && type === 'f32';
  const held = words.includes('sat') ? `h.saturated(${formula})` : formula;
  const result = flush ? `h.flushedResult(${held})` : held;
  const read = (values: readonly string[]): string =>
    `const ${values.map((value, at) => `${'abc'[at]} = ${flush ? `h.flushed(${value})` : value}`).join(', ')};`;
  if (written === 'f32x2') {
    const pairs = sources.map((one) => writer.wide(one, written));
    const half = (which: 'low' | 'high'): string =>
      `{ ${read(pairs.map((one) => `h.realOf(${one[which]})`))} const v = ${result}; ${which} = v === v ? h.bitsOfReal(v) : 2147483647; }`;
    const put = writer.putWide(d!, written, { low: 'low', high: 'high' });
    return { run: writer.lanes(`let low, high; ${half('low')} ${half('high')} ${put}`) };
  }
  const values = sources.map((one, at) => {
    if (narrow === undefined || at === sources.length - 1) return writer.value(one, type);
    return `h.${narrow === 'f16' ? 'realOf16' : 'realOfBfloat'}(${writer.value(one, narrow)})`;
  });
  if (type === 'f32') return { run: writer.lanes(`${read(values)} ${writer.put(d!, type, result)}`) };
  // The result may go where an operand is.
  const none = noNumber(writer, base, words, d!, sources);
  const put = `if (v === v) { ${writer.put(d!, type, 'v')} } else { ${none} }`;
  return { run: writer.lanes(`${read(values)} const v = ${result}; ${put}`) };
}

/** In which order an H100 looks for an operand that is no number, by the number of operands. */
const lookedAt: readonly (readonly number[])[] = [[], [0], [1, 0], [1, 2, 0]];

/** What comes of operands of 64 bits that are no numbers: the first one found, without asking for attention; others have the bits of an H100. */
function noNumber(
  writer: LaneWriter,
  base: string,
  words: readonly string[],
  d: ResolvedOperand,
  sources: readonly ResolvedOperand[],
): string {
  if (words.includes('approx') && words.includes('ftz'))
    return writer.putWide(d, 'f64', { low: '0', high: '2147483647' });
  const order = base === 'div' ? [0, 1] : lookedAt[sources.length]!;
  const all = order.map((at) => writer.wide(sources[at]!, 'f64'));
  const texts = all.map(({ low, high }, at) => `l${at} = ${low}, h${at} = ${high}`);
  const pick = (name: string, none: string): string =>
    all.reduceRight(
      (rest, _, at) =>
        `${'abc'[order[at]!]} !== ${'abc'[order[at]!]} ? ${name.replace('#', `${at}`)} : ${rest}`,
      none,
    );
  const put = writer.putWide(d, 'f64', { low: pick('l#', '0'), high: pick('h# | 524288', '-524288') });
  return `const ${texts.join(', ')}; ${put}`;
}

const both: readonly ValueType[] = ['f32', 'f64'];

const special = (base: string, types: readonly ValueType[]): Definition => ({
  words: realWords,
  types: [types],
  ...uniform([2, 2], 'lanes', 'special'),
  lower: (writer, form, operands) =>
    isHalf(form.types[0]!) ? halfFormula(writer, form, operands) : realFormula(writer, base, form, operands),
});

/** Instructions that only reals have. */
export const realInstructions: Definitions = {
  fma: {
    words: [...realWords, 'sat', 'relu', 'oob'],
    types: [[...both, 'f32x2', ...halfTypes], narrowReals],
    typesLeast: 1,
    operands: [4, 4],
    kind: 'lanes',
    class: ({ types: [type] }) => (type === 'f64' ? 'doubleMad' : 'floatMad'),
    lower: (writer, form, operands) =>
      isHalf(form.types[0]!) && form.types.length === 1
        ? halfFormula(writer, form, operands)
        : realFormula(writer, 'fma', form, operands),
  },
  sqrt: special('sqrt', both),
  rcp: special('rcp', both),
  rsqrt: special('rsqrt', both),
  ex2: special('ex2', ['f32', ...halfTypes]),
  lg2: special('lg2', ['f32']),
  sin: special('sin', ['f32']),
  cos: special('cos', ['f32']),
  tanh: special('tanh', ['f32', ...halfTypes]),
};
