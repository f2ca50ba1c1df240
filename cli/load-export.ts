import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** What `file.ts#export` names, given for an option; `help` shows how to write one. Errors: `UsageError` when there is none. */
export async function loadExport(option: string, reference: string, help: string): Promise<unknown> {
  const [file = '', name = '', ...more] = reference.split('#');
  if (file === '' || name === '' || more.length > 0)
    throw new UsageError(`${option}: found "${reference}", expected file.ts#export`, help);
  if (!existsSync(file)) throw new UsageError(`${option}: found no file ${file}`, help);
  let module: Record<string, unknown>;
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}: ${file} cannot be loaded: ${what}`, help);
  }
  if (Object.hasOwn(module, name)) return module[name];
  const names = Object.keys(module);
  throw new UsageError(
    `${option}: found in ${file} ${names.join(', ') || 'no exports'}, expected "${name}"`,
    names.length === 0 ? help : didYouMean(name, names, 'exports'),
  );
}
