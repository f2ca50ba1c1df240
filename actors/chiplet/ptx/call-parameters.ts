import { formOf } from './instruction-set.ts';
import type { OperandNames } from './operand-names.ts';
import type { PtxSource } from './ptx-error.ts';
import type { FlatLine, ResolvedOperand } from './resolved.ts';
import type { Meaning, Scope } from './scope.ts';
import type { InstructionLine, Operand, Variable } from './syntax.ts';

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
  const { source, call } = around;
  if (formal.length !== actual.length)
    throw source.error(
      call.at,
      `found ${actual.length} ${way === 'given' ? 'parameters' : 'results'} of ${call.words.join('.')}, expected ${formal.length}`,
      'hand over as many as the function declares',
    );
  return formal.flatMap((one, position) => bind(one, actual[position]!, way, around));
}

function bind(
  one: Variable,
  actual: Operand,
  way: 'given' | 'results',
  { source, names, inner, outer, call, frame }: CallScopes,
): readonly FlatLine[] {
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
  const isScalar = one.length === -1 && one.vector === 1;
  const isValue = ['name', 'whole', 'real'].includes(actual.kind) && known?.kind !== 'variable';
  if (!isScalar || !isValue || (way === 'results' && known?.kind !== 'register'))
    throw source.error(
      at,
      `found ${actual.kind === 'name' ? `"${actual.name}"` : 'another operand'} for ${one.name}, expected a variable of .param, or a register for one value`,
      'declare a .param variable before the call and fill it with st.param',
    );
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
  };
  return [
    way === 'given'
      ? line(['st', 'param', one.type], [memory, outside])
      : line(['ld', 'param', one.type], [outside, memory]),
  ];
}
