import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder in the order of their names, hidden ones and `node_modules` left out; paths begin with the folder as it is given. */
export function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    });
}

// By code units: the same order on every computer, whatever its language.
const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);
