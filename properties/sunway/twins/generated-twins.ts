import { RandomChoices } from '../../../kernel/choices.ts';
import type { RunOptions } from '../../../kernel/run.ts';
import type { SunwayConfig, SunwayPrograms } from '../../../machines/sunway/config.ts';
import { sunwayConfig } from '../../../machines/sunway/config.ts';
import { sunwayMachine } from '../../../machines/sunway.ts';
import { GeneratedSubject } from '../../explore/subject.ts';
import { sunwayMachineProperties } from '../machine-properties.ts';
import { sunwayScenarios } from '../scenarios.ts';
import { compareTwins, type PartChange, type Twins } from './twins.ts';

/** The levels of detail at which parts have twins. */
export const twinLevels = ['tlm', 'flit', 'tlm', 'functional'] as const;

/**
 * Compares the twins on generated scenario number `index` of a seed; two at each level in turns, one in the default order and one in a random one.
 *
 * Details: the scenario depends on seed and number alone. `mutants` are planted in the explicit parts.
 */
export function compareGenerated(
  seed: number,
  index: number,
  mutants: readonly string[] = [],
  fastParts?: PartChange,
): Twins {
  const subject = new GeneratedSubject({
    machine: sunwayMachine,
    properties: sunwayMachineProperties,
    arbitrary: sunwayScenarios,
    seed,
    mutants: [],
  });
  const { name, config, programs } = subject.scenario(index);
  const fidelity = twinLevels[Math.floor(index / 2) % twinLevels.length];
  const given = {
    name,
    config: sunwayConfig.parse({ ...(config as SunwayConfig), fidelity }),
    programs: programs as SunwayPrograms,
    mutants,
    scheduled: false,
  };
  const options = (): RunOptions => (index % 2 === 0 ? {} : { choices: new RandomChoices(index) });
  // Monitors in one of eleven, at each level and in both orders.
  return compareTwins(given, options, index % 11 === 0, fastParts);
}
