import { startsAsArbitratedAlone } from './arbitrated-alone.ts';
import { barrierWaitsForAll } from './barrier-waits-for-all.ts';
import { urgentRequestsStartInTime } from './bounded-wait.ts';
import { checkerFindsNothing } from './checker-finds-nothing.ts';
import type { CellProperty } from './context.ts';
import { everyByteOnTime } from './every-byte-on-time.ts';
import { everyRequestFinishes } from './every-request-finishes.ts';
import { idsAreDistinct } from './ids-are-distinct.ts';
import { memoryIsConsistent } from './memory-is-consistent.ts';
import { oneCommandBeforeEachByte } from './one-command-before-each-byte.ts';
import { ringSegmentsNeverOverlap } from './ring-segments-never-overlap.ts';
import { runsAsTheReference } from './runs-as-the-reference.ts';
import { statusAnswersAreExact } from './status-answers-are-exact.ts';

/** What the Cell ring machine promises whatever its programs do (Cell specification 12): one a sentence, and the checker, which knows all invariants. */
export const cellProperties: readonly CellProperty[] = [
  ringSegmentsNeverOverlap,
  memoryIsConsistent,
  everyByteOnTime,
  oneCommandBeforeEachByte,
  statusAnswersAreExact,
  barrierWaitsForAll,
  everyRequestFinishes,
  idsAreDistinct,
  urgentRequestsStartInTime,
  checkerFindsNothing,
  runsAsTheReference,
  startsAsArbitratedAlone,
];
