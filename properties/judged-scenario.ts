import type { LoadedScenario } from '../scenarios/load.ts';
import { type MachineProperties, propertiesOf } from './properties.ts';

/** A scenario, its machine, and the properties that judge its runs. */
export interface JudgedScenario extends LoadedScenario {
  /** Undefined for a machine that has none. */
  readonly properties: MachineProperties | undefined;
}

/** Adds the properties of its machine to a scenario. */
export const judgedScenario = async (loaded: LoadedScenario): Promise<JudgedScenario> => ({
  ...loaded,
  properties: await propertiesOf(loaded.machine.name),
});
