import { hashOf } from '../../kernel/hash.ts';
import type { Explanation } from './explain.ts';
import type { Step } from './history.ts';
import { eventWords } from './message-words.ts';
import { randomSeeds } from './nearest-passing.ts';
import type { Wording } from './wording.ts';

/** What happened, in the order of cause, as one paragraph. */
export function proseOf(explanation: Explanation, wording: Wording): string {
  return [
    ...schedulePart(explanation),
    ...choicePart(explanation, wording),
    ...effectPart(explanation, wording),
    ...failurePart(explanation, wording),
    ...spokenOfPart(explanation, wording),
  ].join(' ');
}

/** What the order of deliveries has to do with it. */
function schedulePart({ minimalTape, nearestPassing, scheduled, complete }: Explanation): readonly string[] {
  if (minimalTape.length > 0) {
    const first = nearestPassing?.tape.length === 0 ? ['Served first come, first served, all is well.'] : [];
    return nearestPassing
      ? first
      : ['Of the schedules that were tried none passes, though each fails for its own reasons.'];
  }
  if (!scheduled) return ['It happens first come, first served, without any other choice.'];
  if (nearestPassing) return ['It happens first come, first served, but not in every order of deliveries.'];
  if (!complete) return ['It happens first come, first served.'];
  return [
    `It happens first come, first served, and each of ${randomSeeds} random schedules fails, too: the order of deliveries is not the cause.`,
  ];
}

/** The choice that matters, and what it turned round. */
function choicePart({ firstDifference }: Explanation, wording: Wording): readonly string[] {
  if (!firstDifference) return [];
  const { here, there, swap } = firstDifference;
  const [chosen, other] = [wording.chosen(here), wording.chosen(there)];
  const choice =
    here.candidates.length > 0
      ? `In tick ${here.tick} there were ${here.candidates.length} messages to choose from, and ${chosen} was delivered before ${other}.`
      : `In tick ${here.tick} the run took ${chosen}, and not ${other}.`;
  if (!swap) return [choice];
  const { first, second } = swap;
  const direct =
    first.message === here.candidates[here.pick] && second.message === here.candidates[there.pick];
  const turned = `${wording.actor(first.to)} got ${wording.words(first.message)} from ${wording.actor(first.from)} before ${wording.words(second.message)} from ${wording.actor(second.from)}`;
  return direct
    ? [choice, 'The other way round the run is as it should be.']
    : [choice, `So ${turned}; the other way round the run is as it should be.`];
}

/** The first visible thing that is otherwise in the passing run. */
function effectPart({ contrast, firstDifference, past }: Explanation, wording: Wording): readonly string[] {
  if (!contrast) return [];
  const from = firstDifference?.swap?.first.index ?? 0;
  const step = past.find(
    (one) => one.index >= from && ['message', 'shown'].includes(contrast.differences.get(one) ?? ''),
  );
  if (!step) return [];
  const same = contrast.counterpart(step);
  if (contrast.differences.get(step) === 'shown') return [shownText(step, same, wording)];
  const sent = `In tick ${step.message.due} ${wording.actor(step.to)} then got ${wording.words(step.message)} from ${wording.actor(step.from)}`;
  if (!same) return [`${sent}, which it does not get in the passing run.`];
  const otherwise = [
    ...(same.message.due === step.message.due ? [] : [`in tick ${same.message.due}`]),
    ...(wording.words(same.message) === wording.words(step.message) ? [] : [wording.words(same.message)]),
  ];
  return [`${sent}, and not ${otherwise.join(': ')} as in the passing run.`];
}

/** Where no other run says what matters: the messages that the finding speaks of. */
function spokenOfPart({ contrast, failure, telling }: Explanation, wording: Wording): readonly string[] {
  if (contrast || failure.verdict !== 'violated' || telling.spokenOf.length === 0) return [];
  const told = telling.spokenOf.map(
    ({ message, from, to }) =>
      `in tick ${message.due} ${wording.actor(to)} got ${wording.words(message)} from ${wording.actor(from)}`,
  );
  return [`Before that, ${listed(told)}.`];
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;

function shownText(step: Step, same: Step | undefined, wording: Wording): string {
  const at = step.shown.findIndex((probe, index) => hashOf(probe) !== hashOf(same?.shown[index]));
  const [here, there] = [step.shown[at], same?.shown[at]];
  const told = here ? eventWords(here, step.message.due) : 'nothing';
  const other = there ? eventWords(there, step.message.due) : 'nothing';
  return `In tick ${step.message.due} ${wording.actor(step.to)} then showed ${told}; in the passing run it shows ${other}.`;
}

/** How it ended. */
function failurePart({ failure, history, past }: Explanation, wording: Wording): readonly string[] {
  const { verdict, tick, actors, what, why } = failure;
  const who = actors.length > 0 ? ` of ${actors.map((one) => wording.actor(one)).join(', ')}` : '';
  switch (verdict) {
    case 'violated': {
      const when =
        history.trial.run.ended && history.within === undefined
          ? `By the end of tick ${tick}`
          : `In tick ${tick}`;
      return [`${when} this was found${who}: ${why}.`];
    }
    case 'deadlock':
      return [`After tick ${tick} nothing was under way any more, and ${why}.`];
    case 'livelock':
      return [`Tick ${tick} does not come to its end: ${why}.`];
    case 'error': {
      const last = past.at(-1);
      if (!last) return [`${what}: ${why}.`];
      const cause = past.find(({ message }) => message.seq === last.message.cause);
      const sent = cause
        ? ` It was posted in tick ${cause.message.due}, when ${wording.actor(cause.to)} handled ${wording.words(cause.message)}.`
        : '';
      return [
        `In tick ${tick} ${wording.actor(last.to)} was ${last.before} and got ${wording.words(last.message)} from ${wording.actor(last.from)}, which it cannot handle: ${why}.${sent}`,
      ];
    }
  }
}
