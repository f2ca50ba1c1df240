import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { loadModule, MissingExport } from '../../scenarios/module-export.ts';
import { UsageError } from '../usage-error.ts';

/** Says of a state whether an exploration goes that far. */
export type Constraint = (state: GlobalState) => boolean;

/** The function that `file.ts#export` names. Errors: `UsageError` when there is none. */
export async function loadConstraint(reference: string): Promise<Constraint> {
  const [file = '', name = '', ...more] = reference.split('#');
  const help =
    'write for example --constraint small.ts#few, where small.ts exports function few(state) { return state.messages.length < 4; }';
  if (file === '' || name === '' || more.length > 0)
    throw new UsageError(`--constraint: found "${reference}", expected file.ts#export`, help);
  if (!existsSync(file)) throw new UsageError(`--constraint: found no file ${file}`, help);
  let module: Record<string, unknown>;
  try {
    module = await loadModule(resolve(file), file);
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    throw new UsageError(`--constraint: ${error.what}`, help);
  }
  const found = module[name];
  if (typeof found !== 'function')
    throw new UsageError(
      `--constraint: found in ${file} ${Object.keys(module).join(', ') || 'no exports'}, expected a function "${name}"`,
      help,
    );
  return found as Constraint;
}

/** The wiring with the constraint as a part of its boundary. */
export function constrained(wiring: Wiring, constraint: Constraint | undefined): Wiring {
  if (!constraint) return wiring;
  const { boundary } = wiring;
  wiring.boundary = (state) => (boundary?.(state) ?? true) && constraint(state);
  return wiring;
}
