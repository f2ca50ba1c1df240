import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** The files below a folder or the file of that name, relative to the project, with slashes, in the order of their names; none when it is not there. */
export function filesOf(place: string): readonly string[] {
  if (place.endsWith('.ts')) return existsSync(join(projectFolder, place)) ? [place] : [];
  const folder = join(projectFolder, place);
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
