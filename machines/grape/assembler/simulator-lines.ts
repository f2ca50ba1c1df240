import type { DbgLine, IdpLine, PrintLine, RrnLine } from '../../../actors/grape/program.ts';
import { checkRange, reductionOptions, type Surroundings } from './components.ts';
import { fitting, floatWord } from './constants.ts';
import { checkReduction } from './declarations.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { Token } from './lines.ts';
import { checkForm, operandOf } from './operands.ts';
import { sizeOf } from './symbols.ts';

const natural = /^\d+$/;

/** The text of a simulator line after its first word. */
const whatOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

/** A packet that waits for its data lines. */
export type Packet = Omit<IdpLine, 'words'> & { readonly words: bigint[] };

/** `IDP name [bbn [mask]] [SEQ]` or `IDP length address bbn mask [SEQ]` (GRAPE specification 7.6). */
export function packetOf(
  line: number,
  [word, ...given]: readonly [Token, ...Token[]],
  around: Surroundings,
): Packet {
  const { symbols, sizes } = around;
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const what = whatOf(given);
  const seq = /^(SEQ|seq)$/.test(given.at(-1)?.text ?? '');
  if (seq) given.pop();
  const numbers = (tokens: readonly Token[]) =>
    tokens.map((token) => {
      if (!natural.test(token.text)) diagnosticLog.fail('E_SYNTAX', token);
      return Number(token.text);
    });
  const [first] = given;
  if (first === undefined) diagnosticLog.fail('E_SYNTAX', word);
  if (natural.test(first.text)) {
    if (given.length !== 4) diagnosticLog.fail('E_SYNTAX', word);
    const [count, address, bbn, mask] = numbers(given) as [number, number, number, number];
    if (2 * (address + count) > sizes.bmShort) diagnosticLog.fail('E_RANGE', first);
    return { kind: 'IDP', line, what, addr: 2 * address, long: true, count, bbn, mask, seq, words: [] };
  }
  const variable = symbols.variables.get(first.text);
  if (!variable) diagnosticLog.fail('E_UNDEF', first);
  if (variable.space !== 'bm') diagnosticLog.fail('E_BM_OPERAND', first);
  if (given.length > 3) diagnosticLog.fail('E_SYNTAX', given[3]);
  const [bbn = 0, mask = 0] = numbers(given.slice(1));
  const { addr, long } = variable;
  const count = sizeOf(variable) / (long ? 2 : 1);
  return { kind: 'IDP', line, what, addr, long, count, bbn, mask, seq, words: [] };
}

/** The word of a line `FLT 1.5`, `FIX -3` or `HEX 3ff` for a packet of long or short words. */
export function dataWord(
  [word, ...given]: readonly [Token, ...Token[]],
  long: boolean,
  around: Surroundings,
): bigint {
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const value = given[0];
  if (value === undefined || given.length > 1) diagnosticLog.fail('E_SYNTAX', word);
  const bits = long ? 72 : 36;
  switch (word.text) {
    case 'FLT': {
      const number = Number(value.text);
      if (!Number.isFinite(number)) diagnosticLog.fail('E_SYNTAX', value);
      return floatWord(number, long);
    }
    case 'FIX':
      if (!/^[+-]?\d+$/.test(value.text)) diagnosticLog.fail('E_SYNTAX', value);
      return fitting(BigInt(value.text), long, value, diagnosticLog);
    default: {
      if (!/^[\da-fA-F]+$/.test(value.text)) diagnosticLog.fail('E_SYNTAX', value);
      const pattern = BigInt(`0x${value.text}`);
      if (pattern >> BigInt(bits)) diagnosticLog.fail('E_CONST_RANGE', value);
      return pattern;
    }
  }
}

