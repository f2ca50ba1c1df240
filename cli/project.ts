import { fileURLToPath } from 'node:url';

/** The folder of this project, whatever folder the command is called from; with a slash at its end. */
export const projectFolder = fileURLToPath(new URL('../', import.meta.url));
