import type { AnyStateMachine } from 'xstate';
import { exportHere, isReference, MissingExport } from '../scenarios/module-export.ts';
import { didYouMean } from '../scenarios/nearest.ts';
import { type ActorModules, actorModules } from './actor-modules.ts';
import { UsageError } from './usage-error.ts';

/** The state machine of an actor and its name: the path of its file below `actors/`, without the ending. */
export interface NamedActor {
  readonly name: string;
  readonly machine: AnyStateMachine;
}

/** All actors of Lockstep, found by what the files below `actors/` export, in the order of their files. */
export async function allActors(): Promise<readonly NamedActor[]> {
  const found: NamedActor[] = [];
  const modules = await actorModules();
  for (const name of modules.keys()) found.push(...(await actorsIn(name, modules)));
  return found;
}

/** The actor of a name such as `cell/dma-module`, or the state machine that `file.ts#export` names. Errors: `UsageError` with the nearest names. */
export async function actorNamed(asked: string): Promise<NamedActor> {
  if (isReference(asked)) return actorAt(asked);
  const file = asked.split('#')[0] ?? '';
  const modules = await actorModules();
  if (modules.has(file)) {
    const actor = (await actorsIn(file, modules)).find(({ name }) => name === asked);
    if (actor) return actor;
  }
  const names = (await allActors()).map(({ name }) => name);
  const short = names.filter((name) => name.endsWith(`/${asked}`));
  const help =
    short.length > 0 ? `did you mean "${short.join('" or "')}"?` : didYouMean(asked, names, 'actors');
  throw new UsageError(`unknown actor "${asked}"`, help);
}

/** The state machines that a file exports; a file with several has `file#export`. */
async function actorsIn(name: string, modules: ActorModules): Promise<readonly NamedActor[]> {
  const module = await modules.get(name)!();
  const machines = Object.entries(module).filter((entry): entry is [string, AnyStateMachine] =>
    isStateMachine(entry[1]),
  );
  return machines.map(([key, machine]) => ({
    name: machines.length === 1 ? name : `${name}#${key}`,
    machine,
  }));
}

/** A state machine that a module of a user exports. */
async function actorAt(reference: string): Promise<NamedActor> {
  try {
    const machine = await exportHere(reference);
    if (isStateMachine(machine)) return { name: reference, machine };
  } catch (error) {
    if (!(error instanceof MissingExport)) throw error;
    throw new UsageError(error.what, error.help ?? 'name a state machine as file.ts#export');
  }
  throw new UsageError(
    `found no state machine as "${reference}"`,
    'export what setup(…).createMachine(…) gives',
  );
}

export const isStateMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'root' in value && 'getInitialSnapshot' in value;
