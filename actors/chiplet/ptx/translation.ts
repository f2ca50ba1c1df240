import type { FlatLine, Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, isReal, type ValueType } from './value-type.ts';

/*
 * What the translator makes of the instructions of PTX, as far as timing may want to know it. It copies values instead of moving them, reads parameters as operands, carries out short
 * branches under a guard, makes one instruction of a sum of three, a product and a sum, a shift and a sum, a logic function of three operands and comparisons that are combined
 * (IADD3, IMAD, LEA, LOP3, ISETP among the instructions that the manual of the CUDA binary utilities lists), and several turns of a loop one.
 */

/** What a line does to registers, by number. */
interface Uses {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** A kernel as the translator finds it. */
interface Code {
  readonly lines: readonly FlatLine[];
  readonly uses: readonly Uses[];
  /** Lines that branches lead to. */
  readonly leads: ReadonlySet<number>;
  /** By line: whether no load moves up past it. */
  readonly opens: readonly boolean[];
  /** Lines where loops begin whose turns stay turns. */
  readonly rolled: ReadonlySet<number>;
}

/** A loop: its first line, and that of the branch back. */
interface Loop {
  readonly begin: number;
  readonly end: number;
}

/** What the translator makes of the lines. */
export interface Translation {
  /** By line: true where it is no instruction of its own. */
  readonly folded: readonly boolean[];
  /** By line: true where a sum of 64 bits takes a product of 32 bits with it, and is one instruction by that. */
  readonly wideSums: readonly boolean[];
  /** By line: true for a quotient of 32 bits whose divisor is one of before, or stays the same in a loop: what it takes of the divisor is there. */
  readonly dividedBefore: readonly boolean[];
  /** Short loops whose turns can be counted: the translator makes several turns one. */
  readonly unrolled: readonly Loop[];
  /** Registers that hold the same in all threads of a block. */
  readonly uniform: ReadonlySet<number>;
  /** Registers of predicates that guard instructions, or are combined to such. */
  readonly guards: ReadonlySet<number>;
}

const sums: ReadonlySet<string> = new Set(['add', 'sub']);
const logic: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'not']);

const typeOf = ({ form }: Pick<FlatLine, 'form'>): ValueType => form.types[0] ?? 'pred';
const isWhole = (line: Pick<FlatLine, 'form'>, bits: number): boolean =>
  bitsOf(typeOf(line)) === bits && !isReal(typeOf(line));

/** Says what the translator makes of the lines of a kernel. */
export function translationOf(code: Code): Translation {
  const { lines, uses, leads } = code;
  const folded = lines.map((_, at) => standsForNothing(lines, at));
  for (const at of writtenOut(code, folded)) folded[at] = true;
  const wideSums = lines.map(() => false);
  const readers = readersInBlock(code);
  /** By register: the line of the block at hand that wrote it. */
  const made = new Map<number, number>();
  /** By line: the operands that it reads with those that it has taken over. */
  const inputs = lines.map(({ operands }) => operands.length - 1);
  for (const [at, line] of lines.entries()) {
    if (leads.has(at)) made.clear();
    const makers = uses[at]!.reads.flatMap((register) => made.get(register) ?? []);
    if (line.guard === null) join(line, at, makers);
    if (isWideSum(line)) takeProduct(at, makers);
    for (const register of uses[at]!.writes)
      if (line.guard === null) made.set(register, at);
      else made.delete(register);
    if (line.targets.length > 0) made.clear();
  }
  return {
    folded,
    wideSums,
    dividedBefore: repeatedDivisors(code),
    unrolled: countedLoops(code),
    uniform: uniformRegisters(code),
    guards: guardsOf(code),
  };

  /** Makes one instruction of a line and those that it alone takes its operands from. */
  function join(line: FlatLine, at: number, makers: readonly number[]): void {
    const own = makers.filter((one) => !folded[one] && readers[one]?.length === 1);
    if (typeOf(line) === 'pred' && logic.has(line.form.base)) {
      // A comparison takes the result of another one with it.
      folded[at] = line.form.base === 'not' || own.some((one) => lines[one]!.form.base === 'setp');
      return;
    }
    for (const maker of own) {
      const together = inputs[at]! + inputs[maker]! - 1;
      if (together > 3 || wideSums[maker] || !isOneInstruction(lines[maker]!, line)) continue;
      folded[maker] = true;
      inputs[at] = together;
    }
  }

  /** A sum of 64 bits takes a product that all its readers are such sums for. */
  function takeProduct(at: number, makers: readonly number[]): void {
    const product = makers.find(
      (one) => isWideProduct(lines[one]!) && readers[one]?.every((reader) => isWideSum(lines[reader]!)),
    );
    if (product === undefined) return;
    folded[product] = true;
    wideSums[at] = true;
  }
}

