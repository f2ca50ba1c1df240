import type { Step } from './history.ts';

/**
 * The deliveries that happened before some of them, and these: whatever could have had an influence (Lamport 1978).
 *
 * Details: a delivery comes after the one during which its message was posted, and after all that its receiver got before.
 */
export function happenedBefore(steps: readonly Step[], last: ReadonlySet<Step>): ReadonlySet<Step> {
  const past = new Set<Step>();
  const causes = new Set<number>();
  const receivers = new Set<number>();
  for (const step of steps.toReversed()) {
    const { seq, cause, to } = step.message;
    if (!last.has(step) && !causes.has(seq) && !receivers.has(to)) continue;
    past.add(step);
    causes.add(cause);
    receivers.add(to);
  }
  return past;
}

/** True for an actor that a violation names, or a part of one; some properties leave out the names of what an actor is part of. */
export function concerns(named: readonly string[], actor: string): boolean {
  return named.some((name) => `.${actor}.`.includes(`.${name}.`));
}
