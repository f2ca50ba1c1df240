import type { Machine } from '../../machines/machine.ts';
import type { GeneratedSubject, Generation } from '../../properties/explore/subject.ts';
import { generatedSubject, generationOf } from '../../properties/generated-subject.ts';
import type { MachineProperties } from '../../properties/properties.ts';
import type { Manifest } from '../define-machine.ts';
import { machineNamed, machines } from '../machines.ts';

/** One of the machines that come with Lockstep. Errors: throws for a name that none has. */
export function manifestNamed(name: string): Manifest {
  const found = machineNamed(name);
  if (!found) throw new Error(`found no machine "${name}"`);
  return found;
}

export const loadedMachine = (name: string): Promise<Machine> => manifestNamed(name).load();

export const propertiesNamed = (name: string): Promise<MachineProperties | undefined> =>
  manifestNamed(name).properties();

/** What generates scenarios of a machine. Errors: throws for one that has no generator. */
export async function generationNamed(
  name: string,
): Promise<Pick<Generation, 'machine' | 'properties' | 'arbitrary'>> {
  const generation = await generationOf(manifestNamed(name));
  if (!generation) throw new Error(`found no generator of "${name}"`);
  return generation;
}

export const subjectNamed = (
  name: string,
  seed: number,
  mutants: readonly string[] = [],
): Promise<GeneratedSubject> => generatedSubject(manifestNamed(name), seed, mutants);

/** The names of the machines that have a generator. */
export async function generatedNames(): Promise<readonly string[]> {
  const found = await Promise.all(machines.map(async (one) => ((await one.generator()) ? [one.name] : [])));
  return found.flat();
}

/** The protocols of the literature. */
export const protocols: readonly Manifest[] = machines.filter(({ kind }) => kind === 'protocol');