/** `RRN op name [[n]{ros}]`: reduce and print. */
export function reductionLine(
  line: number,
  [word, ...given]: readonly [Token, ...Token[]],
  around: Surroundings,
): RrnLine {
  const { symbols, variables } = around;
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const [op, name, ...options] = given;
  if (op === undefined || name === undefined) diagnosticLog.fail('E_ARITY', word);
  checkReduction(op, diagnosticLog);
  checkForm(name, diagnosticLog);
  const operand = operandOf(name, symbols, variables, diagnosticLog);
  if (operand.ref.kind !== 'bm') diagnosticLog.fail('E_RRN_BM', name);
  const match = reductionOptions.exec(options.map(({ text }) => text).join(' '));
  if (!match) diagnosticLog.fail('E_RRN_OPT', options[0]);
  const vector = symbols.variables.get(name.text)?.vector ?? /v$/.test(name.text);
  const n = match[1] === '' ? (vector ? 4 : 1) : Number(match[1]);
  if (n < 1) diagnosticLog.fail('E_RRN_OPT', options[0]);
  checkRange(operand, n, around);
  return {
    kind: 'RRN',
    line,
    what: name.text,
    op: op.text,
    mem: operand.ref,
    n,
    round: match[2]!.includes('r'),
  };
}

/** `DBG BM bb a0 a1` and `DBG BB bb pe (TREG | GRF a0 a1 | LM a0 a1 | MREG n)`; addresses are long-word addresses, inclusive. */
export function dumpLine(
  line: number,
  [word, ...given]: readonly [Token, ...Token[]],
  around: Surroundings,
): DbgLine {
  const { sizes } = around;
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const what = whatOf(given);
  const number = (at: number): number => {
    const token = given[at];
    if (token === undefined || !natural.test(token.text)) diagnosticLog.fail('E_SYNTAX', token ?? word);
    return Number(token.text);
  };
  const end = (at: number) => {
    if (given.length > at) diagnosticLog.fail('E_SYNTAX', given[at]);
  };
  const range = (at: number, short: number) => {
    const [from, to] = [number(at), number(at + 1)];
    if (from > to || 2 * (to + 1) > short) diagnosticLog.fail('E_RANGE', given[at]);
    end(at + 2);
    return { from, to };
  };
  if (given[0]?.text === 'BM')
    return { kind: 'DBG', line, what, of: 'BM', bb: number(1), ...range(2, sizes.bmShort) };
  if (given[0]?.text !== 'BB') diagnosticLog.fail('E_SYNTAX', given[0] ?? word);
  const place = { bb: number(1), pe: number(2) };
  switch (given[3]?.text) {
    case 'TREG':
      end(4);
      return { kind: 'DBG', line, what, of: 'TREG', ...place, from: 0, to: 3 };
    case 'GRF':
      return { kind: 'DBG', line, what, of: 'GRF', ...place, ...range(4, sizes.grfShort) };
    case 'LM':
      return { kind: 'DBG', line, what, of: 'LM', ...place, ...range(4, sizes.lmShort) };
    case 'MREG': {
      const from = number(4);
      if (from > 7) diagnosticLog.fail('E_MASK', given[4]);
      end(5);
      return { kind: 'DBG', line, what, of: 'MREG', ...place, from, to: from };
    }
    default:
      return diagnosticLog.fail('E_SYNTAX', given[3] ?? word);
  }
}

/** `print bb pe (f|i|h) operand`. */
export function printLine(
  line: number,
  [word, ...given]: readonly [Token, ...Token[]],
  around: Surroundings,
): PrintLine {
  const { symbols, variables } = around;
  const diagnosticLog: DiagnosticLog = around.diagnosticLog;
  const [bb, pe, format, name] = given;
  if (given.length !== 4) diagnosticLog.fail('E_ARITY', word);
  if (!natural.test(bb!.text)) diagnosticLog.fail('E_SYNTAX', bb);
  if (!natural.test(pe!.text)) diagnosticLog.fail('E_SYNTAX', pe);
  if (!/^[fih]$/.test(format!.text)) diagnosticLog.fail('E_SYNTAX', format);
  checkForm(name!, diagnosticLog);
  const operand = operandOf(name!, symbols, variables, diagnosticLog);
  if (operand.constant || !['lm', 'grf', 'bm', 't'].includes(operand.ref.kind))
    diagnosticLog.fail('E_OPERAND', name);
  // A scalar variable of broadcast memory is one word here; in transfers it advances.
  const scalar = symbols.variables.get(name!.text)?.vector === false || /\]$/.test(name!.text);
  const ref = scalar ? { ...operand.ref, vector: false } : operand.ref;
  checkRange({ ...operand, ref }, 4, around);
  return {
    kind: 'print',
    line,
    what: name!.text,
    bb: Number(bb!.text),
    pe: Number(pe!.text),
    format: format!.text as PrintLine['format'],
    ref,
  };
}
