import { changedFields, closeUpsOf, type FieldChange } from './close-up.ts';
import type { History, Step } from './history.ts';
import type { TrialOptions, Trials } from './trial.ts';

/** Something that an actor wrote down when it got a message, and the next delivery that changed it. */
export interface KeptSince {
  readonly of: Step;
  readonly then: FieldChange;
  readonly step: Step;
  readonly since: FieldChange;
}

/** Deliveries behind one that are looked at. */
const lookedMax = 12;

/**
 * What became of what receivers kept of some messages: an actor that took a request and sent nothing has written it down, and where the same field changes next it may have been lost.
 */
export function keptSince(
  trials: Trials,
  history: History,
  kept: readonly Step[],
  options: TrialOptions,
): readonly KeptSince[] {
  const behind = (step: Step) =>
    history.steps
      .filter(({ index, message }) => index > step.index && message.to === step.message.to)
      .slice(0, lookedMax);
  const later = new Map(kept.map((step) => [step, behind(step)]));
  const looked = [...new Set([...later].flatMap(([step, all]) => [step, ...all]))];
  const closeUps = closeUpsOf(trials, history, looked, options);
  const changesOf = (step: Step): readonly FieldChange[] => {
    const seen = closeUps.get(step);
    return seen ? changedFields(seen.before, seen.after) : [];
  };
  return [...later].flatMap(([of, all]): readonly KeptSince[] => {
    const changes = new Map(changesOf(of).map((one) => [one.path, one]));
    for (const step of all)
      for (const since of changesOf(step)) {
        const then = changes.get(since.path);
        if (then) return [{ of, then, step, since }];
      }
    return [];
  });
}
