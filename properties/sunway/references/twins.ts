import { hashOf } from '../../../kernel/hash.ts';
import type { Given } from '../../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../../machines/sunway/config.ts';
import { isData } from '../../same-run.ts';
import type { Reference } from '../../with-reference.ts';
import { compareTwins, type PartChange } from '../twins/twins.ts';

/** Of so many scenarios one is compared, when a run of it has no more deliveries than this. */
const [oneIn, deliveriesMax] = [2, 25_000];

/** The parts of a node as actors and as plain code say the same in every cycle: two texts of one specification, of which each judges the other. Once a scenario. `fastParts` plants a fault. */
export const twins = (fastParts?: PartChange): Reference => {
  const known = new WeakMap<object, string | undefined>();
  return (run, anyGiven) => {
    const { name, config, programs, mutants } = anyGiven as Given<SunwayConfig, SunwayPrograms>;
    if (mutants.length > 0 || !isData(programs)) return undefined;
    return () => {
      if (known.has(config)) return known.get(config);
      const number = Number.parseInt(hashOf(JSON.stringify([config, programs])).slice(0, 6), 16);
      const isCompared = number % oneIn === 0 && run.outcome.deliveries <= deliveriesMax;
      const given = { name, config, programs, mutants: [], scheduled: false };
      const difference = isCompared ? compareTwins(given, undefined, false, fastParts).difference : undefined;
      const why = difference && `as actors: ${difference.explicit}; as plain code: ${difference.fast}`;
      known.set(config, why);
      return why;
    };
  };
};
