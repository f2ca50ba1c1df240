import { pathToFileURL } from 'node:url';
import { loadsUserModules } from './user-modules.ts';

/** Loads the module of a file. */
export type ImportModule = (path: string) => Promise<Record<string, unknown>>;

const host: { load: ImportModule } = {
  load: async (path) => {
    await loadsUserModules(path);
    return import(/* @vite-ignore */ pathToFileURL(path).href) as Promise<Record<string, unknown>>;
  },
};

/** The exports of a module of a user. */
export const importModule: ImportModule = (path) => host.load(path);

/** Says where modules come from in a host without files, as a page is. */
export function modulesComeFrom(load: ImportModule): void {
  host.load = load;
}