/** By line: the lines of its block that read its result; null for a result that others read, or for several. */
function readersInBlock({ lines, uses, leads }: Code): readonly (readonly number[] | null)[] {
  const reads = new Map<number, number>();
  for (const one of uses)
    for (const register of new Set(one.reads)) reads.set(register, (reads.get(register) ?? 0) + 1);
  return uses.map(({ writes }, at) => {
    const [register] = writes;
    if (register === undefined || writes.length > 1) return null;
    const found: number[] = [];
    for (let next = at + 1; next < lines.length && !leads.has(next); next++) {
      if (uses[next]!.reads.includes(register)) found.push(next);
      if (uses[next]!.writes.includes(register) && lines[next]!.guard === null) return found;
      if (lines[next]!.targets.length > 0) break;
    }
    return found.length === reads.get(register) ? found : null;
  });
}

const isSpecial = (operand: ResolvedOperand | undefined, names: RegExp): boolean =>
  operand?.kind === 'register' && operand.register.special && names.test(operand.register.name);

/** Special registers that are read with an instruction of their own; the others are constants of the launch. */
const readOnItsOwn = /^%(?:tid|ctaid|laneid|warpid|smid|clock|globaltimer|lanemask)/;

/** True for a line that is never an instruction. */
function standsForNothing(lines: readonly FlatLine[], at: number): boolean {
  const line = lines[at]!;
  const { form, operands, targets } = line;
  if (line.call !== undefined || line.returns === true) return false;
  switch (form.base) {
    case 'ld':
      return form.words.includes('param');
    case 'mov':
    case 'cvta':
      return !isSpecial(operands[1], readOnItsOwn);
    case 'cvt':
      return namesAnotherHalf(form);
    case 'neg':
    case 'abs':
      // A sign of an operand.
      return isReal(typeOf(line));
    case 'bra': {
      const [to] = targets;
      return to === at + 1 || (targets.length === 1 && isShort(lines, at, to!));
    }
    default:
      return false;
  }
}

/** A conversion that only names half of a register, or a register with one of zero. */
function namesAnotherHalf({ types: [to, from], words }: Form): boolean {
  if (to === undefined || from === undefined || words.includes('sat')) return false;
  return /^[bsu]32$/.test(to) ? /^[bsu]64$|^u16$/.test(from) : /^[bsu]64$/.test(to) && from === 'u32';
}

/** Instructions that a branch may jump over without being one: the translator carries them out under a guard. */
const shortBranch = 12;

/** What is not carried out under a guard, and what has branches of its own unless it is approximate. */
const staysOut = /^(?:bar|barrier|call|ret|exit|atom|red)$/;
const branches = /^(?:div|rem|sqrt|rcp)$/;

