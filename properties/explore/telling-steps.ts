import { payloadOf } from '../../scenarios/exports/plain-data.ts';
import type { Contrast, Difference } from './contrast.ts';
import { concerns } from './happened-before.ts';
import type { Step } from './history.ts';

/** What is known of a failure when the deliveries that tell most about it are looked for. */
export interface Clues {
  /** Deliveries in any case: those of the choice, the swap, the failure. */
  readonly given: readonly Step[];
  readonly actors: readonly string[];
  /** What was found, in words. */
  readonly why: string;
  /** Deliveries that are told only when they are given: they drive the others. */
  readonly isBookkeeping: (step: Step) => boolean;
  /** How the run differs from one in which all is well. */
  readonly contrast?: Contrast | undefined;
}

/*
 * How much speaks for a delivery. The numbers are guesses that served well: what only the failing run has comes first, then what the finding
 * speaks of, then what the actors of the finding got last and what caused the deliveries that are told in any case.
 */
const weightOfDifference: Readonly<Record<Difference, number>> = { message: 3, shown: 3, state: 0 };
const weightOfWords = 3;
const weightOfActors = 1.5;
const weightOfCauses = 1.2;
/** What a delivery must have to be told at all. */
const worthTelling = 1;
/** Deliveries that a sentence has room for. */
const spokenOfMax = 3;
/** Deliveries that are told of a past that is longer. */
export const tellingMax = 14;
/** Actors that fit side by side. */
const lanesMax = 6;

/** Deliveries of a past that tell about a failure. */
export interface Telling {
  /** Those that tell most, the most telling first. */
  readonly ranked: readonly Step[];
  /** Of these, the few whose messages have most of what the finding speaks of, in their order. */
  readonly spokenOf: readonly Step[];
  /** How much of what the finding speaks of a delivery has, from 0 to 1; absent for nothing. */
  readonly words: ReadonlyMap<Step, number>;
}

/** Deliveries in their order. */
export const inOrder = (steps: Iterable<Step>): readonly Step[] =>
  [...steps].sort((a, b) => a.index - b.index);

/** Finds the deliveries of a past that tell most about a failure, at most `count`. */
export function tellingSteps(past: ReadonlySet<Step>, clues: Clues, count: number): Telling {
  const steps = inOrder(past);
  const words = wordScores(steps, clues.why);
  const causes = causeScores(steps, clues.given);
  const received = steps.filter(({ to }) => concerns(clues.actors, to)).toReversed();
  const actors = new Map(received.map((step, ago) => [step, 1 / (1 + ago)]));
  const marks = clues.given.map(({ index }) => index);
  const score = (step: Step): number => {
    const difference = clues.contrast?.differences.get(step);
    // Differences spread: those near the choice and near the failure tell how it began and what came of it.
    const distance = Math.min(...marks.map((index) => Math.abs(index - step.index)), past.size);
    return (
      (difference ? weightOfDifference[difference] / (1 + Math.log2(1 + distance) / 4) : 0) +
      weightOfWords * (words.get(step) ?? 0) +
      weightOfActors * (actors.get(step) ?? 0) +
      weightOfCauses * (causes.get(step) ?? 0)
    );
  };
  const told = new Set(clues.given);
  // Who is named has a lane.
  for (const name of clues.actors.slice(0, lanesMax - 1)) {
    if ([...told].some(({ from, to }) => concerns([name], to) || concerns([name], from))) continue;
    const own = received.filter(({ to }) => concerns([name], to));
    const [best] = own.sort((one, other) => score(other) - score(one) || other.index - one.index);
    if (best) told.add(best);
  }
  const lanes = new Set([...told].flatMap(lanesOf));
  const width = Math.max(lanesMax, lanes.size);
  const others = steps
    .filter((step) => !told.has(step) && !clues.isBookkeeping(step))
    .map((step) => ({ step, score: score(step) }))
    .filter((one) => one.score >= worthTelling)
    .sort((a, b) => b.score - a.score || b.step.index - a.step.index);
  for (const { step } of others) {
    const wider = new Set([...lanes, ...lanesOf(step)]);
    if (told.size >= count || wider.size > width) continue;
    told.add(step);
    for (const lane of wider) lanes.add(lane);
  }
  const ranked = [...told];
  const speaking = ranked.filter((step) => (words.get(step) ?? 0) > 0);
  const concerned = speaking.filter(({ to }) => concerns(clues.actors, to));
  const spokenOf = (concerned.length > 0 ? concerned : speaking)
    .sort((a, b) => words.get(b)! - words.get(a)! || b.index - a.index)
    .slice(0, spokenOfMax);
  return { ranked, spokenOf: inOrder(spokenOf), words };
}

/** The deliveries that tell most, at most so many, in their order: a short past is told whole, since a gap in it raises a question. */
export function stepsInLanes(
  { past, telling }: { readonly past: readonly Step[]; readonly telling: Telling },
  most = tellingMax,
): readonly Step[] {
  const whole = new Set([...past, ...telling.ranked]);
  const lanes = new Set([...whole].flatMap(lanesOf));
  return inOrder(whole.size <= most && lanes.size <= lanesMax ? whole : telling.ranked.slice(0, most));
}

/** Fields that say when something is: that a value is the same number as a time means nothing. */
const timeField = /^(t|tick|cycle|now|time|next|since|start|end)$/i;

const lanesOf = ({ from, to }: Step): readonly string[] => [from, to];

/**
 * How much each delivery has of what a text speaks of, 0 to 1: numbers and words that are rare among the messages count most.
 *
 * Details: squared, since half of the words say much less than half.
 */
function wordScores(steps: readonly Step[], why: string): ReadonlyMap<Step, number> {
  const asked = new Set(why.match(/\w+/g));
  const found = new Map<Step, readonly string[]>();
  const frequency = new Map<string, number>();
  for (const step of steps) {
    const values = [step.message.event, ...step.shown].flatMap((data) =>
      Object.entries(payloadOf(data)).flatMap(([key, value]) => (timeField.test(key) ? [] : [String(value)])),
    );
    const names = `${step.from} ${step.to}`.match(/\w+/g) ?? [];
    const types = step.shown.map(({ type }) => type);
    const here = [...new Set([...values, ...types, ...names])].filter((value) => asked.has(value));
    if (here.length > 0) found.set(step, here);
    for (const value of here) frequency.set(value, (frequency.get(value) ?? 0) + 1);
  }
  const rarity = (value: string) => Math.log(1 + steps.length / frequency.get(value)!);
  const raw = [...found].map(
    ([step, here]) => [step, here.reduce((sum, one) => sum + rarity(one), 0)] as const,
  );
  const most = raw.reduce((max, [, sum]) => Math.max(max, sum), 0);
  return new Map(raw.map(([step, sum]) => [step, (sum / most) ** 2]));
}

/** How near each delivery is as a cause of the given ones: 1 for a direct cause, half as much for each further one. */
function causeScores(steps: readonly Step[], given: readonly Step[]): ReadonlyMap<Step, number> {
  const bySeq = new Map(steps.map((step) => [step.message.seq, step]));
  const scores = new Map<Step, number>();
  for (const { message } of given) {
    let score = 1;
    for (let at = bySeq.get(message.cause); at && score > 0.1; at = bySeq.get(at.message.cause)) {
      scores.set(at, Math.max(scores.get(at) ?? 0, score));
      score /= 2;
    }
  }
  return scores;
}
