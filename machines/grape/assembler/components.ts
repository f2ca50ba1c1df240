import { outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import { multiplierWords } from '../../../actors/grape/arithmetic/multiplier.ts';
import type { AddOp, AluOp, BmOp, IdpOp, MultiplyOp, Ref, RrnOp } from '../../../actors/grape/program.ts';
import { checkReduction, conversionOf } from './declarations.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { RubyNumber } from './expression.ts';
import type { Token } from './lines.ts';
import { type Opcode, opcodeOf } from './opcodes.ts';
import { checkForm, elementAddress, type Operand, operandOf } from './operands.ts';
import type { MemorySizes, Symbols } from './symbols.ts';

/** What is known where a line stands. */
export interface Surroundings {
  readonly symbols: Symbols;
  readonly sizes: MemorySizes;
  readonly variables: ReadonlyMap<string, RubyNumber>;
  readonly diagnosticLog: DiagnosticLog;
  readonly vlen: number;
  readonly legacy: boolean;
  readonly roundPolicy: RoundPolicy;
}

/** Which short destinations switch rounding on: any, the first, or only all of them (GRAPE specification 2.4). */
export type RoundPolicy = 'anyShort' | 'first' | 'allShort';

/** A component whose words were sorted, its names not looked up yet. */
export interface Component {
  readonly opcode: Opcode;
  readonly word: Token;
  /** The words after the operation. */
  readonly words: readonly Token[];
}

/** A component with its operands found. */
export type Resolved = Component & {
  /** Sources and destinations of mul, fadd and ialu; the two sides of bm; the operand of rrn. */
  readonly operands: readonly Operand[];
};

const integer = /^-?\d+$/;

/** The operation of a component, and how its words are written. Errors: E_SYNTAX, E_OPCODE, E_ARITY, E_OPERAND, E_STRIDE. */
export function parseComponent(tokens: readonly Token[], diagnosticLog: DiagnosticLog): Component {
  const [word, ...words] = tokens;
  if (word === undefined) diagnosticLog.fail('E_SYNTAX');
  const opcode = opcodeOf(word.text);
  if (!opcode) diagnosticLog.fail('E_OPCODE', word);
  const [least, most] = arity(opcode);
  if (words.length < least || words.length > most) diagnosticLog.fail('E_ARITY', word);
  for (const token of operandWords({ opcode, word, words })) checkForm(token, diagnosticLog);
  return { opcode, word, words };
}

function arity({ unit }: Opcode): readonly [number, number] {
  switch (unit) {
    case 'bm':
      return [2, 3];
    case 'idp':
      return [1, 3];
    case 'rrn':
      return [3, 6];
    default:
      return [2, Number.POSITIVE_INFINITY];
  }
}

/** The words of a component that are operands. */
function operandWords({ opcode, words }: Component): readonly Token[] {
  switch (opcode.unit) {
    case 'idp':
      return [];
    case 'rrn':
      return words.slice(1, 2);
    case 'bm':
      return words.slice(0, 2);
    case 'imm':
      return words.slice(1);
    default:
      return words;
  }
}

/** Looks up the names of a component. Errors: E_UNDEF, E_INDEX_SCALAR, E_CONST_EXPR, E_CONST_RANGE. */
export function resolve(component: Component, around: Surroundings): Resolved {
  const { symbols, variables, diagnosticLog } = around;
  return {
    ...component,
    operands: operandWords(component).map((token) => operandOf(token, symbols, variables, diagnosticLog)),
  };
}

/** Checks that every operand lies in its memory. Errors: E_ALIGN, E_RANGE. */
export function checkRanges({ opcode, words, operands }: Resolved, around: Surroundings): void {
  const count = opcode.unit === 'rrn' ? rrnShape(words, operands[0]!, around).n : around.vlen;
  for (const operand of operands) checkRange(operand, count, around);
}

/** Checks one operand of which elements 0..count-1 are used. Errors: E_ALIGN, E_RANGE. */
export function checkRange({ ref, constant, token }: Operand, count: number, around: Surroundings): void {
  const { sizes, diagnosticLog } = around;
  if (constant || (ref.kind !== 'lm' && ref.kind !== 'grf' && ref.kind !== 'bm')) return;
  if (ref.long && ref.addr % 2 === 1) diagnosticLog.fail('E_ALIGN', token);
  const size = { lm: sizes.lmShort, grf: sizes.grfShort, bm: sizes.bmShort }[ref.kind];
  const last = Math.max(elementAddress(ref, 0), elementAddress(ref, count - 1)) + (ref.long ? 2 : 1);
  if (last > size) diagnosticLog.fail('E_RANGE', token);
}

/** A multiplication, its ports checked. Errors: E_OPERAND, E_FB_PORT, E_BM_OPERAND, E_DST, E_DST_IMM. */
export function multiplication({ opcode, operands }: Resolved, around: Surroundings): MultiplyOp {
  const [a, b, ...dst] = operands as [Operand, Operand, ...Operand[]];
  for (const source of [a, b]) {
    if (source.ref.kind === 'fb') around.diagnosticLog.fail('E_FB_PORT', source.token);
    if (source.ref.kind === 'pe' || source.ref.kind === 'bb')
      around.diagnosticLog.fail('E_OPERAND', source.token);
    refuseBroadcast(source, around);
  }
  const destinations = destinationsOf(dst, around);
  const plain = rounds(destinations, around.roundPolicy)
    ? multiplierWords.fmulShort
    : multiplierWords.fmulLong;
  const bits = opcode.unit === 'mul' && opcode.bits !== undefined ? opcode.bits : plain;
  return { bits, a: a.ref, b: b.ref, dst: destinations };
}

/** A float addition or an ALU operation, its ports checked. Errors: as `multiplication`; warning W_FLAG_REDUNDANT. */
export function addition({ opcode, operands, word, words }: Resolved, around: Surroundings): AddOp | AluOp {
  const { diagnosticLog } = around;
  if (opcode.unit === 'imm') {
    const pattern = words[0]!;
    if (!/^[\da-fA-F]+$/.test(pattern.text)) diagnosticLog.fail('E_OPERAND', pattern);
    const imm = BigInt(`0x${pattern.text}`);
    if (imm >> 36n) diagnosticLog.fail('E_IMM_RANGE', pattern);
    return { unit: 'ialu', op: 'imm', signed: opcode.signed, imm, dst: destinationsOf(operands, around) };
  }
  const [a, b, ...dst] = operands as [Operand, Operand, ...Operand[]];
  if (b.ref.kind === 'fb') diagnosticLog.fail('E_FB_PORT', b.token);
  for (const source of [a, b]) refuseBroadcast(source, around);
  const destinations = destinationsOf(dst, around);
  if (opcode.unit === 'ialu')
    return { unit: 'ialu', op: opcode.op, signed: opcode.signed, a: a.ref, b: b.ref, dst: destinations };
  const { flags, sub } = opcode as Extract<Opcode, { unit: 'fadd' }>;
  if (sub && flags.includes('S')) diagnosticLog.warn('W_FLAG_REDUNDANT', word);
  return {
    unit: 'fadd',
    normA: !flags.includes('A'),
    normB: !flags.includes('B'),
    sub: sub || flags.includes('S'),
    normO: !flags.includes('O'),
    round: rounds(destinations, around.roundPolicy),
    a: a.ref,
    b: b.ref,
    dst: destinations,
  };
}

/** Whether results for these places are rounded to 25 bits; T counts as long, and without a destination nothing is rounded. */
export function rounds(destinations: readonly Ref[], policy: RoundPolicy): boolean {
  const short = destinations.map(({ long }) => !long);
  if (policy === 'first') return short[0] ?? false;
  return policy === 'allShort' ? short.length > 0 && !short.includes(false) : short.includes(true);
}

function refuseBroadcast({ ref, token }: Operand, { diagnosticLog }: Surroundings): void {
  if (ref.kind === 'bm') diagnosticLog.fail('E_BM_OPERAND', token);
}

/** Where results go. `$ti` as a destination means `$t` (GRAPE specification 0.1, C9). */
function destinationsOf(operands: readonly Operand[], { diagnosticLog, vlen }: Surroundings): readonly Ref[] {
  return operands.map(({ ref, constant, token }) => {
    if (constant) diagnosticLog.fail('E_DST_IMM', token);
    if (ref.kind === 'fb' || ref.kind === 'pe' || ref.kind === 'bb') diagnosticLog.fail('E_DST', token);
    if (ref.kind === 'bm') diagnosticLog.fail('E_BM_OPERAND', token);
    if (!ref.vector && vlen > 1) diagnosticLog.warn('W_SCALAR_DST', token);
    return ref.kind === 'ti' ? { ...ref, kind: 't' } : ref;
  });
}

/** A transfer between broadcast memory and PEs (GRAPE specification 3.6). Errors: E_BM_SIDES, E_BM_PEID, E_BM_SRC, E_BM_DST. */
export function transfer({ operands, words }: Resolved, around: Surroundings): BmOp {
  const { diagnosticLog, vlen, legacy } = around;
  const [from, to] = operands as [Operand, Operand];
  const sides = [from, to].filter(({ ref }) => ref.kind === 'bm').length;
  if (sides !== 1) diagnosticLog.fail('E_BM_SIDES', to.token);
  const peidToken = words[2];
  if (peidToken && !/^\d+$/.test(peidToken.text)) diagnosticLog.fail('E_OPERAND', peidToken);
  const peid = peidToken && { peid: Number(peidToken.text) };
  if (from.ref.kind === 'bm') {
    const writable = !to.constant && ['lm', 'grf', 't', 'ind'].includes(to.ref.kind);
    if (!writable) diagnosticLog.fail('E_BM_DST', to.token);
    if (!to.ref.vector && vlen > 1) diagnosticLog.warn('W_SCALAR_DST', to.token);
    return { toPe: true, bm: from.ref, pe: to.ref, ...peid };
  }
  if (!peid) diagnosticLog.fail('E_BM_PEID', from.token);
  if (from.ref.kind !== 'grf') {
    const readable = !from.constant && ['lm', 't', 'ind'].includes(from.ref.kind);
    if (!legacy || !readable) diagnosticLog.fail('E_BM_SRC', from.token);
    diagnosticLog.warn('W_BM_SRC', from.token);
  }
  return { toPe: false, bm: to.ref, pe: from.ref, ...peid };
}

/** A transfer from external memory; whether its region exists is known after the last line. Errors: E_OPERAND, E_IDP_MODE. */
export function inputTransfer({ words }: Resolved, around: Surroundings): IdpOp & { readonly token: Token } {
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const [region, modeToken, bbidToken] = words as [Token, Token?, Token?];
  const byNumber = /^\d+$/.test(region.text);
  if (!byNumber && !/^[A-Za-z]\w*$/.test(region.text)) diagnosticLog.fail('E_OPERAND', region);
  if (modeToken && !/^[012]$/.test(modeToken.text)) diagnosticLog.fail('E_IDP_MODE', modeToken);
  if (bbidToken && !integer.test(bbidToken.text)) diagnosticLog.fail('E_OPERAND', bbidToken);
  return {
    elt: byNumber ? Number(region.text) : -1,
    region: byNumber ? '' : region.text,
    mode: Number(modeToken?.text ?? 0) as IdpOp['mode'],
    bbid: bbidToken === undefined ? -1 : Number(bbidToken.text),
    token: region,
  };
}

/** A count and letters, in one word or in two. */
export const reductionOptions = /^(\d*) ?([ros]*)$/;

/** Count and letters of an `rrn`, as `4r`. */
interface RrnShape {
  readonly n: number;
  readonly letters: string;
  /** Words after the operand that belong to the shape: 0, 1 or 2. */
  readonly words: number;
}

function rrnShape(words: readonly Token[], { ref, token }: Operand, around: Surroundings): RrnShape {
  const { symbols } = around;
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const variable = symbols.variables.get(token.text);
  const usual = ref.kind === 'bm' && variable ? (variable.vector ? 4 : 1) : /v$/.test(token.text) ? 4 : 1;
  // What is neither the conversion nor a name stands before the conversion: a count, letters, or both in one word.
  const names = new Set(outputConversions.map(({ name }) => name));
  const at = words.findIndex(({ text }, index) => index > 1 && names.has(text));
  const options = words.slice(2, at < 0 ? 3 : at);
  if (at < 0) diagnosticLog.fail('E_CONV', words[2]);
  const match = reductionOptions.exec(options.map((one) => one.text).join(' '));
  if (!match || options.length > 2) diagnosticLog.fail('E_RRN_OPT', options[0]);
  const n = match[1] === '' ? usual : Number(match[1]);
  if (n < 1) diagnosticLog.fail('E_RRN_OPT', options[0]);
  return { n, letters: match[2]!, words: options.length };
}

/** A reduction to the output port (GRAPE specification 3.7). Errors: E_RRN_OP, E_RRN_BM, E_RRN_OPT, E_CONV, E_CONV_WIDTH, E_NAME. */
export function reduction(component: Resolved, around: Surroundings): RrnOp {
  const { words, operands } = component;
  const { diagnosticLog } = around;
  const operand = operands[0]!;
  checkReduction(words[0]!, diagnosticLog);
  if (operand.ref.kind !== 'bm') diagnosticLog.fail('E_RRN_BM', operand.token);
  const shape = rrnShape(words, operand, around);
  const [conv, name, ...more] = words.slice(2 + shape.words);
  if (more.length > 0) diagnosticLog.fail('E_ARITY', more[0]);
  if (name && !/^[A-Za-z]\w*$/.test(name.text)) diagnosticLog.fail('E_NAME', name);
  return {
    op: words[0]!.text,
    mem: operand.ref,
    n: shape.n,
    round: shape.letters.includes('r'),
    odpoe: !shape.letters.includes('o'),
    sregen: !shape.letters.includes('s'),
    conv: conversionOf(conv, outputConversions, operand.ref.long, diagnosticLog),
    ...(name && { name: name.text }),
  };
}