/** True for a branch forward over a few lines, which may have such branches again, that can be carried out under a guard. */
export function isShort(
  lines: readonly Pick<FlatLine, 'form' | 'targets'>[],
  at: number,
  to: number,
): boolean {
  if (to <= at) return false;
  let end = to;
  for (let inside = at + 1; inside < end; inside++) {
    const { form, targets } = lines[inside]!;
    if (staysOut.test(form.base) || (branches.test(form.base) && !form.words.includes('approx')))
      return false;
    if (targets.some((other) => other <= inside) || targets.length > 1) return false;
    end = Math.max(end, ...targets);
  }
  return end - at <= shortBranch;
}

const isWideSum = (line: FlatLine): boolean => line.form.base === 'add' && isWhole(line, 64);

const isWideProduct = (line: FlatLine): boolean =>
  line.form.base === 'mul' && line.form.words.includes('wide') && isWhole(line, 32);

const isPlain = ({ form: { words } }: FlatLine): boolean =>
  words.every((word) => word === 'lo' || word === 'ftz');

/** Whether a line and the one that takes its result as an operand are one instruction of the GPU. */
function isOneInstruction(maker: FlatLine, line: FlatLine): boolean {
  const [from, to] = [maker.form.base, line.form.base];
  const type = typeOf(line);
  if (bitsOf(typeOf(maker)) !== bitsOf(type) || !isPlain(maker)) return false;
  if (isReal(type)) return sums.has(to) && from === 'mul' && isPlain(line) && maker.form.types[0] === type;
  if (to === 'setp') return from === 'and' && bitsOf(type) <= 32;
  if (isWideSum(line)) return sums.has(from);
  if (bitsOf(type) !== 32) return false;
  if (logic.has(to)) return logic.has(from);
  if (to === 'min' || to === 'max') return sums.has(from);
  if (!sums.has(to) || !isPlain(line)) return false;
  const isShift = from === 'shl' && maker.operands[2]?.kind === 'whole';
  return sums.has(from) || from === 'neg' || from === 'mul' || isShift;
}

const isQuotient = (line: FlatLine): boolean =>
  (line.form.base === 'div' || line.form.base === 'rem') && isWhole(line, 32);

function repeatedDivisors({ lines, uses, leads }: Code): readonly boolean[] {
  const loops = lines.flatMap(({ targets }, end) =>
    targets.filter((to) => to <= end).map((begin) => ({ begin, end })),
  );
  const known = new Set<number>();
  return lines.map((line, at) => {
    if (leads.has(at)) known.clear();
    const by = isQuotient(line) ? line.operands[2] : undefined;
    const divisor = by?.kind === 'register' ? by.register.number : -1;
    const isKnown = known.has(divisor);
    if (divisor >= 0) known.add(divisor);
    for (const one of uses[at]!.writes) known.delete(one);
    const stays = ({ begin, end }: Loop): boolean =>
      begin <= at && at <= end && writersIn(uses, begin, end + 1, divisor).length === 0;
    return divisor >= 0 && (isKnown || loops.some(stays));
  });
}

/** Lines from one to another, which is not one of them, that write a register. */
function writersIn(uses: readonly Uses[], from: number, to: number, register: number): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < to; at++) if (uses[at]!.writes.includes(register)) found.push(at);
  return found;
}

/** Lines of a loop that the translator still makes several turns of. */
const unrolledLines = 48;

/** Loops without others in them, barriers or calls, that are left when a register which takes a constant step passes a limit. */
function countedLoops({ lines, uses, opens }: Code): readonly Loop[] {
  return lines.flatMap(({ form, targets: [begin], guard }, end) => {
    if (form.base !== 'bra' || begin === undefined || begin > end || guard === null) return [];
    if (end - begin > unrolledLines) return [];
    for (let at = begin + 1; at <= end; at++) {
      const [to] = lines[at]!.targets;
      if (opens[at] || (at < end && to !== undefined && !isShort(lines, at, to))) return [];
    }
    const [test, ...others] = writersIn(uses, begin, end, guard.register.number);
    if (test === undefined || others.length > 0 || lines[test]!.form.base !== 'setp') return [];
    const steps = uses[test]!.reads.flatMap((register) => writersIn(uses, begin, end, register));
    const [step] = steps;
    const isStep = step !== undefined && sums.has(lines[step]!.form.base) && lines[step]!.guard === null;
    return isStep && steps.length === 1 && lines[step]!.operands[2]!.kind === 'whole' ? [{ begin, end }] : [];
  });
}

