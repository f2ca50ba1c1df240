import { hashOf } from '../../kernel/hash.ts';
import type { History, Step } from './history.ts';

/**
 * In what a delivery of one run differs from another run: `message`: the other run has no such message, or another content or tick of it; `shown`:
 * its receiver showed something else; `state`: its receiver was in another state before or after it.
 */
export type Difference = 'message' | 'shown' | 'state';

/** Two deliveries to one actor that come the other way round in the other run. */
export interface Swap {
  readonly first: Step;
  readonly second: Step;
}

/** How one run of a scenario differs from another one, delivery by delivery. */
export interface Contrast {
  readonly differences: ReadonlyMap<Step, Difference>;
  /** In the order of `second`. */
  readonly swaps: readonly Swap[];
  /** The same message in the other run. */
  counterpart(step: Step): Step | undefined;
}

/** Compares a run with another run of its scenario. */
export function contrastOf(run: History, other: History): Contrast {
  const counterparts = new Map(other.steps.map((step) => [step.key, step]));
  const counterpart = ({ key }: Step) => counterparts.get(key);
  const differences = new Map<Step, Difference>();
  const swaps: Swap[] = [];
  /** Of each actor, the delivery so far that comes last in the other run. */
  const latest = new Map<number, Step>();
  for (const step of run.steps) {
    const same = counterpart(step);
    const difference = differenceOf(step, same);
    if (difference) differences.set(step, difference);
    if (!same) continue;
    const { to } = step.message;
    const before = latest.get(to);
    const overtaken = before && counterpart(before)!.index > same.index;
    if (overtaken) swaps.push({ first: before, second: step });
    else latest.set(to, step);
  }
  return { differences, swaps, counterpart };
}

function differenceOf(step: Step, same: Step | undefined): Difference | undefined {
  if (!same || step.message.due !== same.message.due) return 'message';
  if (hashOf(step.message.event) !== hashOf(same.message.event)) return 'message';
  if (hashOf(step.shown) !== hashOf(same.shown)) return 'shown';
  return step.before === same.before && step.after === same.after ? undefined : 'state';
}

/**
 * The swap from which what can be seen follows: the last one at the actor where the first visible difference begins.
 *
 * Details: an actor that gets the same messages in the same order does the same, so such a swap is there unless a fault or another choice made
 * the difference. Differences at actors that `matters` says matter go before others; the past is what could have led to the failure.
 */
export function decisiveSwap(
  { swaps, differences }: Contrast,
  past: ReadonlySet<Step>,
  matters: (actor: string) => boolean,
): Swap | undefined {
  const visible = [...differences].filter(([step, kind]) => kind !== 'state' && past.has(step));
  const originOf = ([step, kind]: (typeof visible)[number]) => (kind === 'message' ? step.from : step.to);
  const ranked = [...visible.filter((one) => matters(originOf(one))), ...visible];
  for (const one of ranked) {
    const swap = swaps.findLast(({ second }) => second.to === originOf(one) && second.index <= one[0].index);
    if (swap) return swap;
  }
  return swaps.find(({ second }) => past.has(second)) ?? swaps[0];
}
