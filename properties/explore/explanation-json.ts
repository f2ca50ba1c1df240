import { payloadOf } from '../../scenarios/exports/plain-data.ts';
import { partWords, tickOfPart } from './cause-words.ts';
import type { Cause, CausePart, Passing } from './causes.ts';
import type { Explanation } from './explain.ts';
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
  const { failure, tape, causes, simplified, past, standing } = explanation;
  const wording = new Wording(explanation.history);
  const marks = marksOf(explanation);
  const passingRun = ({ tape, rested, history }: Passing) => {
    const { ticks, deliveries } = history.trial.outcome;
    return { tape, rested, ticks, deliveries };
  };
  const part = (one: CausePart) => {
    const words = partWords(one, wording);
    if (one.kind === 'order')
      return {
        kind: one.kind,
        tick: tickOfPart(one),
        first: one.first.index,
        second: one.second.index,
        words,
      };
    if (one.kind === 'again')
      return {
        kind: one.again.message.timer ? 'timer' : one.kind,
        tick: tickOfPart(one),
        again: one.again.index,
        words,
      };
    if (one.kind === 'network')
      return { kind: one.kind, tick: tickOfPart(one), fault: one.step.fault.kind, words };
    const answer = ({ position, what, count, pick }: Decision) => ({ position, what, count, pick });
    return {
      kind: one.kind,
      tick: tickOfPart(one),
      failing: answer(one.here),
      passing: answer(one.there),
      words,
    };
  };
  const causeOf = ({ parts, passing }: Cause) => ({ parts: parts.map(part), passing: passingRun(passing) });
  return {
    failure,
    tape,
    deviations: explanation.deviations,
    simplified: simplified
      ? { ...simplified, cause: simplified.cause ? causeOf(simplified.cause) : null }
      : null,
    causes: causes.causes.map(causeOf),
    canonicalPasses: causes.canonical !== undefined,
    passing: causes.passing ? passingRun(causes.passing) : null,
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
    standing: standing
      ? { ...standing, underWay: standing.underWay.map((message) => wording.message(message)) }
      : null,
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
