import { fileURLToPath } from 'node:url';
import { isFresh } from '../build/stamp.mjs';

/** True in the built package, false where the sources run as they are. */
export const isBuilt = !import.meta.url.endsWith('.ts');

/** The folder of Lockstep, whatever folder the command is called from; with a slash at its end. */
export const projectFolder = fileURLToPath(new URL('../', import.meta.url));

/** A file or folder that comes with Lockstep, by its path in the sources: the build copies it. */
export const projectFile = (path: string): string => `${projectFolder}${isBuilt ? 'dist/' : ''}${path}`;

/**
 * A module that a thread runs, by its path in the sources without the ending: the build makes it a file beside the others.
 *
 * Details: a thread of a clone begins from the build where that is what the sources would give, which takes a tenth of the time.
 */
export function threadModule(path: string): URL {
  const built = `${path.replaceAll('/', '-')}.js`;
  if (isBuilt) return new URL(`./${built}`, import.meta.url);
  return new URL(isFresh() ? `../dist/${built}` : `../${path}.ts`, import.meta.url);
}
