import { barrierOperationsOrder } from './barrier-operations-order.ts';
import { barriersHoldEverybody } from './barriers-hold-everybody.ts';
import type { SunwayProperty } from './context.ts';
import { copiesReachTheirSet } from './copies-reach-their-set.ts';
import { dataComeFirst } from './data-come-first.ts';
import { locksExclude } from './locks-exclude.ts';
import { memoryKeepsWhatIsPut } from './memory-keeps-what-is-put.ts';
import { transfersCountOnce } from './transfers-count-once.ts';
import { waitsWakeUp } from './waits-wake-up.ts';

/** The properties of Sunway nodes (Sunway specification 12): one a sentence. They see messages and probes, and share nothing with the model. */
export const sunwayProperties: readonly SunwayProperty[] = [
  transfersCountOnce,
  dataComeFirst,
  copiesReachTheirSet,
  memoryKeepsWhatIsPut,
  barrierOperationsOrder,
  waitsWakeUp,
  barriersHoldEverybody,
  locksExclude,
];