/**
 * Instructions that a loop may come to when all of its turns are written out, each with its constants: as many as the translator (CUDA 13.0, for an H100) made of loops of
 * 16 to 96 instructions some of which only counted.
 */
const writtenOutMost = 4096;

/** What a constant is made of constants by. */
const keepsConstant =
  /^(?:add|sub|mul|mad|fma|shl|shr|and|or|xor|not|neg|mov|cvt|cvta|min|max|selp|setp|bfe|bfi|lop3|shf)$/;

const sense: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

/** Lines that are nothing where all turns of their loop are written out: those that only count, and what follows from the count alone. */
function writtenOut(code: Code, folded: readonly boolean[]): readonly number[] {
  const { lines, uses } = code;
  const writing = new Map<number, number[]>();
  for (const [at, { writes }] of uses.entries())
    for (const register of writes) {
      const known = writing.get(register);
      if (known === undefined) writing.set(register, [at]);
      else known.push(at);
    }
  const writers = (register: number): readonly number[] => writing.get(register) ?? [];
  return lines.flatMap(({ form, targets: [begin], guard }, end) => {
    if (form.base !== 'bra' || begin === undefined || begin > end || guard === null) return [];
    if (code.rolled.has(begin)) return [];
    const inside = (at: number): boolean => at >= begin && at <= end;
    for (let at = begin; at < end; at++) {
      const line = lines[at]!;
      if (
        line.call ||
        line.targets.some((to) => to <= at || to > end) ||
        /^(?:bar|brx|ret|exit)/.test(line.form.base)
      )
        return [];
    }
    const known = new Set<number>();
    const nothing = new Set<number>();
    /** A constant of before the loop that nothing in it writes. */
    const stays = (register: number): boolean => {
      const [first, ...others] = writers(register);
      if (first === undefined || others.length > 0 || inside(first)) return false;
      const { form: made, operands } = lines[first]!;
      return made.base === 'mov' && ['whole', 'real', 'symbol'].includes(operands[1]!.kind);
    };
    const isKnown = (operand: ResolvedOperand): boolean =>
      operand.kind === 'register'
        ? known.has(operand.register.number) || stays(operand.register.number)
        : operand.kind === 'pair'
          ? isKnown(operand.first) && isKnown(operand.second)
          : ['whole', 'real', 'symbol'].includes(operand.kind);
    const startOf = (register: number): bigint | undefined => {
      const before = writers(register).filter((at) => !inside(at));
      const [first] = before.map((at) => lines[at]!);
      const value = first?.operands[1];
      return before.length === 1 && first!.form.base === 'mov' && value?.kind === 'whole'
        ? value.value
        : undefined;
    };
    for (let at = begin; at < end; at++) {
      const {
        form: { base },
        operands,
        guard: own,
      } = lines[at]!;
      const [d, a, by] = operands;
      if (
        !sums.has(base) ||
        d?.kind !== 'register' ||
        a?.kind !== 'register' ||
        by?.kind !== 'whole' ||
        own !== null
      )
        continue;
      const { number } = d.register;
      if (a.register.number !== number || startOf(number) === undefined) continue;
      if (writers(number).filter(inside).length === 1) {
        known.add(number);
        nothing.add(at);
      }
    }
    const trips = tripsOf(code, end, writersIn(uses, begin, end, guard.register.number), known, startOf);
    if (trips === undefined) return [];
    const counting = known.size;
    for (let size = -1; size < known.size; ) {
      size = known.size;
      for (let at = begin; at < end; at++) {
        const {
          form: { base },
          operands,
          guard: own,
        } = lines[at]!;
        if (
          !keepsConstant.test(base) ||
          !operands.slice(1).every(isKnown) ||
          (own !== null && !known.has(own.register.number))
        )
          continue;
        const made = uses[at]!.writes;
        nothing.add(at);
        if (
          made.every((register) =>
            writers(register).every((one) =>
              inside(one) ? nothing.has(one) : startOf(register) !== undefined,
            ),
          )
        )
          for (const register of made) known.add(register);
      }
    }
    const tests = new Set([guard.register.number]);
    if ([...known].every((one, at) => at < counting || tests.has(one))) return [];
    for (let at = begin; at <= end; at++) {
      const {
        form: { base },
        guard: own,
      } = lines[at]!;
      if (base === 'bra' && (own === null || known.has(own.register.number))) nothing.add(at);
    }
    let left = 0;
    for (let at = begin; at <= end; at++) if (!nothing.has(at) && !folded[at]) left++;
    return left * trips <= writtenOutMost ? [...nothing] : [];
  });
}

