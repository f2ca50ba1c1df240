import { OutputError, outputError } from '../../scenarios/output-error.ts';
import { makeFolders } from '../../scenarios/output-file.ts';
import { UsageError } from '../usage-error.ts';

/** Makes the folder that an option names, before the work whose files go there. Errors: `UsageError`, with the reason. */
export function makeFolder(folder: string, option: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const refused = outputError(folder, error);
    if (!(refused instanceof OutputError)) throw error;
    throw new UsageError(
      `E-FILE ${option} ${folder}: found a place where no folder can be made: ${refused.why}`,
      'give a folder that is there, or one that can be made',
    );
  }
}
