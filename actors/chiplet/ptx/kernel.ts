import { type CalledFunction, type CallOperands, frameBytesOf } from './called-function.ts';
import type { CompileOptions, MessageOpcode } from './compile-options.ts';
import { fuseProducts } from './contraction.ts';
import { type Lowered, noWork, UnknownForm } from './definition.ts';
import type { FlatCode, ParameterPlace, Surroundings } from './flat-code.ts';
import { flatten } from './flatten.ts';
import { type Instruction, instructionClasses, type LaneValue } from './instruction.ts';
import { definitionOf } from './instruction-set.ts';
import { LaneWriter, OperandMismatch } from './lane-writer.ts';
import type { Dimensions } from './launch.ts';
import { registerPressure } from './liveness.ts';
import { meetingPoints } from './meeting-points.ts';
import type { PtxSource } from './ptx-error.ts';
import type { FlatLine } from './resolved.ts';
import { fenceOf, isTried, openings, type Sequence, sequenceOf, timingIndex } from './schedule.ts';
import type { Routine } from './syntax.ts';
import { translationOf } from './translation.ts';
import { bitsOf, laneWords } from './value-type.ts';

/** A kernel, ready to be launched. */
export interface Kernel {
  readonly name: string;
  readonly file: string;
  /** For which GPUs its text is: `sm_80`; empty where it does not say. */
  readonly target: string;
  readonly code: readonly Instruction[];
  readonly parameters: readonly ParameterPlace[];
  readonly parameterBytes: number;
  /** Bytes of shared memory of a block, without what is given at launch. */
  readonly sharedBytes: number;
  /** Those of them that are reserved for the system. */
  readonly reservedSharedBytes: number;
  /** Bytes of local memory of a thread. */
  readonly localBytes: number;
  /** Words of all registers of a warp. */
  readonly registerWords: number;
  /** Registers of 32 bits that a thread takes in a core. */
  readonly registersPerThread: number;
  /** How many registers there are, for the scoreboard. */
  readonly registerCount: number;
  /** Special registers that are read, with their places. */
  readonly special: readonly { readonly name: string; readonly slot: number }[];
  /** Functions that are called with a stack, by their addresses. */
  readonly functions: ReadonlyMap<number, CalledFunction>;
  /** Blocks of a cluster, where the text fixes them; `asked` where each launch has to give them. */
  readonly cluster: Dimensions | 'asked' | null;
  /** How often lanes may go round while others of their warp wait for them, before those go on by themselves. */
  readonly turnsMost: number;
  /** The address of the room where the blocks of a grid meet, for a kernel that asks for it. */
  readonly workspace?: number | undefined;
}

/** Turns of lanes that others wait for: more than loops of most kernels have, so that lanes meet as the compiler meant it. */
const turnsBeforeParting = 1 << 14;

/** Accesses that ask memory itself. */
const volatileWords: ReadonlySet<string> = new Set([
  'volatile',
  'relaxed',
  'acquire',
  'release',
  'mmio',
  'cv',
]);

const noLane: LaneValue = { slot: -1, value: 0 };