/** How often a loop goes round: its register begins, steps and ends with constants. Undefined for another loop. */
function tripsOf(
  { lines, uses }: Code,
  end: number,
  [test, ...others]: readonly number[],
  known: ReadonlySet<number>,
  startOf: (register: number) => bigint | undefined,
): number | undefined {
  const { form, operands: [, a, limit] = [] } = lines[test ?? -1] ?? {};
  if (others.length > 0 || form?.base !== 'setp' || a?.kind !== 'register' || limit?.kind !== 'whole')
    return undefined;
  const compare = sense[form.words[0] ?? ''];
  const { number } = a.register;
  const first = known.has(number) ? startOf(number) : undefined;
  const begin = lines[end]!.targets[0]!;
  const [at] = writersIn(uses, begin, end, number);
  const step = lines[at ?? -1]?.operands[2];
  if (compare === undefined || form.words.length > 1 || first === undefined || step?.kind !== 'whole')
    return undefined;
  const by = lines[at!]!.form.base === 'sub' ? -step.value : step.value;
  // What is tested is the value before the step where the test stands first.
  let value = at! < test! ? first + by : first;
  for (let trips = 1; trips <= writtenOutMost; trips++, value += by)
    if (compare(value, limit.value) === lines[end]!.guard!.negated) return trips;
  return undefined;
}

/** Special registers that differ between the threads of a block. */
const ofThreads = /^%(?:tid|laneid|warpid|clock|globaltimer|lanemask)/;
const keepsUniform = /^(?:add|sub|mul|mad|shl|shr|and|or|xor|mov|cvta|cvt|min|max|neg|selp|setp)$/;

function uniformRegisters({ lines, uses }: Code): ReadonlySet<number> {
  const differing = new Set<number>();
  for (let size = -1; size < differing.size; ) {
    size = differing.size;
    for (const [at, { form, operands, guard }] of lines.entries()) {
      const { reads, writes } = uses[at]!;
      const isUniform =
        guard === null &&
        (form.base === 'ld' ? form.words.includes('param') : keepsUniform.test(form.base)) &&
        !operands.some((one) => isSpecial(one, ofThreads)) &&
        !reads.some((one) => differing.has(one));
      if (!isUniform) for (const one of writes) differing.add(one);
    }
  }
  return new Set(uses.flatMap(({ writes }) => writes).filter((one) => !differing.has(one)));
}

function guardsOf({ lines, uses }: Code): ReadonlySet<number> {
  const guards = new Set(lines.flatMap(({ guard }) => guard?.register.number ?? []));
  for (let size = 0; size < guards.size; ) {
    size = guards.size;
    for (const [at, line] of lines.entries())
      if (typeOf(line) === 'pred' && logic.has(line.form.base))
        if (uses[at]!.writes.some((one) => guards.has(one)))
          for (const one of uses[at]!.reads) guards.add(one);
  }
  return guards;
}
