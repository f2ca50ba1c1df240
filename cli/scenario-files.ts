import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseDocument } from 'yaml';
import { filesBelow } from './files-below.ts';
import { projectOf } from './known-machines.ts';
import { projectFile } from './project.ts';

/** A scenario as a list shows it. */
export interface ListedScenario {
  /** Relative to the folder we are in. */
  readonly file: string;
  readonly name: string;
  readonly machine: string;
  /** First line of `about`, empty when there is none. */
  readonly about: string;
}

/** The scenarios that come with Lockstep and those of the project we are in, in the order of their files, without those that are broken on purpose; they are read, not checked. */
export async function listedScenarios(): Promise<readonly ListedScenario[]> {
  const { folder: home, scenarios } = await projectOf();
  const folder = projectFile('scenarios');
  const own = scenarios.map((one) => join(home ?? '', one)).filter((one) => existsSync(one));
  return [folder, ...own]
    .flatMap((one) => (statSync(one).isDirectory() ? filesBelow(one) : [one]))
    .filter((file) => /\.ya?ml$/.test(file) && !file.startsWith(join(folder, 'broken')))
    .flatMap((file) => {
      const data: unknown = parseDocument(readFileSync(file, 'utf8')).toJS();
      // Other files of ours are YAML as well: those of steps, of coordinators.
      if (typeof data !== 'object' || data === null || !('machine' in data)) return [];
      const text = (key: string) => String((data as Record<string, unknown>)[key] ?? '');
      return [
        {
          file: relative('', file),
          name: text('name'),
          machine: text('machine'),
          about: text('about').trim().split('\n')[0] ?? '',
        },
      ];
    });
}
