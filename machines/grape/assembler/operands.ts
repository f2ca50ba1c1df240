import type { Ref } from '../../../actors/grape/program.ts';
import { constantOf, isConstant } from './constants.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { RubyNumber } from './expression.ts';
import type { Token } from './lines.ts';
import type { PooledConstant, Symbols } from './symbols.ts';

/** An operand: where the word is, the constant it may be, and where it was written. */
export interface Operand {
  /** Of a constant the address is not known yet: -1. */
  readonly ref: Ref;
  readonly constant?: PooledConstant;
  readonly token: Token;
}

const registerForm = /^\$(l?)r(\d+)(v?)(\d*)$/;
const memoryForm = /^\$(l?)m(\d+)(v?)(\d*)$/;
const broadcastForm = /^\$(l?)b(\d+)(v?)$/;
const nameForm = /^([A-Za-z]\w*)(?:\[(\d+)\])?$/;

const special = {
  $t: { kind: 't', long: true },
  $ti: { kind: 'ti', long: true },
  $fb: { kind: 'fb', long: true },
  $pe: { kind: 'pe', long: true },
  $bb: { kind: 'bb', long: true },
  $lt: { kind: 'ind', long: true },
  $st: { kind: 'ind', long: false },
} as const;

const ref = (
  kind: Ref['kind'],
  text: string,
  addr: number,
  long: boolean,
  vector: boolean,
  stride = 1,
): Ref => ({ kind, addr, long, vector, stride, text });

/** True for a word that an alias can stand for. */
export const isRegister = (text: string): boolean => /^\$l?r\d+v?$/.test(text);

/** Says nothing but whether a word is written like an operand. Errors: E_OPERAND, E_STRIDE. */
export function checkForm(token: Token, diagnosticLog: DiagnosticLog): void {
  const { text } = token;
  if (isConstant(text) || Object.hasOwn(special, text) || broadcastForm.test(text) || nameForm.test(text))
    return;
  const placed = registerForm.exec(text) ?? memoryForm.exec(text);
  if (!placed) diagnosticLog.fail('E_OPERAND', token);
  const [, , , v, stride] = placed;
  if (stride !== '' && (v === '' || registerForm.test(text))) diagnosticLog.fail('E_STRIDE', token);
}

/**
 * What an operand refers to (GRAPE specification 3.4). Its form was checked.
 *
 * Errors: E_UNDEF, E_INDEX_SCALAR, E_RANGE for an index beyond 3, E_CONST_EXPR, E_CONST_RANGE.
 */
export function operandOf(
  token: Token,
  symbols: Symbols,
  variables: ReadonlyMap<string, RubyNumber>,
  diagnosticLog: DiagnosticLog,
): Operand {
  const { text } = token;
  if (isConstant(text)) {
    const { long, word } = constantOf(token, variables, diagnosticLog);
    return {
      ref: ref('lm', text, -1, long, false),
      constant: symbols.constant(long, word, text.startsWith('il')),
      token,
    };
  }
  return { ref: refOf(text, token, symbols, diagnosticLog), token };
}

function refOf(text: string, token: Token, symbols: Symbols, diagnosticLog: DiagnosticLog): Ref {
  if (Object.hasOwn(special, text)) {
    const { kind, long } = special[text as keyof typeof special];
    return ref(kind, text, 0, long, true);
  }
  const register = registerForm.exec(text);
  if (register) return ref('grf', text, Number(register[2]), register[1] === 'l', register[3] === 'v');
  const memory = memoryForm.exec(text);
  if (memory) {
    const stride = memory[4] === '' ? 1 : Number(memory[4]);
    return ref('lm', text, Number(memory[2]), memory[1] === 'l', memory[3] === 'v', stride);
  }
  const broadcast = broadcastForm.exec(text);
  if (broadcast) return ref('bm', text, Number(broadcast[2]), broadcast[1] === 'l', true);
  return named(text, token, symbols, diagnosticLog);
}

function named(text: string, token: Token, symbols: Symbols, diagnosticLog: DiagnosticLog): Ref {
  const [, name, index] = nameForm.exec(text) as unknown as [string, string, string | undefined];
  const alias = symbols.aliases.get(name);
  if (alias !== undefined) {
    if (index !== undefined) diagnosticLog.fail('E_INDEX_SCALAR', token);
    return { ...refOf(alias, token, symbols, diagnosticLog), text };
  }
  const variable = symbols.variables.get(name);
  if (!variable) diagnosticLog.fail('E_UNDEF', token);
  const { space, addr, long, vector } = variable;
  if (index === undefined) return ref(space, text, addr, long, space === 'bm' || vector);
  if (!vector) diagnosticLog.fail('E_INDEX_SCALAR', token);
  if (Number(index) > 3) diagnosticLog.fail('E_RANGE', token);
  return ref(space, text, addr + Number(index) * (long ? 2 : 1), long, space === 'bm');
}

/** Short-word address of element k of an operand in a memory. */
export const elementAddress = ({ addr, long, vector, stride }: Ref, k: number): number =>
  vector ? addr + k * stride * (long ? 2 : 1) : addr;

/** Two operands that are one and the same place. */
export const samePlace = (a: Operand, b: Operand): boolean =>
  a.ref.kind === b.ref.kind &&
  a.constant?.index === b.constant?.index &&
  a.ref.addr === b.ref.addr &&
  a.ref.long === b.ref.long &&
  a.ref.vector === b.ref.vector &&
  a.ref.stride === b.ref.stride;
