import { exportHere, MissingExport } from '../scenarios/module-export.ts';
import { UsageError } from './usage-error.ts';

/** What `file.ts#export` names, given for an option; `help` shows how to write one. Errors: `UsageError` when there is none. */
export async function loadExport(option: string, reference: string, help: string): Promise<unknown> {
  try {
    return await exportHere(reference);
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    throw new UsageError(`${option}: ${error.what}`, error.help ?? help);
  }
}
