import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * Whether the built package is that of the sources beside it. Plain JavaScript: the command asks before it knows what to run.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
export const stampFile = `${root}dist/.stamp`;

/** Folders and files that go into the package. */
const built = [
  'kernel',
  'actors',
  'machines',
  'scenarios',
  'properties',
  'manifests',
  'entries',
  'farm',
  'cli',
  'build',
  'templates',
  'testing',
  'viewer',
];
const files = ['index.ts', 'package.json', 'tsconfig.json', 'tsconfig.declarations.json'];

/** Names, sizes and times of all sources: changes when one of them does. */
export function sourceStamp() {
  const sources = built.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true })
      .filter((file) => /\.(tsx?|css|mjs|ya?ml|vsm|ptx|json)$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  );
  return [...sources, ...files]
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(root + file);
      return `${file} ${size} ${mtimeMs}\n`;
    })
    .join('');
}

/** True in a package without sources, and where what is built is what the sources would give. */
export function isFresh() {
  // A mutation campaign changes modules of the sources while they are loaded.
  if (process.env.LOCKSTEP_MUTANT) return false;
  if (!existsSync(`${root}kernel`)) return true;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceStamp();
}
