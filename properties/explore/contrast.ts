import { hashOf } from '../../kernel/hash.ts';
import type { History, Step } from './history.ts';

/**
 * In what a delivery of one run differs from another run: `message`: the other run has no such message, or another content or tick of it; `shown`:
 * its receiver showed something else; `state`: its receiver was in another state before or after it.
 */
export type Difference = 'message' | 'shown' | 'state';

/** How one run of a scenario differs from another one, delivery by delivery. */
export interface Contrast {
  readonly differences: ReadonlyMap<Step, Difference>;
  /** The same message in the other run. */
  counterpart(step: Step): Step | undefined;
}

/** Compares a run with another run of its scenario. */
export function contrastOf(run: History, other: History): Contrast {
  const counterparts = new Map(other.steps.map((step) => [step.key, step]));
  const counterpart = ({ key }: Step) => counterparts.get(key);
  const differences = new Map<Step, Difference>();
  for (const step of run.steps) {
    const same = counterpart(step);
    const difference = differenceOf(step, same);
    if (difference) differences.set(step, difference);
  }
  return { differences, counterpart };
}

function differenceOf(step: Step, same: Step | undefined): Difference | undefined {
  if (!same || step.message.due !== same.message.due) return 'message';
  if (hashOf(step.message.event) !== hashOf(same.message.event)) return 'message';
  if (hashOf(step.shown) !== hashOf(same.shown)) return 'shown';
  return step.before === same.before && step.after === same.after ? undefined : 'state';
}
