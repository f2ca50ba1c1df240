import { fileURLToPath } from 'node:url';

/** True in the built package, false where the sources run as they are. */
export const isBuilt = !import.meta.url.endsWith('.ts');

/** The folder of Lockstep, whatever folder the command is called from; with a slash at its end. */
export const projectFolder = fileURLToPath(new URL('../', import.meta.url));

/** A file or folder that comes with Lockstep, by its path in the sources: the build copies it. */
export const projectFile = (path: string): string => `${projectFolder}${isBuilt ? 'dist/' : ''}${path}`;

/** A module that a thread runs, by its path in the sources without the ending: the build makes it a file beside the others. */
export const threadModule = (path: string): URL =>
  isBuilt
    ? new URL(`./${path.replaceAll('/', '-')}.js`, import.meta.url)
    : new URL(`../${path}.ts`, import.meta.url);
