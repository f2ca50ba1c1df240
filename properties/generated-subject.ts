import { machineOf } from '../machines/machines.ts';
import { generatedScenarios } from './arbitraries.ts';
import { GeneratedSubject, type Generation } from './explore/subject.ts';
import { propertiesOf } from './properties.ts';

/** What belongs to a machine that can be fuzzed by its name: itself, what judges its runs and what generates its scenarios. */
export async function generationOf(
  name: string,
): Promise<Pick<Generation, 'machine' | 'properties' | 'arbitrary'>> {
  const [machine, arbitrary] = await Promise.all([machineOf(name), generatedScenarios.get(name)?.()]);
  if (!machine || !arbitrary) throw new Error(`found no generated scenarios for the machine "${name}"`);
  return { machine, properties: await propertiesOf(name), arbitrary };
}

/** Generated scenarios of the machine of a name. */
export const generatedSubject = async (
  name: string,
  seed: number,
  mutants: readonly string[] = [],
): Promise<GeneratedSubject> => new GeneratedSubject({ ...(await generationOf(name)), seed, mutants });
