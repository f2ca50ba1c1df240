import type { CpeFacts } from '../cpe-facts.ts';
import type { Answer } from '../operation.ts';
import { type ReturnCode, returnCode } from '../return-code.ts';
import { runtimeWords } from '../runtime-words.ts';
import type { CpeGroup } from '../sync/group.ts';
import { arriveAt } from './barriers.ts';
import { groupSteps } from './group-steps.ts';
import type { Primitive, Script } from './primitive.ts';

/** Ends the call when its arguments were found bad. */
export function* accept(code: ReturnCode): Generator<Primitive, void, Answer> {
  if (code !== returnCode.SUCCESS) yield { op: 'refuse', code };
}

/** A fingerprint that no arguments have: it disagrees with every other one. */
const disagreement = -1;

/** A fingerprint of a call and its arguments: above 0, equal for equal ones. */
export function fingerprintOf(name: string, given: readonly number[]): number {
  let print = 0x811c9dc5;
  for (const character of `${name} ${given.join(' ')}`)
    print = Math.imul(print ^ character.charCodeAt(0), 0x01000193);
  return (print >>> 1) + 1;
}

/**
 * The barrier that a collective begins with: all members have come, with the same call and the same arguments, or all are refused
 * (specification 3.4, 11, E8).
 *
 * Details: who learns of a difference in one step brings it into the next one, so that nobody is left waiting for those who were refused.
 */
export function* agreedBarrier(group: CpeGroup, agreement: number, facts: CpeFacts): Script {
  const { steps } = groupSteps(group, facts);
  let carried = agreement;
  for (const step of steps) {
    const different = yield arriveAt(step, facts.identity, carried);
    if (different !== 0) carried = disagreement;
  }
  if (carried === disagreement) yield { op: 'refuse', code: returnCode.E_ARGS };
  return 0;
}

/** Sets the words that a collective counts in to 0, before anybody can add to them. */
export function* clearWords(): Script {
  const zero = new Uint8Array(4);
  yield { op: 'write', address: runtimeWords.collective, data: zero, flag: false };
  yield { op: 'write', address: runtimeWords.collectiveSource, data: zero, flag: false };
  return 0;
}
