import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyStateMachine } from 'xstate';
import { didYouMean } from '../scenarios/nearest.ts';
import { filesBelow } from './files-below.ts';
import { projectFolder } from './project.ts';
import { UsageError } from './usage-error.ts';

/** The state machine of an actor and its name: the path of its file below `actors/`, without the ending. */
export interface NamedActor {
  readonly name: string;
  readonly machine: AnyStateMachine;
}

const folder = join(projectFolder, 'actors');

/** All actors, found by what the files below `actors/` export, in the order of their files. */
export async function allActors(): Promise<readonly NamedActor[]> {
  const found: NamedActor[] = [];
  for (const name of fileNames()) found.push(...(await actorsIn(name)));
  return found;
}

/** The actor of a name such as `cell/dma-module`. Errors: `UsageError` with the nearest names. */
export async function actorNamed(asked: string): Promise<NamedActor> {
  const file = asked.split('#')[0] ?? '';
  if (fileNames().includes(file) && existsSync(join(folder, `${file}.ts`))) {
    const actor = (await actorsIn(file)).find(({ name }) => name === asked);
    if (actor) return actor;
  }
  const names = (await allActors()).map(({ name }) => name);
  const short = names.filter((name) => name.endsWith(`/${asked}`));
  const help =
    short.length > 0 ? `did you mean "${short.join('" or "')}"?` : didYouMean(asked, names, 'actors');
  throw new UsageError(`unknown actor "${asked}"`, help);
}

const fileNames = (): readonly string[] =>
  filesBelow(folder)
    .filter((file) => file.endsWith('.ts') && !/\.(test|arbitrary)\.ts$/.test(file))
    .map((file) => relative(folder, file).split(sep).join('/').replace(/\.ts$/, ''));

/** The state machines that a file exports; a file with several has `file#export`. */
async function actorsIn(name: string): Promise<readonly NamedActor[]> {
  const module: Record<string, unknown> = await import(pathToFileURL(join(folder, `${name}.ts`)).href);
  const machines = Object.entries(module).filter((entry): entry is [string, AnyStateMachine] =>
    isMachine(entry[1]),
  );
  return machines.map(([key, machine]) => ({
    name: machines.length === 1 ? name : `${name}#${key}`,
    machine,
  }));
}

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'root' in value && 'getInitialSnapshot' in value;
