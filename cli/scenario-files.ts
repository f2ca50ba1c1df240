import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inputText } from '../scenarios/input-file.ts';
import { LocatedDocument } from '../scenarios/located-document.ts';
import { filesBelow } from './files-below.ts';
import { projectOf } from './known-machines.ts';

/** A scenario as a list shows it. */
export interface ListedScenario {
  /** Relative to the folder that the list is made for. */
  readonly file: string;
  readonly name: string;
  readonly machine: string;
  /** First line of `about`, empty when there is none. */
  readonly about: string;
}

/** The scenarios of the project that we are in, by their paths from here. */
export async function ownScenarios(): Promise<readonly ListedScenario[]> {
  const { folder = '', scenarios } = await projectOf();
  return scenarios
    .map((one) => join(folder, one))
    .filter((one) => existsSync(one))
    .flatMap((one) => scenariosAt(one, ''));
}

/** The scenarios in a file or below a folder, in the order of their files, without those below `broken`, which are wrong on purpose; they are read, not checked. */
export function scenariosAt(path: string, from: string): readonly ListedScenario[] {
  const files = statSync(path).isDirectory() ? filesBelow(path) : [path];
  return files
    .filter((file) => /\.ya?ml$/.test(file) && !file.startsWith(join(path, 'broken/')))
    .flatMap((file) => {
      const header = headerOf(file);
      return header ? [{ file: relative(from, file), ...header }] : [];
    });
}

/** What a scenario calls itself; undefined for other files in YAML, as there are of steps and of coordinators, and for what nobody can read. */
function headerOf(file: string): Omit<ListedScenario, 'file'> | undefined {
  const { data, errors } = new LocatedDocument(inputText(file), file);
  if (errors.length > 0 || typeof data !== 'object' || data === null) return undefined;
  const { name, machine, about } = data as Record<string, unknown>;
  if (typeof name !== 'string' || typeof machine !== 'string') return undefined;
  const [first = ''] = typeof about === 'string' ? about.trim().split('\n') : [];
  return { name, machine, about: first };
}
