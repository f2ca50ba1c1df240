import { type AnswerCause, type Cause, type CausePart, indexOfPart, type Passing } from './causes.ts';
import { type Decision, type Step, sentOnlyWith } from './history.ts';
import { isFault } from './identities.ts';
import { struckWords } from './struck-fault.ts';
import type { Wording } from './wording.ts';

/** What was so in the failing run and otherwise in the passing one, without its tick: `Box got read from Reader before write from Writer`. */
export function partWords(part: CausePart, wording: Wording): string {
  if (part.kind === 'order') {
    const { first, second } = part;
    const other = first.to === second.to ? '' : `${wording.actor(second.to)} got `;
    return `${wording.actor(first.to)} got ${sent(first, wording)} before ${other}${sent(second, wording)}`;
  }
  if (part.kind === 'again') {
    const before = part.again.message.timer ? '' : ', which it had got before';
    return `${wording.actor(part.again.to)} got ${sent(part.again, wording)}${before}`;
  }
  if (part.kind === 'network') return struckWords(part.step.fault, wording);
  return isFault(part.here.what) ? faultAnswer(part, wording) : choiceWords(part, wording);
}

const sent = ({ message, from }: Step, wording: Wording): string =>
  message.timer
    ? `its timer ${wording.words(message)}`
    : `${wording.words(message)} from ${wording.actor(from)}`;

/** The tick in which a part of a cause happened. */
export const tickOfPart = (part: CausePart): number => {
  if (part.kind === 'answer') return part.here.tick;
  if (part.kind === 'network') return part.step.fault.tick;
  return (part.kind === 'order' ? part.first : part.again).message.due;
};

/** How a part of a cause is in the passing run, as the beginning of a sentence. */
export function otherwiseWords(part: CausePart, wording: Wording): string {
  if (part.kind === 'order')
    return `the other way round${part.gone ? `, so that ${part.first.message.event.type} does not come` : ''}`;
  if (part.kind === 'again') return 'left until nothing else can be delivered';
  if (part.kind === 'network')
    return part.step.fault.kind === 'restart' || part.step.fault.kind === 'heal'
      ? 'without that'
      : 'without that fault';
  if (isFault(part.here.what)) return part.here.pick > 0 ? 'without that fault' : 'with that fault';
  return `answered ${answerWords(part.there, part.here, wording)}`;
}

function faultAnswer({ here }: AnswerCause, wording: Wording): string {
  return `${here.pick > 0 ? 'a fault struck' : 'a fault did not strike'}: ${faultPlace(here.what, wording)}`;
}

/** A question about a fault in words: `crash of Writer in front of go (world -> Writer)`. */
function faultPlace(what: string, wording: Wording): string {
  const [, kind, from, to, type] = /^fault (\w+) (.+?) -> (.+?) (\S+)/.exec(what) ?? [];
  if (kind === undefined || from === undefined || to === undefined) return what;
  const way = `${type} (${wording.actor(from)} -> ${wording.actor(to)})`;
  return kind === 'crash' ? `crash of ${wording.actor(to)} in front of ${way}` : `${kind} of ${way}`;
}

function choiceWords({ here, there }: AnswerCause, wording: Wording): string {
  // Of what is asked several times in one handling it matters which time.
  const before = Number(/ in handling .* (\d+)$/.exec(here.question?.key ?? '')?.[1] ?? 0);
  const time = before === 0 ? '' : `, asked again (${before + 1}),`;
  return `"${here.what}"${time} was answered ${answerWords(here, there, wording)} of 0..${here.count - 1}`;
}

/** An answer to a question, and what was sent then and not with another one: `1 (sending turn.take to Flag)`. */
function answerWords(answer: Decision, other: Decision, wording: Wording): string {
  const sent = sentOnlyWith(answer, other);
  return sent ? `${answer.pick} (sending ${wording.sentTo(sent)})` : String(answer.pick);
}

/** How far a passing run went. */
export function reachWords({ rested, history }: Passing): string {
  const { outcome, open } = history.trial;
  const last = Math.max(0, outcome.ticks - 1);
  if (rested) return `to its rest after tick ${last}`;
  // Of another sentence: what the failing run misses has come there.
  const others = open.map((sentence) => `"${sentence}"`).join(' and ');
  const missing = others === '' ? '' : ` (what ${others} awaits had not come then)`;
  return `as far as it was followed, to tick ${last} and ${outcome.deliveries} deliveries${missing}`;
}

/** A cause as sentences: what was so, and how far the run goes without it. */
export function causeSentences({ parts, passing }: Cause, wording: Wording, most: number): string {
  const reach = `the run passes, ${reachWords(passing)}`;
  if (parts.length === 1) {
    const [part] = parts as readonly [CausePart];
    const what = `In tick ${tickOfPart(part)} ${partWords(part, wording)}.`;
    return `${what} ${capital(otherwiseWords(part, wording))}, and all else the same, ${reach}.`;
  }
  const inOrder = parts.slice(0, most).sort((one, other) => indexOfPart(one) - indexOfPart(other));
  const some = inOrder.map((part) => `in tick ${tickOfPart(part)} ${partWords(part, wording)}`);
  const more = parts.length > some.length ? `, and ${parts.length - some.length} more` : '';
  return `${parts.length} things do it together: ${some.join('; ')}${more}. With all of them otherwise, and all else the same, ${reach}; with any of them left as it is, it fails.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
