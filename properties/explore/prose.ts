import { hashOf } from '../../kernel/hash.ts';
import type { Probe } from '../../kernel/message.ts';
import { causeSentences, reachWords } from './cause-words.ts';
import { indexOfPart } from './causes.ts';
import { type Explanation, partsTold } from './explain.ts';
import { isAtRest, type Step } from './history.ts';
import { isFault } from './identities.ts';
import { eventWords, otherFields } from './message-words.ts';
import { idleWords } from './standstill-words.ts';
import { struckWords } from './struck-fault.ts';
import type { Wording } from './wording.ts';

/** What happened, in the order of cause, as one paragraph. */
export function proseOf(explanation: Explanation, wording: Wording): string {
  return [
    ...schedulePart(explanation),
    ...faultPart(explanation, wording, 'before the cause'),
    ...causePart(explanation, wording),
    ...faultPart(explanation, wording, 'behind it'),
    ...effectPart(explanation, wording),
    ...failurePart(explanation, wording),
    ...lastHeardPart(explanation, wording),
    ...spokenOfPart(explanation, wording),
  ].join(' ');
}

/** What the order of deliveries has to do with it. */
function schedulePart({ deviations, causes, scheduled, complete }: Explanation): readonly string[] {
  const { canonical, cut, waits, passing, randomTried } = causes;
  if (canonical) return [`Served first come, first served, all is well, ${reachWords(canonical)}.`];
  if (cut) return ['Served first come, first served, the run is cut before it comes that far.'];
  if (!scheduled) return ['It happens first come, first served; other choices were not tried.'];
  if (!passing && !complete) return ['No schedule was found that passes; the search was not completed.'];
  if (waits)
    return [
      passing
        ? 'Served first come, first served, what is awaited does not come either as long as the run is followed.'
        : 'Served first come, first served, what is awaited does not come either as long as the run is followed, and no order of deliveries was found that passes.',
    ];
  if (!passing && randomTried > 0)
    return [
      `It happens first come, first served, and under each of ${randomTried} random schedules, too: no order of deliveries was found that passes.`,
    ];
  return deviations === 0
    ? ['It happens first come, first served, but not under every schedule.']
    : ['Served first come, first served, the run fails, too.'];
}

/** What makes the difference, as it was tried. */
function causePart(
  { causes: { causes, passing, canonical }, complete, simplified, endless }: Explanation,
  wording: Wording,
): readonly string[] {
  const [cause] = causes;
  if (cause) return [causeSentences(cause, wording, partsTold)];
  if (!passing || !complete) return [];
  if (endless && canonical)
    return [
      'Here the same is chosen round after round, for ever: no choice that is made once makes the difference.',
    ];
  const none = canonical
    ? 'No small set of choices was found that makes the difference'
    : `A random schedule passes, ${reachWords(passing)}, and no small set of choices was found that makes the difference`;
  if (!simplified?.cause) return [`${none}.`];
  return [
    `${none} here. In the simpler run it is found:`,
    causeSentences(simplified.cause, wording, partsTold),
  ];
}

/** What went wrong on purpose before what makes the difference, or behind it. */
function faultPart(
  { faults, history, causes }: Explanation,
  wording: Wording,
  where: 'before the cause' | 'behind it',
): readonly string[] {
  const more = history.faults.length - faults.length;
  const parts = causes.causes[0]?.parts ?? [];
  const told = new Set(
    parts.flatMap((part) => (part.kind === 'answer' && isFault(part.here.what) ? [part.here.index] : [])),
  );
  const taken = new Set(parts.flatMap((part) => (part.kind === 'network' ? [part.step.fault] : [])));
  const begin = parts.length > 0 ? Math.min(...parts.map(indexOfPart)) : -1;
  const isBefore = where === 'before the cause';
  const others =
    more > 0 && !isBefore ? [`${more} more ${more === 1 ? 'fault' : 'faults'} struck besides.`] : [];
  return [
    ...faults
      .filter((one) => !told.has(one.index) && !taken.has(one) && one.index <= begin === isBefore)
      .map((one) => `In tick ${one.tick} ${struckWords(one, wording)}.`),
    ...others,
  ];
}

