import type { Found, Observer } from '../../kernel/explore/observer.ts';
import { oneOf, onlyKeys } from '../../kernel/known-keys.ts';
import { exchanging, sameKeys, seeing, watching } from './claim.ts';
import {
  actorsOf,
  answered,
  exchangedMoment,
  type Meaning,
  type Moment,
  meantBy,
  type Pattern,
  patternOf,
  remembered,
  type StatePredicate,
  wordsOf,
} from './pattern.ts';

/** Which runs without end count. */
export interface Fairness {
  /**
   * True: only those in which no channel (ordered pair of actors) that can always step is left out for ever (weak fairness). Default false: all of them.
   *
   * Details: runs without end are judged by `check`; a single run never proves that it goes on for ever.
   */
  readonly fair?: boolean;
}

/** How long something may take. */
export interface Deadline extends Fairness {
  /** Ticks from its cause, or from tick 0, at most: 0 is in the same tick. Any time, but not for ever, when absent. */
  readonly within?: number;
}

/** A message or probe that is still to be followed by something. */
interface Open {
  readonly key: string;
  readonly cause: Moment;
  /** Ticks that are left; 0 without a deadline. */
  left: number;
}

export interface Waiting {
  /** By key, of one key the oldest first: memories that wait for the same are equal. */
  open: Open[];
  /** Keys of which more is open than is remembered. */
  more?: string[];
  /** Between the end of a tick and the look at the state there, which still belongs to it. */
  isOver?: true;
}

/** Something that must come: what begins the waiting, what ends it, and what to say when it does not. */
interface Expectation {
  readonly within: number | undefined;
  readonly fair: boolean | undefined;
  readonly sentence: string;
  readonly patterns: readonly Pattern[];
  readonly begin: () => Waiting;
  readonly see: (memory: Waiting, moment: Moment, met: (key: string) => void) => void;
  readonly missing: (open: Open) => Found;
  readonly abridge?: (memory: Waiting) => string | undefined;
}

/** Errors: KRN024. */
function checkDeadline(
  where: string,
  fair: boolean | undefined,
  others: object,
  more: readonly string[] = [],
): void {
  onlyKeys(where, others, ['within', 'fair', ...more]);
  oneOf(`${where}.fair`, fair, [undefined, true, false]);
}

/** A moment of the pattern, or a state in which the predicate holds, comes: in tick `within` at the latest, or else some time in every run. */
export function eventually(
  sentence: string,
  meaning: Meaning,
  { within, fair, ...others }: Deadline = {},
): Observer<Waiting> {
  checkDeadline('eventually', fair, others);
  const pattern = patternOf(meaning);
  const begun: Moment = { kind: 'endOfTick' };
  return expected({
    sentence,
    within,
    fair,
    patterns: [pattern],
    begin: () => ({ open: [{ key: '', cause: begun, left: within ?? 0 }] }),
    see: (memory, moment) => {
      if (memory.open.length > 0 && pattern.matches(moment)) memory.open = [];
    },
    missing: () => ({ actors: [], why: `no ${meantBy(pattern)} came` }),
  });
}

/** Whether each cause needs an effect of its own. */
export interface Answering {
  /** `one`: an effect answers the oldest cause of its key; `all`: every cause of its key so far. Default `one`, and `all` where the causes are states. */
  readonly answers?: 'one' | 'all';
}

/**
 * Every cause is followed by an effect of the same key, in time: `leadsTo('a request is granted in time', request, grant, { within: 100 })`.
 *
 * Details: with predicates, each state in which the cause holds is followed by one in which the effect holds, or is one itself. Judged when its time is up; without a deadline
 * when nothing will happen any more, and by `check` on runs without end.
 *
 * Gotchas: causes that are counted one by one and never answered make a new state each; `check` remembers the 32 oldest ones of a key, and leaves the sentence open where more of them matter. `answers: 'all'`
 * remembers one.
 */
export function leadsTo(
  sentence: string,
  causeMeaning: Meaning,
  effectMeaning: Meaning,
  { within, fair, answers, ...others }: Deadline & Answering = {},
): Observer<Waiting> {
  checkDeadline('leadsTo', fair, others, ['answers']);
  oneOf('leadsTo.answers', answers, [undefined, 'one', 'all']);
  const [cause, effect] = [patternOf(causeMeaning), patternOf(effectMeaning)];
  sameKeys(sentence, [cause, effect]);
  const one = !cause.ofStates && !effect.ofStates && answers !== 'all';
  const answer = (memory: Waiting, key: string) => {
    const oldest = memory.open.findIndex((open) => open.key === key);
    memory.open = memory.open.filter((open, at) => (one ? at !== oldest : open.key !== key));
  };
  return expected({
    sentence,
    within,
    fair,
    patterns: [cause, effect],
    begin: () => ({ open: [] }),
    see: (memory, moment, met) => {
      const answered = effect.matches(moment);
      if (answered) {
        answer(memory, effect.key(moment));
        met(effect.key(moment));
      }
      if (!cause.matches(moment) || (answered && moment.kind === 'state')) return;
      const key = cause.key(moment);
      // Of causes that are answered together the oldest has the least time.
      if (!one && memory.open.some((open) => open.key === key)) return;
      const before = memory.open.findLastIndex((open) => open.key <= key);
      memory.open.splice(before + 1, 0, {
        key,
        cause: remembered(moment),
        left: within ?? 0,
      });
    },
    ...(one && { abridge }),
    missing: ({ cause: moment }) => ({
      actors: actorsOf(moment),
      why: `${wordsOf(moment)} was not followed by ${effect.ofStates ? 'a ' : ''}${meantBy(effect, 'the effect')}`,
    }),
  });
}

