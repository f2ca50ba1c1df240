import { type CpeFacts, isAvailable } from '../cpe-facts.ts';
import { type BarrierSteps, barrierSteps } from '../sync/barrier-steps.ts';
import type { CpeGroup } from '../sync/group.ts';

/** Sets of CPEs that are remembered; a run has one, and one more for each CPE that its host closes. */
const setsMax = 256;
/** By the CPEs that are there and the reading of half columns: by group and caller. */
const known = new Map<string, Map<string, BarrierSteps>>();

/**
 * What a CPE does for the barrier of its group (Sunway specification 6.2).
 *
 * Details: where CPEs are offline this takes long to find out, and is the same whenever the same ones are: it is found once.
 */
export function groupSteps(
  group: CpeGroup,
  facts: Pick<CpeFacts, 'identity' | 'cpes' | 'offline' | 'columnHalves'>,
): BarrierSteps {
  const { cpes, offline, columnHalves } = facts;
  const set = `${columnHalves} ${cpes} ${offline.join(' ')}`;
  let steps = known.get(set);
  if (!steps) {
    if (known.size >= setsMax) known.clear();
    steps = new Map();
    known.set(set, steps);
  }
  const { tid } = facts.identity;
  const call = `${group} ${tid}`;
  let found = steps.get(call);
  if (!found) {
    found = barrierSteps(group, tid, { available: (one) => isAvailable(facts, one), columnHalves });
    steps.set(call, found);
  }
  return found;
}
