import type { LoadedScenario, ReadScenario } from '../scenarios/load.ts';
import type { Recording } from '../scenarios/recording.ts';
import { propertiesOf } from './judged-machine.ts';
import type { MachineProperties } from './properties.ts';

/** A scenario, its machine, and the properties that judge its runs. */
export interface JudgedScenario extends LoadedScenario {
  /** Undefined for a machine that has none. */
  readonly properties: MachineProperties | undefined;
  /** What one of them says that it refines, as a recording has it. */
  readonly refines?: Recording['refines'];
}

/** Adds the properties of its machine to a scenario. */
export const judgedScenario = async ({
  scenario,
  machine,
  known,
}: ReadScenario): Promise<JudgedScenario> => ({
  scenario,
  machine,
  properties: await propertiesOf(known),
});