/** Compiles a kernel of a text. Errors: `PtxError`. */
export function compileKernel(
  routine: Routine,
  around: Surroundings,
  {
    messageOpcode = 'auto',
    contraction = 'none',
    divergence = 'independent',
    approximations = 'exact',
    perturbation,
  }: CompileOptions = {},
): Kernel {
  const written = flatten(routine, around);
  const flat = contraction === 'none' ? written : fuseProducts(written, contraction === 'fuse-all');
  const { lines, registers } = flat;
  const successors = lines.map((line, at) => successorsOf(line, at, lines.length));
  for (const [at, list] of successors.entries())
    for (const to of list)
      if (to > lines.length)
        throw around.source.error(
          lines[at]!.at,
          'found the end of the text, expected an instruction',
          'end with ret',
        );
  const leads = jumpTargets(lines);
  const meetings = meetingPoints(successors, (at) => endsKernel(lines[at]!));
  const works = lines.map((line, at) => {
    const side = perturbation === undefined ? 0 : sideOf(at, perturbation);
    const writer = new LaneWriter(side, approximations);
    return work(around.source, line, isMessage(flat, at, messageOpcode, leads), writer);
  });
  const opens = openings(lines);
  const uses = works.map(({ writer }, at) => ({
    reads: [...writer.read, ...(lines[at]!.guard ? [lines[at]!.guard.register] : [])].map(
      ({ number }) => number,
    ),
    writes: writer.written.map(({ number }) => number),
    guarded: lines[at]!.guard !== null,
  }));
  const { folded, wideSums, dividedBefore, unrolled, uniform, guards } = translationOf({
    lines,
    uses,
    leads,
    opens,
    rolled: flat.rolled,
  });
  const wanted = new Set(uses.flatMap(({ reads }) => reads));
  const counted = new Set(unrolled.map(({ end }) => lines[end]!.guard!.register.number));
  const sequenceAt = (at: number): Sequence | null => {
    if (folded[at]) return 'folded';
    if (wideSums[at]) return 'mulWide';
    return dividedBefore[at] ? 'divAgain' : sequenceOf(lines[at]!);
  };
  const code = lines.map((line, at): Instruction => {
    const { writer, lowered, kind, lineClass, message, index } = works[at]!;
    const guard = line.guard?.register;
    const read = [...writer.read, ...(guard ? [guard] : [])].filter(({ special }) => !special);
    const results = [...new Set(writer.written.map(({ number }) => number))];
    const classIndex = instructionClasses.indexOf(lineClass);
    const sequence = sequenceAt(at);
    const predicate =
      writer.written.length > 0 &&
      writer.written.every(({ type }) => type === 'pred') &&
      results.some((one) => guards.has(one) && !counted.has(one));
    const space = lowered.access?.space;
    const tries = lowered.access?.what === 'atomic' ? isTried(line.form) : null;
    return {
      kind,
      class: lineClass,
      classIndex,
      run: lowered.run,
      guard: guard?.slot ?? -1,
      guardNegated: line.guard?.negated ?? false,
      target: line.targets[0] ?? at + 1,
      next: line.next ?? at + 1,
      reconvergence: meetings[at]!.at,
      ways: meetings[at]!.ways,
      targets: line.targets,
      index,
      access: lowered.access ?? null,
      message,
      barrier: lowered.barrier ?? null,
      clusterStep: lowered.clusterStep ?? null,
      call: callOf(line),
      members: lowered.members ?? noLane,
      registers: [...new Set([...read.map(({ number }) => number), ...results])],
      results,
      schedule: {
        sequence,
        predicate,
        opens: opens[at]!,
        unrolled: unrolled.some(({ begin, end }) => begin === at || end === at) ? at : -1,
        fence: fenceOf(line.form),
        together:
          tries === null &&
          line.operands.some(
            (one) => one.kind === 'memory' && (one.base === null || uniform.has(one.base.number)),
          ) &&
          results.every((one) => !wanted.has(one)),
        tries,
        readOnly: line.form.words.includes('nc') || space === 'const' || space === 'param',
        volatile: line.form.words.some((word) => volatileWords.has(word)),
        reads: [...new Set(read.map(({ number }) => number))],
      },
      timing: timingIndex(classIndex, sequence, predicate),
      at: line.at,
      text: around.source.lineAt(line.at),
    };
  });
  const wordsOf = (number: number): number => {
    const { type, special } = registers[number]!;
    return special || type === 'pred' ? 0 : laneWords(type) >> 5;
  };
  return {
    name: routine.name,
    file: around.source.file,
    target: around.target,
    code,
    parameters: flat.parameters,
    parameterBytes: flat.parameterBytes,
    sharedBytes: flat.sharedBytes,
    reservedSharedBytes: flat.reservedSharedBytes,
    localBytes: flat.localBytes,
    registerWords: flat.registerWords,
    registersPerThread: registerPressure(successors, uses, registers.length, wordsOf),
    registerCount: registers.length,
    special: registers.filter(({ special }) => special).map(({ name, slot }) => ({ name, slot })),
    functions: new Map(flat.called.map((one) => [one.address, one])),
    cluster: routine.cluster ?? (routine.explicitCluster ? 'asked' : null),
    turnsMost: divergence === 'stack' ? Number.POSITIVE_INFINITY : turnsBeforeParting,
  };
}

/** True for a line that ends lanes, not a call. */
const endsKernel = ({ form, targets, returns }: Omit<FlatLine, 'operands' | 'guard' | 'at'>): boolean =>
  returns !== true && (form.base === 'ret' || form.base === 'exit') && targets.length === 0;

