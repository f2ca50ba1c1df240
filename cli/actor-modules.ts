import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from './files-below.ts';
import { projectFile } from './project.ts';

/** The modules of actors by their paths below `actors/`, without the ending, each loaded when it is asked for. */
export type ActorModules = ReadonlyMap<string, () => Promise<Record<string, unknown>>>;

/** The modules below `actors/`. The build replaces this file by one that lists them. */
export async function actorModules(): Promise<ActorModules> {
  const folder = projectFile('actors');
  const files = filesBelow(folder).filter((file) => isActorFile(file));
  return new Map(
    files.map((file) => [
      relative(folder, file).split(sep).join('/').replace(/\.ts$/, ''),
      () => import(pathToFileURL(file).href),
    ]),
  );
}

/** True for a file that may hold actors. */
const isActorFile = (file: string): boolean => file.endsWith('.ts') && !/\.(test|arbitrary)\.ts$/.test(file);
