import { barrierOperationsOrder } from './barrier-operations-order.ts';
import { barriersHoldEverybody } from './barriers-hold-everybody.ts';
import { cachesKeepWhatIsStored } from './caches-keep-what-is-stored.ts';
import type { SunwayProperty } from './context.ts';
import { copiesReachTheirSet } from './copies-reach-their-set.ts';
import { coresKnowTheirPlace } from './cores-know-their-place.ts';
import { dataComeFirst } from './data-come-first.ts';
import { groupBarriersHoldEverybody } from './group-barriers-hold-everybody.ts';
import { heapsGiveWhatIsFree } from './heaps-give-what-is-free.ts';
import { lanesMeetTheirEntries } from './lanes-meet-their-entries.ts';
import { ldmsKeepWhatIsWritten } from './ldms-keep-what-is-written.ts';
import { locksExclude } from './locks-exclude.ts';
import { memoryEndsAsWritten } from './memory-ends-as-written.ts';
import { memoryKeepsWhatIsPut } from './memory-keeps-what-is-put.ts';
import { packetsArriveOnce } from './packets-arrive-once.ts';
import { signalsArriveOnce } from './signals-arrive-once.ts';
import { tasksAreHandedOutOnce } from './tasks-are-handed-out-once.ts';
import { transfersCountOnce } from './transfers-count-once.ts';
import { transfersTakeTheirTime } from './transfers-take-their-time.ts';
import { waitsWakeUp } from './waits-wake-up.ts';

/** The properties of Sunway nodes (Sunway specification 12): one a sentence. They see messages and probes, and share nothing with the model. */
export const sunwayProperties: readonly SunwayProperty[] = [
  transfersCountOnce,
  dataComeFirst,
  copiesReachTheirSet,
  ldmsKeepWhatIsWritten,
  memoryKeepsWhatIsPut,
  memoryEndsAsWritten,
  barrierOperationsOrder,
  packetsArriveOnce,
  waitsWakeUp,
  transfersTakeTheirTime,
  barriersHoldEverybody,
  groupBarriersHoldEverybody,
  locksExclude,
  heapsGiveWhatIsFree,
  coresKnowTheirPlace,
  lanesMeetTheirEntries,
  cachesKeepWhatIsStored,
  signalsArriveOnce,
  tasksAreHandedOutOnce,
];
