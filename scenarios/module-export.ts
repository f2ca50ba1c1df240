import { existsSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeFound } from './found.ts';
import { importModule } from './import-module.ts';
import { didYouMean } from './nearest.ts';
import { limitSteps } from './step-limit.ts';
import { placeOf } from './thrown-at.ts';

/** Why there is no such export: what was found, and how to mend it. */
export class MissingExport extends Error {
  override readonly name = 'MissingExport';
  constructor(
    readonly code: 'SCN021' | 'SCN022' | 'SCN023' | 'SCN024',
    readonly what: string,
    readonly help?: string,
  ) {
    super(what);
  }
}

/** True for what `moduleExport` takes: `file.ts#export`. */
export const isReference = (word: string): boolean => /^[^#]+\.[cm]?[jt]sx?#[^#]+$/.test(word);

/** What `file.ts#export` names, the file relative to the folder that we are in. Errors: `MissingExport`. */
export const exportHere = (reference: string): Promise<unknown> => exportOf(reference, process.cwd(), 'here');

/** What `file.ts#export` names, the file relative to the folder of `beside`. Errors: `MissingExport`. */
export const moduleExport = (reference: string, beside: string): Promise<unknown> =>
  exportOf(reference, dirname(beside), `beside ${beside}`);

async function exportOf(reference: string, folder: string, where: string): Promise<unknown> {
  const parts = /^([^#]+)#([^#]+)$/.exec(reference);
  if (!parts) throw new MissingExport('SCN021', `found ${describeFound(reference)}, expected file.ts#export`);
  const [, file, name] = parts as unknown as [string, string, string];
  const path = resolve(folder, file);
  if (!existsSync(path))
    throw new MissingExport(
      'SCN022',
      `found no module "${file}" ${where}`,
      neighbours(path, file, (name) => /\.[cm]?[jt]s$/.test(name), 'modules'),
    );
  const module = await loadModule(path, file);
  if (!Object.hasOwn(module, name))
    throw new MissingExport(
      'SCN023',
      `found no export "${name}" in "${file}"`,
      didYouMean(name, Object.keys(module), 'exports'),
    );
  return module[name];
}

/** All that a module of a user exports; `file` is its name in errors. Errors: `MissingExport` when it does not load. */
export async function loadModule(path: string, file: string): Promise<Record<string, unknown>> {
  limitSteps();
  const { stackTraceLimit } = Error;
  // What a library says about a call of the module is told with the place of the call, however deep in the library it is said.
  Error.stackTraceLimit = 100;
  try {
    return await importModule(path);
  } catch (error) {
    const thrown = placeOf(error);
    // Of an error of Lockstep the cure is told here.
    const why =
      error instanceof RangeError && error.message.startsWith('Maximum call stack')
        ? 'its code is nested too deeply, or calls itself without an end'
        : error instanceof Error
          ? error.message.replace(/\n {2}help: .*$/s, '')
          : String(error);
    const missing = /Cannot find package '([^']+)'/.exec(why)?.[1];
    throw new MissingExport(
      'SCN024',
      `"${file}" does not load: ${why}${thrown === undefined ? '' : `, at ${thrown}`}`,
      ...(missing === undefined ? [] : [`install it: npm install ${missing}`]),
    );
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The nearest names in the folder of a file that is not there, undefined where it has none. */
export function neighbours(
  path: string,
  file: string,
  hasEnding: (name: string) => boolean,
  what: string,
): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter(hasEnding);
  if (names.length === 0) return undefined;
  return didYouMean(file.split('/').at(-1)!, names.sort(), `${what} there`);
}
