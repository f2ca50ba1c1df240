import { nameOf } from './operand-names.ts';
import type { InstructionLine, Operand, Routine, Statement, Variable } from './syntax.ts';

/*
 * Which function calls which: what cannot stand in the place of its calls needs a stack.
 */

/** Lines and variables of a body, and of the bodies in it. */
export function* statementsOf(body: readonly Statement[]): Generator<Exclude<Statement, { kind: 'block' }>> {
  for (const one of body)
    if (one.kind === 'block') yield* statementsOf(one.body);
    else yield one;
}

/** The operand of a call that says what is called. */
export const calleeOf = ({ operands }: InstructionLine): string =>
  nameOf(operands.find(({ kind }) => kind !== 'list') ?? { kind: 'list', parts: [] });

const isCall = (one: Statement): boolean => one.kind === 'instruction' && one.words[0] === 'call';

/** The functions that a text calls by address: their names stand in values, or in operands. */
export function addressesTaken(
  routines: ReadonlyMap<string, Routine>,
  variables: readonly Variable[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (name: string): void => {
    const routine = routines.get(name);
    if (routine !== undefined && !routine.entry) found.add(name);
  };
  for (const { values } of variables) for (const one of values ?? []) if (one.kind === 'name') look(one.name);
  for (const { body } of routines.values())
    for (const one of statementsOf(body ?? []))
      if (one.kind === 'instruction' && !isCall(one))
        for (const operand of one.operands) look(nameOf(operand));
  return found;
}

/** The routines that a routine can come to, itself among them only when it can come back. */
export function reachableFrom(
  routine: Routine,
  routines: ReadonlyMap<string, Routine>,
  taken: ReadonlySet<string>,
): ReadonlySet<Routine> {
  const seen = new Set<Routine>();
  const work = [routine];
  for (let from = work.pop(); from !== undefined; from = work.pop())
    for (const one of statementsOf(from.body ?? [])) {
      if (one.kind !== 'instruction' || !isCall(one)) continue;
      const called = calleeOf(one);
      for (const name of routines.has(called) ? [called] : taken) {
        const to = routines.get(name)!;
        if (seen.has(to)) continue;
        seen.add(to);
        work.push(to);
      }
    }
  return seen;
}

/** Names of operands, for a list of parameters; empty for others. */
export const listOf = (operand: Operand | undefined): readonly Operand[] =>
  operand?.kind === 'list' ? operand.parts : [];
