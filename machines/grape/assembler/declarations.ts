import { inputConversions, outputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import { reductionNode } from '../../../actors/grape/arithmetic/reduction.ts';
import type { Transfer, Variable } from '../../../actors/grape/program.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { Token } from './lines.ts';
import { isLanguageWord } from './opcodes.ts';
import { isRegister } from './operands.ts';
import { type Symbols, sizeOf } from './symbols.ts';

const nameForm = /^[A-Za-z]\w*$/;
const reserved = /^(elt|hlt|rrn)\d*$/;
const integer = /^\d+$/;

/** Checks the name of something new. Errors: E_NAME, E_RESERVED, E_REDEF; warning W_NAME_SHADOWS. */
function newName(token: Token | undefined, symbols: Symbols, diagnosticLog: DiagnosticLog): string {
  if (token === undefined) diagnosticLog.fail('E_NAME');
  const { text } = token;
  if (reserved.test(text)) diagnosticLog.fail('E_RESERVED', token);
  if (!nameForm.test(text)) diagnosticLog.fail('E_NAME', token);
  if (symbols.has(text)) diagnosticLog.fail('E_REDEF', token);
  if (isLanguageWord(text)) diagnosticLog.warn('W_NAME_SHADOWS', token);
  return text;
}

/** `var` and `bvar` (GRAPE specification 3.3). */
export function declareVariable(
  [word, ...rest]: readonly [Token, ...Token[]],
  symbols: Symbols,
  diagnosticLog: DiagnosticLog,
): void {
  const space = word.text === 'var' ? 'lm' : 'bm';
  const vector = rest[0]?.text === 'vector';
  if (vector) rest.shift();
  const width = rest[0]?.text;
  const written = width === 'long' || width === 'short';
  if (written) rest.shift();
  const nameToken = rest.shift();
  const name = newName(nameToken, symbols, diagnosticLog);
  const long = width !== 'short';
  if (!written) diagnosticLog.warn('W_WIDTH_DEFAULT', nameToken);
  const size = sizeOf({ long, vector });
  const place = placeOf(rest, space, symbols, diagnosticLog);
  const addr = place ?? symbols.nextFree(space, long);
  if (long && addr % 2 === 1) diagnosticLog.fail('E_ALIGN', nameToken);
  const transfer = transferOf(rest, { space, long, vector }, diagnosticLog);
  if (!symbols.holds(space, addr, size)) diagnosticLog.fail('E_OVERFLOW', nameToken);
  const placed = place !== undefined;
  symbols.declare({ name, space, addr, long, vector, placed, ...(transfer && { transfer }) });
}

/** The address a variable is placed at by hand, taken from the words that follow its name. Errors: E_UNDEF, E_SPACE. */
function placeOf(
  rest: Token[],
  space: 'lm' | 'bm',
  symbols: Symbols,
  diagnosticLog: DiagnosticLog,
): number | undefined {
  const token = rest[0];
  if (token === undefined || reserved.test(token.text)) return undefined;
  rest.shift();
  if (integer.test(token.text)) return Number(token.text);
  if (!nameForm.test(token.text)) diagnosticLog.fail('E_SYNTAX', token);
  const other = symbols.variables.get(token.text);
  if (!other) diagnosticLog.fail('E_UNDEF', token);
  if (other.space !== space) diagnosticLog.fail('E_SPACE', token);
  return other.addr;
}

/** The transfer that the last words of a declaration ask for. */
function transferOf(
  rest: readonly Token[],
  { space, long, vector }: Pick<Variable, 'space' | 'long' | 'vector'>,
  diagnosticLog: DiagnosticLog,
): Transfer | undefined {
  const [word, ...given] = rest;
  if (word === undefined) return undefined;
  const match = /^(elt|hlt|rrn)(\d*)$/.exec(word.text);
  if (!match) diagnosticLog.fail('E_SYNTAX', word);
  const kind = match[1] as Transfer['kind'];
  let num = match[2] === '' ? 0 : Number(match[2]);
  if (kind !== 'rrn' && match[2] === '' && given.length > 1 && integer.test(given[0]!.text))
    num = Number(given.shift()!.text);
  if (kind === 'elt' && space !== 'bm') diagnosticLog.fail('E_ELT_BVAR', word);
  if (kind !== 'elt' && (space !== 'lm' || !vector)) diagnosticLog.fail('E_VECTOR_REQUIRED', word);
  const conversions = kind === 'rrn' ? outputConversions : inputConversions;
  const conv = conversionOf(given.shift(), conversions, long, diagnosticLog);
  if (kind !== 'rrn') {
    if (given.length > 0) diagnosticLog.fail('E_SYNTAX', given[0]);
    return { kind, num, conv };
  }
  const op = given.shift();
  if (op === undefined) diagnosticLog.fail('E_RRNOP');
  checkReduction(op, diagnosticLog);
  const option = given.shift();
  if (option !== undefined && !/^[ros]+$/.test(option.text)) diagnosticLog.fail('E_RRN_OPT', option);
  if (given.length > 0) diagnosticLog.fail('E_SYNTAX', given[0]);
  return { kind, num, conv, redop: op.text, ...(option && { redopt: option.text }) };
}

/** The conversion a word names, by name or number. Errors: E_CONV, E_CONV_WIDTH. */
export function conversionOf(
  token: Token | undefined,
  conversions: readonly { readonly name: string; readonly number: number; readonly long: boolean }[],
  long: boolean,
  diagnosticLog: DiagnosticLog,
): string {
  const found = conversions.find(
    ({ name, number }) => token?.text === name || token?.text === String(number),
  );
  if (!found) diagnosticLog.fail('E_CONV', token);
  if (found.long !== long) diagnosticLog.fail('E_CONV_WIDTH', token);
  return found.name;
}

/** Refuses what cannot reduce: neither a block number nor a node operation. Errors: E_RRN_OP. */
export function checkReduction(token: Token, diagnosticLog: DiagnosticLog): void {
  if (!integer.test(token.text) && reductionNode(token.text, false) === undefined)
    diagnosticLog.fail('E_RRN_OP', token);
}

/** `evar name elt count`: a region of external memory. */
export function declareRegion(
  [, ...rest]: readonly [Token, ...Token[]],
  symbols: Symbols,
  diagnosticLog: DiagnosticLog,
): void {
  const name = newName(rest[0], symbols, diagnosticLog);
  const [elt, count] = [rest[1], rest[2]];
  if (rest.length !== 3 || !integer.test(elt!.text) || !integer.test(count!.text))
    diagnosticLog.fail('E_SYNTAX', rest[0]);
  symbols.regions.set(name, { name, elt: Number(elt!.text), count: Number(count!.text) });
}

/** `alias name $lr8v`: the name stands for exactly that text. */
export function declareAlias(
  [, ...rest]: readonly [Token, ...Token[]],
  symbols: Symbols,
  diagnosticLog: DiagnosticLog,
): void {
  const name = newName(rest[0], symbols, diagnosticLog);
  if (rest.length !== 2 || !isRegister(rest[1]!.text)) diagnosticLog.fail('E_ALIAS', rest[1]);
  symbols.aliases.set(name, rest[1]!.text);
}