/** Where a line can go; the length of the code is the exit. */
function successorsOf(line: FlatLine, at: number, exit: number): readonly number[] {
  const { guard, targets, next } = line;
  const behind = next ?? at + 1;
  if (line.returns === true) return [exit];
  if (endsKernel(line)) return guard ? [behind, exit] : [exit];
  if (targets.length === 0) return [behind];
  return guard ? [...new Set([...targets, behind])] : [...new Set(targets)];
}

const jumpTargets = (lines: readonly FlatLine[]): ReadonlySet<number> =>
  new Set(lines.flatMap(({ targets, next }) => (next === undefined ? targets : [...targets, next])));

/** True when `addc` is the message instruction: with `auto` unless a carry was made before it in its basic block. */
function isMessage(
  { lines }: FlatCode,
  at: number,
  opcode: MessageOpcode,
  leads: ReadonlySet<number>,
): boolean {
  const { form } = lines[at]!;
  if (form.base !== 'addc' || form.words.includes('cc') || opcode === 'off') return false;
  if (bitsOf(form.types[0]!) !== 32) return false;
  if (opcode === 'on') return true;
  for (let before = at; before > 0 && !leads.has(before); before--) {
    const { form: earlier } = lines[before - 1]!;
    if (earlier.words.includes('cc')) return false;
    if (['bra', 'brx', 'call', 'ret', 'exit'].includes(earlier.base)) break;
  }
  return true;
}

/** Kinds of instructions whose work is done by their function. */
const withWork: ReadonlySet<string> = new Set(['lanes', 'together', 'memory', 'barrier', 'cluster']);

/** To which end of its bound the result of an approximate line is moved. */
function sideOf(at: number, seed: number): -1 | 1 {
  if (seed < 2) return seed === 0 ? 1 : -1;
  let mixed = Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed >>> 16) & 1 ? 1 : -1;
}

/** A call with a stack: the places are known now that all is written. */
function callOf({ call }: FlatLine): CallOperands | null {
  if (call === undefined) return null;
  const { callee, address, choice, given, results, frame } = call;
  const register = address?.kind === 'register' ? address.register : undefined;
  return {
    callee,
    slot: register?.slot ?? -1,
    stride: register !== undefined && bitsOf(register.type) === 64 ? 2 : 1,
    choice,
    given,
    results,
    frameBytes: frameBytesOf(frame.end),
  };
}

/** The work of one line: its function and the operands that a step looks at. */
function work(source: PtxSource, line: FlatLine, isMessage: boolean, writer: LaneWriter) {
  const { form, operands } = line;
  const definition = definitionOf(form.base)!;
  try {
    const lowered: Lowered = definition.lower(writer, form, operands);
    const returns = form.base === 'ret' && line.targets.length > 0;
    const carries = definition.kind === 'message' && !isMessage;
    const usual = definition.kindOf?.(form) ?? definition.kind;
    const together = lowered.members === undefined ? usual : 'together';
    const plain = returns ? 'branch' : carries ? 'lanes' : together;
    const kind = line.returns === true ? 'return' : line.call === undefined ? plain : 'call';
    if (line.call?.address) writer.laneAddress(line.call.address);
    const lineClass = carries ? 'intAdd' : definition.class(form, operands);
    const message = isMessage
      ? {
          parameter: writer.laneValue(operands[1]!),
          value: writer.laneValue(operands[2]!),
          result: writer.laneValue(operands[0]!).slot,
        }
      : null;
    const index = kind === 'table' ? writer.laneValue(operands[0]!) : { slot: -1, value: 0 };
    return {
      writer,
      lowered: withWork.has(kind) ? lowered : { run: noWork },
      kind,
      lineClass,
      message,
      index,
    } as const;
  } catch (error) {
    if (error instanceof OperandMismatch)
      throw source.error(
        line.at,
        `${form.written}: found ${error.found}, expected ${error.expected}`,
        'correct the operand, or the type of the instruction',
      );
    if (error instanceof UnknownForm)
      throw source.error(
        line.at,
        `found ${form.written}, expected ${error.expected ?? `a form of ${form.base} that there is`}`,
        'see the instruction table of the chiplet specification, section 7.1',
      );
    throw error;
  }
}
