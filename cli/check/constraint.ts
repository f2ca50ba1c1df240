import type { GlobalState } from '../../kernel/global-state.ts';
import { isWithin, type Wiring } from '../../kernel/wiring.ts';
import { describeFound } from '../../scenarios/found.ts';
import { loadExport } from '../load-export.ts';
import { UsageError } from '../usage-error.ts';

/** Says of a state whether an exploration goes that far. */
export type Constraint = (state: GlobalState) => boolean;

/** The function that `file.ts#export` names. Errors: `UsageError` when there is none. */
export async function loadConstraint(reference: string): Promise<Constraint> {
  const help =
    'write for example --constraint small.ts#few, where small.ts exports function few(state) { return state.messages.length < 4; }';
  const found = await loadExport('--constraint', reference, help);
  if (typeof found !== 'function')
    throw new UsageError(
      `--constraint: found ${describeFound(found)} as ${reference}, expected a function`,
      help,
    );
  return found as Constraint;
}

/** The wiring with the constraint as a part of its boundary. */
export function constrained(wiring: Wiring, constraint: Constraint | undefined): Wiring {
  if (!constraint) return wiring;
  const { boundary } = wiring;
  wiring.boundary = (state) =>
    (!boundary || isWithin('boundary', boundary, state)) && isWithin('--constraint', constraint, state);
  return wiring;
}
