import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseDocument } from 'yaml';
import { filesBelow } from './files-below.ts';
import { projectFolder } from './project.ts';

/** A scenario as a list shows it. */
export interface ListedScenario {
  /** Relative to the folder we are in. */
  readonly file: string;
  readonly name: string;
  readonly machine: string;
  /** First line of `about`, empty when there is none. */
  readonly about: string;
}

/** The scenarios that come with the project, in the order of their files, without those that are broken on purpose; they are read, not checked. */
export function listedScenarios(): readonly ListedScenario[] {
  const folder = join(projectFolder, 'scenarios');
  return filesBelow(folder)
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
