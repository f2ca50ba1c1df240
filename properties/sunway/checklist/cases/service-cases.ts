import { timed } from '../case-runs.ts';
import type { SlaveCase } from '../function-case.ts';

/** What a CPE asks of itself: its clock, and the size of its data cache (specification 6.8, 6.9). */
export const serviceCases: readonly SlaveCase[] = [
  {
    name: 'stime_cycle',
    by: 'one',
    means: 'counts the cycles of the node',
    *play(c) {
      return [yield* timed(c, [c.compute(77)])];
    },
    gives: () => [77],
    takes: { formula: 'a register: 1 cycle', cycles: 1 },
    fails: { never: 'takes no arguments; counters of all CPEs are equal unless `clockSkew` is set' },
  },
  {
    name: 'scache_get_size',
    by: 'each',
    means: 'tells the size that the configuration chose, here none',
    *play(c) {
      return [yield c.scache_get_size(), c.tid];
    },
    gives: (tid) => [0, tid],
    takes: { formula: 'a register: 1 cycle', cycles: 1 },
    fails: { never: 'takes no arguments' },
  },
];
