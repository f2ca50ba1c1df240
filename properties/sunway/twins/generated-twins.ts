import { RandomChoices } from '../../../kernel/choices.ts';
import type { SunwayConfig, SunwayPrograms } from '../../../machines/sunway/config.ts';
import { sunwayConfig } from '../../../machines/sunway/config.ts';
import { sunwayMachine } from '../../../machines/sunway.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { sunwayMachineProperties } from '../machine-properties.ts';
import { sunwayScenarios } from '../scenarios.ts';
import { compareTwins, type Twins } from './twins.ts';

/** The levels of detail at which parts have twins. */
export const twinLevels = ['tlm', 'functional'] as const;

/**
 * Compares the twins on generated scenario number `index` of a seed; scenarios in turns at each level, in the default order and in a random one.
 *
 * Details: the scenario depends on seed and number alone. `mutants` are planted in the explicit parts.
 */
export function compareGenerated(seed: number, index: number, mutants: readonly string[] = []): Twins {
  const subject = new GeneratedSubject({
    machine: sunwayMachine,
    properties: sunwayMachineProperties,
    arbitrary: sunwayScenarios,
    seed,
    mutants: [],
  });
  const { name, config, programs } = subject.scenario(index);
  const fidelity = twinLevels[index % 4 === 3 ? 1 : 0];
  const given = {
    name,
    config: sunwayConfig.parse({ ...(config as SunwayConfig), fidelity }),
    programs: programs as SunwayPrograms,
    mutants,
    scheduled: false,
  };
  return compareTwins(given, () => (index % 2 === 0 ? {} : { choices: new RandomChoices(index) }));
}
