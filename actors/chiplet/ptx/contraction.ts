import type { FlatCode } from './flat-code.ts';
import type { FlatLine, ResolvedOperand } from './resolved.ts';

/*
 * A product and the sum that takes it as one fused multiply-add. PTX lets the translator do so where neither has a rounding modifier (PTX ISA, `mul` and `add`).
 */

/** Numbers of the registers in an operand. */
function registersIn(operand: ResolvedOperand): readonly number[] {
  switch (operand.kind) {
    case 'register':
    case 'part':
    case 'negated':
      return [operand.register.number];
    case 'opposite':
      return registersIn(operand.of);
    case 'memory':
      return operand.base === null ? [] : [operand.base.number];
    case 'vector':
      return operand.parts.flatMap(registersIn);
    case 'pair':
      return [...registersIn(operand.first), ...registersIn(operand.second)];
    default:
      return [];
  }
}

const isReal = ({ form }: FlatLine): boolean => form.types[0] === 'f32' || form.types[0] === 'f64';

/** A product that may be fused: it has no rounding modifier and is carried out always. */
const isProduct = (line: FlatLine): boolean =>
  line.form.base === 'mul' &&
  line.form.types.length === 1 &&
  isReal(line) &&
  line.guard === null &&
  line.form.words.every((word) => word === 'ftz');

const isSum = (line: FlatLine): boolean =>
  (line.form.base === 'add' || line.form.base === 'sub') &&
  line.form.types.length === 1 &&
  isReal(line) &&
  line.guard === null &&
  line.form.words.every((word) => word === 'ftz' || word === 'sat');

/** True for a product and a sum of one type that flush subnormal numbers alike. */
const fitsTo = (product: FlatLine, sum: FlatLine): boolean =>
  isProduct(product) &&
  product.form.types[0] === sum.form.types[0] &&
  product.form.words.includes('ftz') === sum.form.words.includes('ftz');

/** The product that a sum of a block takes from `from`, if it may be fused: nothing it needs has changed since, and nobody else uses it. */
function productOf(
  lines: readonly (FlatLine | null)[],
  first: number,
  at: number,
  from: ResolvedOperand,
  uses: ReadonlyMap<number, number>,
): number {
  const sum = lines[at]!;
  if (from.kind !== 'register' || uses.get(from.register.number) !== 2) return -1;
  const changed = new Set<number>();
  for (let before = at - 1; before >= first; before--) {
    const line = lines[before];
    if (line === null || line === undefined) continue;
    const [result] = line.operands;
    const written = result === undefined ? [] : registersIn(result);
    if (written.includes(from.register.number)) {
      const fits =
        fitsTo(line, sum) &&
        line.operands.slice(1).every((one) => registersIn(one).every((register) => !changed.has(register)));
      return fits ? before : -1;
    }
    for (const one of written) changed.add(one);
  }
  return -1;
}

/** The sums of a block that are all the uses of a product; undefined where one of them is something else, or cannot take it. */
function sumsOf(
  lines: readonly (FlatLine | null)[],
  at: number,
  end: number,
  uses: ReadonlyMap<number, number>,
): readonly number[] | undefined {
  const product = lines[at]!;
  const [result, ...factors] = product.operands;
  if (result?.kind !== 'register') return undefined;
  const { number } = result.register;
  const needed = new Set(factors.flatMap(registersIn));
  const sums: number[] = [];
  for (let next = at + 1; next < end; next++) {
    const line = lines[next];
    if (line === null || line === undefined) continue;
    const [written, ...read] = line.operands;
    const taken = read.filter((one) => registersIn(one).includes(number));
    if (taken.length > 0) {
      const isPlain = taken.length === 1 && taken[0]!.kind === 'register';
      if (!isPlain || !isSum(line) || !fitsTo(product, line)) return undefined;
      sums.push(next);
    }
    // What a sum writes is written behind what it reads.
    if (written && registersIn(written).some((one) => needed.has(one) || one === number)) break;
  }
  return sums.length > 0 && sums.length + 1 === uses.get(number) ? sums : undefined;
}

/**
 * Fuses each sum with the product that is its first operand, or else its second. A product of several sums stays, or with `several` goes into each of them where they are all that
 * takes it, as the translator for sm_90 does.
 */
export function fuseProducts(code: FlatCode, several: boolean): FlatCode {
  const { lines } = code;
  const uses = new Map<number, number>();
  for (const { operands, guard } of lines)
    for (const one of [...operands.flatMap(registersIn), ...(guard ? [guard.register.number] : [])])
      uses.set(one, (uses.get(one) ?? 0) + 1);
  const leads = new Set(
    lines.flatMap(({ targets, next }) => (next === undefined ? targets : [...targets, next])),
  );
  const kept: (FlatLine | null)[] = [...lines];
  let first = 0;
  for (const [at, line] of lines.entries()) {
    if (leads.has(at)) first = at;
    if (isSum(line)) fuse(kept, first, at, uses);
    if (line.targets.length > 0) first = at + 1;
  }
  if (several)
    for (const [at, line] of lines.entries()) {
      if (kept[at] === null || !isProduct(line)) continue;
      let end = at + 1;
      while (end < lines.length && !leads.has(end) && lines[end - 1]!.targets.length === 0) end++;
      const sums = sumsOf(kept, at, end, uses);
      if (!sums) continue;
      for (const sum of sums) kept[sum] = fused(kept[sum]!, line, isResult(kept[sum]!.operands[1]!, line));
      kept[at] = null;
    }
  if (!kept.includes(null)) return code;
  const places = new Int32Array(lines.length + 1);
  let count = 0;
  for (let at = 0; at <= lines.length; at++) {
    places[at] = count;
    if (kept[at] !== null) count++;
  }
  for (const one of code.called) one.entry = places[one.entry]!;
  const moved = kept.flatMap((line) =>
    line === null
      ? []
      : [
          {
            ...line,
            targets: line.targets.map((to) => places[to]!),
            ...(line.next !== undefined && { next: places[line.next]! }),
          },
        ],
  );
  const rolled = new Set([...code.rolled].map((at) => places[at]!));
  return { ...code, lines: moved, rolled };
}

/** True where an operand is what a product comes to. */
const isResult = (operand: ResolvedOperand, { operands: [result] }: FlatLine): boolean =>
  operand.kind === 'register' &&
  result?.kind === 'register' &&
  operand.register.number === result.register.number;

function fuse(
  lines: (FlatLine | null)[],
  first: number,
  at: number,
  uses: ReadonlyMap<number, number>,
): void {
  const sum = lines[at]!;
  for (const isFirst of [true, false]) {
    const from = productOf(lines, first, at, sum.operands[isFirst ? 1 : 2]!, uses);
    if (from < 0) continue;
    lines[at] = fused(sum, lines[from]!, isFirst);
    lines[from] = null;
    return;
  }
}

/** A sum with the product that is its first operand, or its second. */
function fused(sum: FlatLine, product: FlatLine, isFirst: boolean): FlatLine {
  const [d, a, b] = sum.operands as readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand];
  const [, x, y] = product.operands as readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand];
  const way = sum.form.base !== 'sub' ? 'sum' : isFirst ? 'less' : 'from';
  return {
    ...sum,
    form: { ...sum.form, base: 'fma', words: ['rn', ...sum.form.words], fused: way },
    operands: [d, x, y, isFirst ? b : a],
  };
}