/** What can be seen of it: of all that is not so in the passing run, what the finding speaks of most, else what came first. */
function effectPart(
  { contrast, causes, past, telling, history }: Explanation,
  wording: Wording,
): readonly string[] {
  if (!contrast) return [];
  const [part] = causes.causes[0]?.parts ?? [];
  // What came again is told already.
  const begin = part ? indexOfPart(part) + (part.kind === 'again' ? 1 : 0) : 0;
  const visible = past.filter((one) => {
    const difference = contrast.differences.get(one);
    if (history.bookkeeping.has(one.message.to)) return false;
    return one.index >= begin && (difference === 'message' || difference === 'shown');
  });
  const words = (one: Step) => telling.words.get(one) ?? 0;
  const step = visible.reduce<Step | undefined>(
    (best, one) => (best && words(best) >= words(one) ? best : one),
    undefined,
  );
  if (!step) return [];
  const { message, from, to, shown } = step;
  const same = contrast.counterpart(step);
  if (contrast.differences.get(step) === 'shown') {
    const longer = shown.length < (same?.shown.length ?? 0) ? same!.shown : shown;
    const at = longer.findIndex(
      (_, index) => hashOf(shown[index] ?? null) !== hashOf(same?.shown[index] ?? null),
    );
    return [
      `In tick ${message.due} ${wording.actor(to)} then showed ${shownText(shown[at], same?.shown[at], message.due)}.`,
    ];
  }
  const sent = `In tick ${message.due} ${wording.actor(to)} then got ${wording.words(message)} from ${wording.actor(from)}`;
  if (!same) return [`${sent}; in the passing run that does not come.`];
  const when = same.message.due === message.due ? [] : [`it comes in tick ${same.message.due}`];
  const fields = otherFields(same.message.event, message.event);
  return [`${sent}; in the passing run ${[...when, ...(fields ? [`it has ${fields}`] : [])].join(' and ')}.`];
}

/** What an actor showed in a tick, and what it shows in the passing run. */
function shownText(here: Probe | undefined, there: Probe | undefined, tick: number): string {
  if (!here) return `nothing; in the passing run it shows ${there ? eventWords(there, tick) : 'nothing'}`;
  const shown = eventWords(here, tick);
  if (!there) return `${shown}; in the passing run it does not show that`;
  const other = here.type === there.type ? otherFields(there, here) : eventWords(there, tick);
  return `${shown}; in the passing run it shows ${other}`;
}

/** Where what was missed is now. */
function lastHeardPart({ lastHeard }: Explanation, wording: Wording): readonly string[] {
  if (!lastHeard) return [];
  const { what, step } = lastHeard;
  const { message, from, to } = step;
  return [
    `The last that was heard of ${what}: in tick ${message.due} ${wording.actor(to)} got ${wording.words(message)} from ${wording.actor(from)}.`,
  ];
}

/** Where no other run says what matters: the messages that the finding speaks of. */
function spokenOfPart(
  { contrast, failure, telling, lastHeard }: Explanation,
  wording: Wording,
): readonly string[] {
  const steps = telling.spokenOf.filter((step) => step !== lastHeard?.step);
  if (contrast || failure.verdict !== 'violated' || steps.length === 0) return [];
  const told = steps.map(
    ({ message, from, to }) =>
      `in tick ${message.due} ${wording.actor(to)} got ${wording.words(message)} from ${wording.actor(from)}`,
  );
  return [`Before that, ${listed(told)}.`];
}

/** Parts of a sentence with commas and "and". */
const listed = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;

/** What those who wait got from those whom they wait for, after they had begun to wait. */
function stillWaiting({ trial, steps }: Explanation['history'], wording: Wording): readonly string[] {
  return (trial.outcome.deadlock?.waiting ?? []).slice(0, stillWaitingMax).flatMap(({ actor, since, on }) => {
    const got = steps.findLast(
      ({ from, to, message, after, before }) =>
        to === actor && on.includes(from) && message.due >= since && before === after,
    );
    if (!got) return [];
    const what = `${wording.words(got.message)} from ${wording.actor(got.from)}`;
    const waits = `${wording.actor(actor)}, which waits since tick ${since}, got ${what} in tick ${got.message.due}`;
    return [`${waits} and went on waiting.`];
  });
}

/** Characters of a finding that is told once only. */
const longWhy = 200;

/** Actors of which that is told. */
const stillWaitingMax = 2;

/** How it ended. */
function failurePart({ failure, history, past, standing }: Explanation, wording: Wording): readonly string[] {
  const { verdict, tick, actors, what, why } = failure;
  const who = actors.length > 0 ? ` of ${actors.map((one) => wording.actor(one)).join(', ')}` : '';
  switch (verdict) {
    case 'violated': {
      const when =
        history.trial.run.ended && history.within === undefined
          ? `By the end of tick ${tick}`
          : `In tick ${tick}`;
      // What is long was told in front of all.
      const found = why.length > longWhy ? '' : `: ${why}`;
      // Where everything stands, that stands, too.
      const idle = isAtRest(history) && !standing ? idleWords(history.trial.outcome) : undefined;
      return [`${when} this was found${who}${found}.${idle ? ` Still ${idle}.` : ''}`];
    }
    case 'deadlock':
      return [
        // Who waits and why stands in front and behind.
        history.trial.outcome.idle
          ? `After tick ${tick} nothing that was under way changed anything where it went.`
          : `After tick ${tick} nothing was under way any more.`,
        ...stillWaiting(history, wording),
      ];
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
