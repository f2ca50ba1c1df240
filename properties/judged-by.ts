import { propertyFault } from '../kernel/explore/property-fault.ts';
import type { Given, Machine } from '../machines/machine.ts';
import { briefly, MachineError, ofMachine } from '../machines/machine-error.ts';
import type { MachineProperties } from './properties.ts';
import { type Property, watch } from './property.ts';

/** What must hold in the runs of a machine: the same for all, or by what it is given. */
export type GivenProperties<Config = unknown, Programs = unknown> =
  | readonly Property[]
  | ((given: Given<Config, Programs>) => readonly Property[]);

/** Properties as commands need them. */
export function judgedBy({ config, name }: Machine, properties: GivenProperties): MachineProperties {
  const of =
    typeof properties === 'function'
      ? (given: Given) =>
          checked(
            name,
            ofMachine(name, 'properties', () => properties(given)),
          )
      : () => properties;
  const sentencesOf = (given: Given) => of(given).map(({ sentence }) => sentence);
  return {
    get sentences() {
      if (typeof properties !== 'function') return properties.map(({ sentence }) => sentence);
      // A list tells those of the machine as it is when nothing is configured, where that is possible.
      const parsed = config.safeParse({});
      return parsed.success
        ? sentencesOf({ name, config: parsed.data, programs: [], mutants: [], scheduled: false })
        : [];
    },
    sentencesOf,
    watch: (run, given) => watch(run, of(given)),
    observers: (given) => {
      const observers = of(given);
      // One that cannot begin is told before the exploration does.
      for (const one of observers) ofMachine(name, `property "${one.sentence}"`, () => one.begin());
      return observers;
    },
  };
}

/** Properties that a function gave. Errors: a `MachineError` when they are none. */
function checked(machine: string, properties: readonly Property[]): readonly Property[] {
  if (!Array.isArray(properties))
    throw new MachineError(
      machine,
      `its properties are ${briefly(properties)}, expected a list of properties`,
    );
  properties.forEach((one, index) => {
    const fault = propertyFault(one);
    if (fault !== undefined)
      throw new MachineError(machine, `found ${briefly(one)} as properties[${index}]: ${fault}`);
  });
  return properties;
}
