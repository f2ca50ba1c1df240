import type { FramePlace } from './called-function.ts';
import { formOf } from './instruction-set.ts';
import type { OperandNames } from './operand-names.ts';
import type { PtxSource } from './ptx-error.ts';
import type { FlatLine, ResolvedOperand } from './resolved.ts';
import type { Meaning, Scope } from './scope.ts';
import type { InstructionLine, Operand, Variable } from './syntax.ts';
import { bytesOfVariable } from './variables.ts';

/** A call: who calls, and the scopes of the called function and of its caller. */
export interface CallScopes {
  readonly source: PtxSource;
  readonly names: OperandNames;
  readonly inner: Scope;
  readonly outer: Scope;
  readonly call: InstructionLine;
  /** Room for a parameter that the caller gave no variable for. */
  frame(variable: Variable): Meaning;
}

/**
 * Gives the parameters of a called function their places: those that the caller has filled, or registers and room of their own. Gives the instructions
 * that carry values over, before the function or behind it. Errors: E-PTX.
 */
export function bindParameters(
  formal: readonly Variable[],
  actual: readonly Operand[],
  way: 'given' | 'results',
  around: CallScopes,
): readonly FlatLine[] {
  checkCount(formal, actual, way, around);
  return formal.flatMap((one, position) => bind(one, actual[position]!, way, around));
}

function bind(
  one: Variable,
  actual: Operand,
  way: 'given' | 'results',
  around: CallScopes,
): readonly FlatLine[] {
  const { names, inner, outer, call, frame } = around;
  const { at } = call;
  const line = (form: readonly string[], operands: readonly ResolvedOperand[]): FlatLine => ({
    form: formOf(form),
    operands,
    guard: null,
    targets: [],
    at,
  });
  const known = actual.kind === 'name' ? outer.find(actual.name) : undefined;
  if (one.space === 'param' && known?.kind === 'variable' && known.space === 'frame') {
    inner.declare(one.name, known);
    return [];
  }
  checkValue(one, actual, way, around);
  const outside = names.operand(actual, outer, at);
  if (one.space === 'reg') {
    inner.declareRegister(one.name, -1, one.type);
    const inside = names.operand({ kind: 'name', name: one.name }, inner, at);
    return [line(['mov', one.type], way === 'given' ? [inside, outside] : [outside, inside])];
  }
  const place = frame(one);
  inner.declare(one.name, place);
  const memory: ResolvedOperand = {
    kind: 'memory',
    base: null,
    space: 'frame',
    offset: place.kind === 'variable' ? place.address : 0,
    framed: place.kind === 'variable' && place.framed === true,
  };
  return [
    way === 'given'
      ? line(['st', 'param', one.type], [memory, outside])
      : line(['ld', 'param', one.type], [outside, memory]),
  ];
}

/**
 * Where the parameters of a call with a stack lie in the frame of the caller, and the lines that put single values there, before the call or behind it.
 * Errors: E-PTX.
 */
export function placeActual(
  formal: readonly Variable[],
  actual: readonly Operand[],
  way: 'given' | 'results',
  around: Omit<CallScopes, 'inner'>,
): { readonly places: readonly FramePlace[]; readonly lines: readonly FlatLine[] } {
  const { names, outer, call, frame } = around;
  const { at } = call;
  checkCount(formal, actual, way, around);
  const lines: FlatLine[] = [];
  const places = formal.map((one, position): FramePlace => {
    const value = actual[position]!;
    const bytes = bytesOfVariable(one);
    const known = value.kind === 'name' ? outer.find(value.name) : undefined;
    if (known?.kind === 'variable' && known.space === 'frame') return { offset: known.address, bytes };
    checkValue(one, value, way, around);
    const outside = names.operand(value, outer, at);
    const place = frame(one);
    const offset = place.kind === 'variable' ? place.address : 0;
    const framed = place.kind === 'variable' && place.framed === true;
    const memory: ResolvedOperand = { kind: 'memory', base: null, space: 'frame', offset, framed };
    const given = way === 'given';
    lines.push({
      form: formOf([given ? 'st' : 'ld', 'param', one.type]),
      operands: given ? [memory, outside] : [outside, memory],
      guard: null,
      targets: [],
      at,
    });
    return { offset, bytes };
  });
  return { places, lines };
}

function checkCount(
  formal: readonly Variable[],
  actual: readonly Operand[],
  way: 'given' | 'results',
  { source, call }: Pick<CallScopes, 'source' | 'call'>,
): void {
  if (formal.length === actual.length) return;
  throw source.error(
    call.at,
    `found ${actual.length} ${way === 'given' ? 'parameters' : 'results'} of ${call.words.join('.')}, expected ${formal.length}`,
    'hand over as many as the function declares',
  );
}

/** One value can be handed over as it is; what is larger lies in a variable. */
function checkValue(
  one: Variable,
  actual: Operand,
  way: 'given' | 'results',
  { source, outer, call: { at } }: Pick<CallScopes, 'source' | 'outer' | 'call'>,
): void {
  const known = actual.kind === 'name' ? outer.find(actual.name) : undefined;
  const isScalar = one.length === -1 && one.vector === 1;
  const isValue = ['name', 'whole', 'real'].includes(actual.kind) && known?.kind !== 'variable';
  if (!isScalar || !isValue || (way === 'results' && known?.kind !== 'register'))
    throw source.error(
      at,
      `found ${actual.kind === 'name' ? `"${actual.name}"` : 'another operand'} for ${one.name}, expected a variable of .param, or a register for one value`,
      'declare a .param variable before the call and fill it with st.param',
    );
}
