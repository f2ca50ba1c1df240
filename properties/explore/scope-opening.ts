import { TapeChoices } from '../../kernel/choices.ts';
import type { Observation } from '../../kernel/explore/observer.ts';
import type { FailureSummary } from './failure-summary.ts';
import type { History, Step } from './history.ts';
import type { TrialOptions, Trials } from './trial.ts';

/** Things that could have opened a scope which are kept: the last ones. */
const keptMax = 1000;

/**
 * The delivery that opened the scope in which a sentence does not hold: `never(…, second, { after: first })` is about two moments, and what led to the first need not have led to the second.
 * Undefined for a sentence without such a scope, and for one that was found wrong later than during a delivery.
 */
export function scopeOpening(
  trials: Trials,
  { trial, within, steps }: History,
  { verdict, what }: FailureSummary,
  options: TrialOptions,
): Step | undefined {
  if (verdict !== 'violated' || within === undefined) return undefined;
  let opening: number | undefined;
  trials.attempt(new TapeChoices(trial.tape), {
    ...options,
    observe: (run, built) => {
      const { watches, opens } = trials.observerOf(what, built) ?? {};
      if (opens === undefined) return;
      const seen: { readonly index: number; readonly observation: Observation }[] = [];
      const see = (index: number, type: string, observation: Observation): void => {
        if (opening !== undefined || watches?.includes(type) === false) return;
        seen.push({ index, observation });
        if (seen.length === 2 * keptMax) seen.splice(0, keptMax);
      };
      let last = -1;
      run.listen({
        delivered: ({ event, from }, to, index) => {
          last = index;
          if (index <= within) see(index, event.type, { kind: 'message', from: run.nameOf(from), to, event });
        },
        shown: (_tick, actor, probe) => {
          if (last <= within) see(last, probe.type, { kind: 'probe', actor, probe });
        },
        tickEnded: () => {
          if (last < within || opening !== undefined) return;
          opening = -1;
          // Of what was seen in the step the first one with an opening in front of it is wrong.
          for (const [at, judged] of seen.entries()) {
            if (judged.index !== within) continue;
            const before = seen.slice(0, at);
            const found = before.findLast((one) => opens(one.observation, judged.observation));
            if (!found) continue;
            opening = found.index;
            return;
          }
        },
      });
    },
  });
  return steps.find(({ index }) => index === opening);
}
