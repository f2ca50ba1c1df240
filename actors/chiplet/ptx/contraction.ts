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
        isProduct(line) &&
        line.form.types[0] === sum.form.types[0] &&
        line.form.words.includes('ftz') === sum.form.words.includes('ftz') &&
        line.operands.slice(1).every((one) => registersIn(one).every((register) => !changed.has(register)));
      return fits ? before : -1;
    }
    for (const one of written) changed.add(one);
  }
  return -1;
}

/** Fuses each sum with the product that is its first operand, or else its second. */
export function fuseProducts(code: FlatCode): FlatCode {
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

function fuse(
  lines: (FlatLine | null)[],
  first: number,
  at: number,
  uses: ReadonlyMap<number, number>,
): void {
  const sum = lines[at]!;
  const [d, a, b] = sum.operands as readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand];
  const subtracts = sum.form.base === 'sub';
  for (const isFirst of [true, false]) {
    const from = productOf(lines, first, at, isFirst ? a : b, uses);
    if (from < 0) continue;
    const [, x, y] = lines[from]!.operands as readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand];
    const way = !subtracts ? 'sum' : isFirst ? 'less' : 'from';
    lines[at] = {
      ...sum,
      form: { ...sum.form, base: 'fma', words: ['rn', ...sum.form.words], fused: way },
      operands: [d, x, y, isFirst ? b : a],
    };
    lines[from] = null;
    return;
  }
}
