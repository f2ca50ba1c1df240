import { payloadOf } from '../../scenarios/exports/plain-data.ts';
import type { Explanation, FirstDifference } from './explain.ts';
import { marksOf } from './explanation-picture.ts';
import type { Decision, Step } from './history.ts';
import { proseOf } from './prose.ts';
import { Wording } from './wording.ts';

/**
 * An explanation as one object for scripts; `steps` are the deliveries that it tells of.
 *
 * Details: ticks and deliveries count from 0, and so do places in tapes. What there is not is null.
 */
export function explanationJson(
  explanation: Explanation,
  steps: readonly Step[],
  replay: string,
): Readonly<Record<string, unknown>> {
  const { failure, tape, minimalTape, nearestPassing, firstDifference, past } = explanation;
  const wording = new Wording(explanation.history);
  const marks = marksOf(explanation);
  const choice = (decision: Decision) => {
    const { position, tick, what, count, pick } = decision;
    return { position, tick, what, count, pick, chosen: wording.chosen(decision) };
  };
  const difference = ({ here, there, swap }: FirstDifference) => ({
    failing: choice(here),
    passing: choice(there),
    swap: swap ? [swap.first.index, swap.second.index] : null,
  });
  return {
    failure,
    tape,
    minimalTape,
    deviations: explanation.deviations.map(choice),
    nearestPassing: nearestPassing
      ? { tape: nearestPassing.tape, differing: nearestPassing.differing }
      : null,
    firstDifference: firstDifference ? difference(firstDifference) : null,
    faults: explanation.faults.map(({ tick, index, kind, from, to, message, what }) => {
      return { tick, index, kind, from, to, type: message.event.type, what };
    }),
    past: steps.map((step) => {
      const { index, message, from, to } = step;
      const { due: tick, seq, cause, event } = message;
      return {
        index,
        tick,
        seq,
        cause,
        from,
        to,
        type: event.type,
        ...payload(event),
        mark: marks(step) ?? null,
      };
    }),
    pastDeliveries: past.length,
    prose: proseOf(explanation, wording),
    attempts: explanation.attempts,
    complete: explanation.complete,
    replay,
  };
}

const payload = (event: object) => {
  const payload = payloadOf(event);
  return Object.keys(payload).length > 0 ? { payload } : {};
};
