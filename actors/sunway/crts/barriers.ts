import { type CpeFacts, isAvailable } from '../cpe-facts.ts';
import { nodeWords, parityWord } from '../node-word.ts';
import { returnCode } from '../return-code.ts';
import type { SyncPrimitive } from '../sync/barrier-steps.ts';
import type { CpeGroup } from '../sync/group.ts';
import { groupSteps } from './group-steps.ts';
import type { Primitive, Script } from './primitive.ts';

/** A hardware barrier as the wires know it: by its line and mask, or by its two CPEs in ascending order. */
export function arriveAt(
  step: SyncPrimitive,
  { rid, cid, tid }: CpeFacts['identity'],
  agreement = 0,
): Primitive {
  switch (step.kind) {
    case 'synr':
      return { op: 'arrive', kind: 'row', index: rid, mask: step.mask, agreement };
    case 'sync':
      return { op: 'arrive', kind: 'column', index: cid, mask: step.mask, agreement };
    case 'synp':
      return {
        op: 'arrive',
        kind: 'pair',
        index: Math.min(tid, step.tid),
        mask: Math.max(tid, step.tid),
        agreement,
      };
  }
}

/** The barrier of a group: the hardware barriers that it is made of (specification 6.2). */
export function* groupBarrier(group: CpeGroup, facts: CpeFacts): Script {
  const { code, steps } = groupSteps(group, facts);
  if (code !== returnCode.SUCCESS) yield { op: 'refuse', code };
  for (const step of steps) yield arriveAt(step, facts.identity);
  return 0;
}

/** The barrier of two CPEs that name each other (specification 6.2, E18). */
export function* pairBarrier(tid: number, facts: CpeFacts): Script {
  if (tid === facts.identity.tid || !isAvailable(facts, tid)) yield { op: 'refuse', code: returnCode.E_TID };
  yield arriveAt({ kind: 'synp', tid }, facts.identity);
  return 0;
}

/** One hardware barrier of a line; the mask must be one of 8 bits and name the caller. */
export function* lineBarrier(kind: 'synr' | 'sync', mask: number, facts: CpeFacts): Script {
  const { rid, cid } = facts.identity;
  const own = kind === 'synr' ? cid : rid;
  const isMask = Number.isInteger(mask) && mask > 0 && mask <= 0xff && ((mask >> own) & 1) === 1;
  if (!isMask) yield { op: 'refuse', code: returnCode.E_MASK };
  yield arriveAt({ kind, mask }, facts.identity);
  return 0;
}

/** The barrier of a CPE and its host (specification 6.2, 9.4). */
export function* hostBarrier({ identity, timing }: CpeFacts): Script {
  yield { op: 'meet', word: parityWord(identity.cgn, identity.tid), cycles: timing.faa.latency };
  return 0;
}

/** All CPEs of the array, one of them with somebody outside, then all again: nobody goes on before that one has met (specification 6.2). */
function* arrayMeets(word: string, cycles: number, facts: CpeFacts): Script {
  yield* groupBarrier('array', facts);
  const speaker = Array.from({ length: facts.cpes }, (_, tid) => tid).find((tid) => isAvailable(facts, tid));
  if (speaker === facts.identity.tid) yield { op: 'meet', word, cycles };
  yield* groupBarrier('array', facts);
  return 0;
}

/** The barrier of the array and its host. */
export const arrayHostBarrier = (facts: CpeFacts): Script =>
  arrayMeets(parityWord(facts.identity.cgn), facts.timing.faa.latency, facts);

/** The barrier of all CPEs of all live arrays of the node (specification 6.2, 9.4). */
export const nodeBarrier = (facts: CpeFacts): Script =>
  arrayMeets(nodeWords.arrays, 2 * facts.timing.faa.latency + facts.timing.ring.extra, facts);
