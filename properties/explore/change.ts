import type { Decision, History, Step } from './history.ts';
import { againOf } from './identities.ts';

/** A message that takes another place among those to its receiver. Messages are named as in `Step.key`. */
export interface OrderChange {
  readonly kind: 'order';
  readonly moved: string;
  /** The message in front of which, or behind which, it comes then. */
  readonly where: 'before' | 'after';
  readonly other: string;
}

/** A message is held back until another one has come: to somebody else, or one that the run itself does not know. Messages are named as in `Step.key`. */
export interface AcrossChange {
  readonly kind: 'across';
  readonly held: string;
  readonly until: string;
}

/** Another answer to a question, named as in `Question.key`. */
export interface AnswerChange {
  readonly kind: 'answer';
  readonly question: string;
  readonly pick: number;
  /** What came of that answer elsewhere; the answer with this effect is the one that is meant. */
  readonly effect?: string;
}

/** What a duplicating network delivers again, or a timer where there is no time, named as in `Step.key`, comes only when nothing else is left. */
export interface AgainChange {
  readonly kind: 'again';
  readonly again: string;
}

/** A step of the network, named as in `NetworkStep.key`, is not taken. */
export interface NetworkChange {
  readonly kind: 'network';
  readonly step: string;
}

/** One thing that is otherwise than in a given run, all else meaning the same. */
export type Change = OrderChange | AcrossChange | AnswerChange | AgainChange | NetworkChange;

/** Names a change: two of one name are the same. */
export function nameOfChange(change: Change): string {
  switch (change.kind) {
    case 'order':
      return `${change.moved} ${change.where} ${change.other}`;
    case 'across':
      return `${change.held} until ${change.until}`;
    case 'answer':
      return `${change.question} = ${change.pick}`;
    case 'again':
      return change.again;
    case 'network':
      return change.step;
  }
}

/**
 * In what the schedule of a run differs from that of another one, by meaning: all changes together make the other out of the first.
 *
 * Details: only the order of messages to the same receiver means anything, since deliveries to different ones commute; of those, the fewest
 * that must move. A question that only one of the runs asks is a consequence of something else, unless it asks for a fault.
 */
export function differencesOf(from: History, to: History): readonly Change[] {
  return [...orderChanges(from, to), ...answerChanges(from, to)];
}

function answerChanges(from: History, to: History): readonly Change[] {
  const others = new Map(to.decisions.flatMap((one) => (one.question ? [[one.question.key, one]] : [])));
  return from.decisions.flatMap(({ question, pick }): AnswerChange[] => {
    if (!question) return [];
    const other = others.get(question.key);
    if (!other?.question) return pick === 0 ? [] : [{ kind: 'answer', question: question.key, pick: 0 }];
    const same = other.pick === pick && other.question.effect === question.effect;
    if (same || (other.question.effect === question.effect && question.posted.length > 0)) return [];
    const { key, effect, posted } = other.question;
    const seen = posted.length > 0 && { effect };
    return [{ kind: 'answer', question: key, pick: other.pick, ...seen }];
  });
}

function orderChanges(from: History, to: History): readonly Change[] {
  const theirs = byReceiver([...to.steps, ...to.late]);
  return [...byReceiver([...from.steps, ...from.late])].flatMap(([receiver, mine]) => {
    const places = new Map((theirs.get(receiver) ?? []).map(({ key }, place) => [key, place]));
    const common = mine.map(({ key }) => key).filter((key) => places.has(key));
    const stay = new Set(longestRise(common, (key) => places.get(key)!));
    if (stay.size === common.length) return [];
    const sorted = common.toSorted((one, other) => places.get(one)! - places.get(other)!);
    return sorted.flatMap((moved, at): OrderChange[] => {
      if (stay.has(moved)) return [];
      const next = sorted[at + 1];
      const previous = sorted[at - 1];
      if (next !== undefined) return [{ kind: 'order', moved, where: 'before', other: next }];
      return previous === undefined ? [] : [{ kind: 'order', moved, where: 'after', other: previous }];
    });
  });
}

/**
 * Messages of a run that do not come in another one, each with the next one to its receiver that does, which may be why: a timer that it cancels, a message that is refused behind it.
 *
 * Details: whatever else led to a message that does not come is tried in vain.
 */
export function overtakings(from: History, to: History): readonly OrderChange[] {
  const theirs = new Set([...to.steps, ...to.late].map(({ key }) => key));
  const { asynchronous } = from.trial.run;
  return [...byReceiver([...from.steps, ...from.late]).values()].flatMap((mine) => {
    let next: Step | undefined;
    return mine.toReversed().flatMap((step) => {
      if (!theirs.has(step.key)) return next ? overtaking(next, step, asynchronous) : [];
      next = step;
      return [];
    });
  });
}

/** A message from somebody else, or a timer, that could have come before another one. */
function overtaking(next: Step, first: Step, asynchronous: boolean): readonly OrderChange[] {
  const [one, other] = [first.message, next.message];
  if (one.from === other.from && (one.timer || !asynchronous)) return [];
  return asynchronous || one.due === other.due
    ? [{ kind: 'order', moved: next.key, where: 'before', other: first.key }]
    : [];
}

/** Each delivery of what came before, and each timer where there is no time, left for the end. */
export const repetitions = (history: History): readonly AgainChange[] =>
  history.steps
    .filter((step) => canBeLeft(history, step))
    .map(({ key }): AgainChange => ({ kind: 'again', again: key }));

const canBeLeft = ({ trial }: History, { key, message }: Step): boolean =>
  againOf(key) !== undefined || (message.timer && trial.run.asynchronous);

