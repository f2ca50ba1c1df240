import type { Observer } from '../../../kernel/explore/observer.ts';
import type { InterchipletContext, InterchipletProperty } from './context.ts';
import { coordinatorBarriersWait } from './coordinator-barriers-wait.ts';
import { dataAreReadWhenThere } from './data-are-read-when-there.ts';
import { equalDelaysEqualTraces } from './equal-delays-equal-traces.ts';
import { holdersFollowInTime } from './holders-follow-in-time.ts';
import { locksHaveOneHolder } from './locks-have-one-holder.ts';
import { recordsServeOnce } from './records-serve-once.ts';
import { syncsNeverGoBack } from './syncs-never-go-back.ts';
import { tracesHoldEveryTransaction } from './traces-hold-every-transaction.ts';

const all: readonly InterchipletProperty[] = [
  locksHaveOneHolder,
  holdersFollowInTime,
  syncsNeverGoBack,
  dataAreReadWhenThere,
  coordinatorBarriersWait,
  recordsServeOnce,
  equalDelaysEqualTraces,
  tracesHoldEveryTransaction,
];

/** The properties of a coordinator (chiplet specification 14, C1 to C5): they see messages, and share no rule with the coordinators. */
export const interchipletProperties = (context: InterchipletContext): readonly Observer[] =>
  all.map((property) => property(context));
