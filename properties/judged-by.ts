import type { Observer } from '../kernel/explore/observer.ts';
import type { Given, Machine } from '../machines/machine.ts';
import type { MachineProperties } from './properties.ts';
import { type Property, watch } from './property.ts';

/** What must hold in the runs of a machine: the same for all, or by what it is given. */
export type GivenProperties<Config = unknown, Programs = unknown> =
  | readonly Property[]
  | ((given: Given<Config, Programs>) => readonly Property[]);

/** Properties as commands need them: runs are watched by all, the checker judges those in the form of an observer. */
export function judgedBy({ config, name }: Machine, properties: GivenProperties): MachineProperties {
  const of = typeof properties === 'function' ? properties : () => properties;
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
    watch: (run, given) => watch(run, of(given), undefined),
    observers: (given) => of(given).filter((one): one is Observer => !('observe' in one)),
  };
}