/** Causes of one key that the checker remembers. */
const openMax = 32;

/** Forgets the youngest of many causes of one key. What is left is open in any case; whether there was more shows once all of that is answered. */
function abridge(memory: Waiting): string | undefined {
  if (memory.open.length > openMax) {
    const counts = new Map<string, number>();
    const more = new Set(memory.more);
    memory.open = memory.open.filter(({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > openMax) more.add(key);
      return count <= openMax;
    });
    if (more.size > 0) memory.more = [...more].sort();
  }
  const answered = memory.more?.some((key) => memory.open.every((open) => open.key !== key));
  return answered
    ? `more than ${openMax} causes were open at once, which are not counted one by one; answers: 'all' remembers one`
    : undefined;
}

function expected({
  abridge: forget,
  sentence,
  patterns,
  within,
  fair,
  begin,
  see,
  missing,
}: Expectation): Observer<Waiting> {
  if (within !== undefined && !(Number.isSafeInteger(within) && within >= 0))
    throw new Error(
      `"${sentence}": within ${within}\n  help: a deadline is a whole number of ticks, 0 for the same tick`,
    );
  /** Tells of those that were waited for in vain, and waits for them no more. */
  const giveUp = (memory: Waiting, isLate: (open: Open) => boolean, how = ''): Found | undefined => {
    const [late, ...more] = memory.open.filter(isLate);
    if (!late) return undefined;
    memory.open = memory.open.filter((open) => !isLate(open));
    delete memory.more;
    const { actors, why } = missing(late);
    return { actors, why: `${why}${how}${more.length > 0 ? `, and ${more.length} more like it` : ''}` };
  };
  const inTime = ` within ${within} ticks`;
  const outOfTime = (memory: Waiting) => giveUp(memory, ({ left }) => left === 0, inTime);
  const asksForStates = patterns.some(({ ofStates }) => ofStates);
  const observer = {
    sentence,
    ...watching(...patterns),
    begin,
    ...exchanging<Waiting>(patterns, ({ open, more }, nameOf) => ({
      ...(more && { more: more.map(nameOf).sort() }),
      open: open
        .map(({ key, cause, left }) => ({ key: nameOf(key), cause: exchangedMoment(cause, nameOf), left }))
        .sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key))),
    })),
    ...seeing<Waiting>(patterns, (memory, moment, met) => {
      see(memory, moment, met);
      if (memory.isOver === undefined) return undefined;
      delete memory.isOver;
      return outOfTime(memory);
    }),
    atRest: (memory: Waiting) => giveUp(memory, () => true),
  };
  if (within === undefined) {
    // One of each key: there may be thousands, and they are asked for in each tick of a round.
    const pending = ({ open }: Waiting) =>
      open
        .filter(({ key }, at) => key !== open[at - 1]?.key)
        .map((one) => ({ key: one.key, ...missing(one) }));
    return { ...observer, pending, ...(forget && { abridge: forget }), ...(fair && { fair }) };
  }
  return {
    ...observer,
    advance: (memory, ticks) => {
      for (const one of memory.open) one.left -= ticks;
      return giveUp(memory, ({ left }) => left < 0, inTime);
    },
    endOfTick: (memory) => {
      if (!asksForStates) return outOfTime(memory);
      memory.isOver = true;
      return undefined;
    },
  };
}

/** Whether `until` still waits. */
export interface Holding {
  waits: boolean;
}

/**
 * In each state the predicate holds until the goal comes, and it does come: `until('it is locked until everybody has read', isLocked, allHaveRead)`.
 *
 * Details: the state in which the goal holds is not asked for the predicate; nor is one in whose tick the goal came.
 */
export function until(
  sentence: string,
  holds: StatePredicate,
  goalMeaning: Meaning,
  { fair, ...others }: Fairness = {},
): Observer<Holding> {
  onlyKeys('until', others, ['fair']);
  const goal = patternOf(goalMeaning);
  const missing = { actors: [], why: `no ${meantBy(goal, 'the goal')} came` };
  return {
    sentence,
    ...watching(goal),
    begin: () => ({ waits: true }),
    ...seeing<Holding>([goal, patternOf(holds)], (memory, moment) => {
      if (!memory.waits) return undefined;
      const broken = moment.kind === 'state' && moment.state !== undefined && !answered(holds(moment.state));
      if (!goal.matches(moment) && !broken) return undefined;
      memory.waits = false;
      return goal.matches(moment)
        ? undefined
        : {
            actors: [],
            why: `it did not hold in ${wordsOf(moment)}, before any ${meantBy(goal, 'the goal')} came`,
          };
    }),
    atRest: ({ waits }) => (waits ? missing : undefined),
    pending: ({ waits }) => (waits ? [{ key: '', ...missing }] : []),
    ...(fair && { fair }),
  };
}
