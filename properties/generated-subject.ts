import { GeneratedSubject, type Generation } from './explore/subject.ts';
import type { JudgedMachine } from './judged-machine.ts';

/** What belongs to a machine that can be fuzzed by its name: itself, what judges its runs and what generates its scenarios; undefined when nothing does. */
export async function generationOf(
  known: JudgedMachine,
): Promise<Pick<Generation, 'machine' | 'properties' | 'arbitrary'> | undefined> {
  const arbitrary = await known.generator();
  return arbitrary && { machine: await known.load(), properties: await known.properties(), arbitrary };
}

/** Generated scenarios of a machine. Errors: throws for one that has none. */
export async function generatedSubject(
  known: JudgedMachine,
  seed: number,
  mutants: readonly string[] = [],
): Promise<GeneratedSubject> {
  const generation = await generationOf(known);
  if (!generation) throw new Error(`found no generated scenarios of the machine "${known.name}"`);
  return new GeneratedSubject({ ...generation, seed, mutants });
}
