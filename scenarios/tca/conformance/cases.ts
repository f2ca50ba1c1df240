import { everyAlignment } from './alignments.ts';
import { argumentLists } from './arguments.ts';
import { barriers, lateNodes, mismatches } from './barriers.ts';
import type { ConformanceCase } from './case.ts';
import { checksumReplies } from './checksum-replies.ts';
import { collectives, largerCollectives } from './collectives.ts';
import { contention } from './contention.ts';
import { depths } from './depths.ts';
import { emptyMessages } from './empty-messages.ts';
import { environment } from './environment.ts';
import { exits } from './exits.ts';
import { flood } from './flood.ts';
import { ghosts } from './halo.ts';
import { hello } from './hello.ts';
import { handlerLocks } from './locks.ts';
import { fills, putsAndGets, slicesOfMemory, values } from './moves.ts';
import { payloads } from './payloads.ts';
import { scattered } from './scattered.ts';
import { teams } from './teams.ts';

/** The conformance suite, in the order of the specification (section 20). */
export const conformanceCases: readonly ConformanceCase[] = [
  hello,
  checksumReplies,
  payloads,
  emptyMessages,
  argumentLists,
  flood,
  putsAndGets,
  values,
  slicesOfMemory,
  everyAlignment,
  depths,
  fills,
  scattered,
  barriers,
  mismatches,
  lateNodes,
  handlerLocks,
  contention,
  collectives,
  largerCollectives,
  teams,
  ghosts,
  exits,
  environment,
];