/** Each step of the network not taken; of equal ones the last, since the one before would have the name of the next. */
export function networkChanges({ network }: History): readonly NetworkChange[] {
  const lastOf = new Map(network.map(({ key }) => [key.slice(0, key.lastIndexOf(' ')), key]));
  return [...lastOf.values()].map((step) => ({ kind: 'network', step }));
}

/** Deliveries by receiver, in their order. */
export function byReceiver(steps: Iterable<Step>): ReadonlyMap<number, readonly Step[]> {
  const found = new Map<number, Step[]>();
  for (const step of steps) {
    const known = found.get(step.message.to);
    if (known) known.push(step);
    else found.set(step.message.to, [step]);
  }
  return found;
}

/** A longest subsequence whose places rise. */
function longestRise(keys: readonly string[], placeOf: (key: string) => number): readonly string[] {
  /** By length, the index at which the rise of that length with the lowest end ends. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, key] of keys.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeOf(keys[ends[middle]!]!) < placeOf(key)) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1]! : -1);
    ends[low] = index;
  }
  const rise: string[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) rise.push(keys[at]!);
  return rise.reverse();
}

/** Pairs of messages to one receiver, or of a timer and a message, that could have come the other way round, and answers that could have been others: the latest first. */
export function nearbyChanges(history: History): readonly Change[] {
  const { steps, late, decisions } = history;
  const { asynchronous } = history.trial.run;
  const keys = new Map([...steps, ...late].map(({ message, key }) => [message.seq, key]));
  const at = (index: number, changes: readonly Change[]) => changes.map((change) => ({ index, change }));
  const chosen = decisions.flatMap((decision) => at(decision.index, otherwise(decision, keys)));
  const waited = [...byReceiver([...steps, ...late]).values()].flatMap((received) =>
    received.slice(1).flatMap((second, before): { index: number; change: Change }[] => {
      const first = received[before]!;
      // A timer that is cancelled does not come behind the other one; without time it goes off whenever it will.
      if (first.message.timer) return at(second.index, overtaking(second, first, asynchronous));
      const together = first.message.due === second.message.due && first.message.from !== second.message.from;
      if (!together) return [];
      return at(second.index, [{ kind: 'order', moved: first.key, where: 'after', other: second.key }]);
    }),
  );
  const repeated = steps
    .filter((step) => canBeLeft(history, step))
    .flatMap(({ key, index }) => at(index, [{ kind: 'again', again: key }]));
  const network = new Map(history.network.map(({ key, index }) => [key, index]));
  const lost = networkChanges(history).flatMap((change) => at(network.get(change.step)!, [change]));
  const latest = [...chosen, ...waited, ...repeated, ...lost].sort((one, other) => other.index - one.index);
  return [...new Map(latest.map(({ change }) => [nameOfChange(change), change])).values()];
}

/** Of the last messages before the failure, how many are held back, and behind how many others each. */
const [heldMax, untilMax] = [6, 8];

/** The last messages before the failure, each held back until one to somebody else has come that was under way then: a state is wrong in which both have a part. */
export function acrossChanges({ steps, late, trial }: History): readonly AcrossChange[] {
  const all = [...steps, ...late];
  const indexOf = new Map(all.map(({ message, index }) => [message.seq, index]));
  return steps
    .slice(-heldMax)
    .toReversed()
    .flatMap((held) =>
      all
        .slice(held.index + 1)
        .filter(
          ({ message }) =>
            message.to !== held.message.to &&
            (indexOf.get(message.cause) ?? -1) < held.index &&
            (trial.run.asynchronous || message.due === held.message.due),
        )
        .slice(0, untilMax)
        .map(({ key }): AcrossChange => ({ kind: 'across', held: held.key, until: key })),
    );
}

/** Of the messages that come before another one in a passing run only, how many of the first are tried. */
const precedentsMax = 4;

/**
 * Messages of an asynchronous run, each held back until one to its receiver has come that comes before it in another run: one that this run ended too early for, or that is another one here, since it
 * follows from the held one. The latest first.
 */
export function precedents(
  from: History,
  to: History,
  follows: (step: Step, from: Step) => boolean,
): readonly AcrossChange[] {
  if (!from.trial.run.asynchronous) return [];
  const mine = new Map([...from.steps, ...from.late].map((step) => [step.key, step]));
  const theirs = byReceiver(to.steps);
  return from.steps.toReversed().flatMap((step): AcrossChange[] => {
    const inbox = theirs.get(step.message.to) ?? [];
    const place = inbox.findIndex(({ key }) => key === step.key);
    return inbox
      .slice(0, Math.max(0, place))
      .filter(({ key }) => !mine.has(key) || follows(mine.get(key)!, step))
      .slice(0, precedentsMax)
      .map(({ key }) => ({ kind: 'across', held: step.key, until: key }));
  });
}

/** What a decision could have been: another answer, or another message to the same receiver. */
function otherwise(
  { candidates, pick, count, question }: Decision,
  keys: ReadonlyMap<number, string>,
): readonly Change[] {
  if (question)
    return Array.from({ length: count }, (_, other) => other)
      .filter((other) => other !== pick)
      .map((other) => ({ kind: 'answer', question: question.key, pick: other }));
  const chosen = candidates[pick]!;
  return candidates.flatMap((other): Change[] => {
    const [moved, before] = [keys.get(other.seq), keys.get(chosen.seq)];
    if (other === chosen || other.to !== chosen.to || moved === undefined || before === undefined) return [];
    return [{ kind: 'order', moved, where: 'before', other: before }];
  });
}
