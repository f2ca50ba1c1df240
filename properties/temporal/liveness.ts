import type { Found, Observer } from '../../kernel/explore/observer.ts';
import { sameKeys, typesOf } from './claim.ts';
import { actorsOf, type Moment, meantBy, type Pattern, wordsOf } from './pattern.ts';

/** How long something may take. */
export interface Deadline {
  /** Ticks from its cause, or from tick 0, at most: 0 is in the same tick. As long as the run goes on when absent. */
  readonly within?: number;
}

/** A message or probe that is still to be followed by something. */
interface Open {
  readonly key: string;
  readonly cause: Moment;
  /** Ticks that are left; 0 without a deadline. */
  left: number;
}

interface Waiting {
  /** By key, of one key the oldest first: memories that wait for the same are equal. */
  open: Open[];
}

/** Something that must come: what begins the waiting, what ends it, and what to say when it does not. */
interface Expectation {
  readonly within: number | undefined;
  readonly sentence: string;
  readonly watches: readonly string[];
  readonly begin: () => Waiting;
  readonly see: (memory: Waiting, moment: Moment) => void;
  readonly missing: (open: Open) => Found;
}

/** A moment of the pattern comes, in tick `within` at the latest, or else before the run is over. */
export function eventually(sentence: string, pattern: Pattern, { within }: Deadline = {}): Observer<Waiting> {
  const begun: Moment = { kind: 'endOfTick' };
  return expected({
    sentence,
    within,
    watches: typesOf(pattern),
    begin: () => ({ open: [{ key: '', cause: begun, left: within ?? 0 }] }),
    see: (memory, moment) => {
      if (memory.open.length > 0 && pattern.matches(moment)) memory.open = [];
    },
    missing: () => ({ actors: [], why: `no ${meantBy(pattern)} came` }),
  });
}

/** Whether each cause needs an effect of its own. */
export interface Answering {
  /** `one`: an effect answers the oldest cause of its key; `all`: every cause of its key so far. Default `one`. */
  readonly answers?: 'one' | 'all';
}

/**
 * Every cause is followed by an effect of the same key, in time: `leadsTo('a request is granted in time', request, grant, { within: 100 })`.
 *
 * Details: judged when its time is up, or when nothing will happen any more.
 */
export function leadsTo(
  sentence: string,
  cause: Pattern,
  effect: Pattern,
  { within, answers = 'one' }: Deadline & Answering = {},
): Observer<Waiting> {
  sameKeys(sentence, [cause, effect]);
  const answer = (memory: Waiting, key: string) => {
    const oldest = memory.open.findIndex((one) => one.key === key);
    memory.open = memory.open.filter((one, at) => (answers === 'one' ? at !== oldest : one.key !== key));
  };
  return expected({
    sentence,
    within,
    watches: typesOf(cause, effect),
    begin: () => ({ open: [] }),
    see: (memory, moment) => {
      if (effect.matches(moment)) answer(memory, effect.key(moment));
      if (!cause.matches(moment)) return;
      const key = cause.key(moment);
      // Of causes that are answered together the oldest has the least time.
      if (answers === 'all' && memory.open.some((one) => one.key === key)) return;
      const after = memory.open.findIndex((one) => one.key > key);
      memory.open.splice(after < 0 ? memory.open.length : after, 0, {
        key,
        cause: moment,
        left: within ?? 0,
      });
    },
    missing: ({ cause: moment }) => ({
      actors: actorsOf(moment),
      why: `${wordsOf(moment)} was not followed by ${meantBy(effect)}`,
    }),
  });
}

function expected({ sentence, watches, within, begin, see, missing }: Expectation): Observer<Waiting> {
  if (within !== undefined && !(Number.isSafeInteger(within) && within >= 0))
    throw new Error(
      `"${sentence}": within ${within}\n  help: a deadline is a whole number of ticks, 0 for the same tick`,
    );
  /** Tells of those that were waited for in vain, and waits for them no more. */
  const giveUp = (memory: Waiting, isLate: (open: Open) => boolean, how = ''): Found | undefined => {
    const [late, ...more] = memory.open.filter(isLate);
    if (!late) return undefined;
    memory.open = memory.open.filter((open) => !isLate(open));
    const { actors, why } = missing(late);
    return { actors, why: `${why}${how}${more.length > 0 ? `, and ${more.length} more like it` : ''}` };
  };
  const observer = {
    sentence,
    watches,
    begin,
    see: (memory: Waiting, moment: Moment) => {
      see(memory, moment);
      return undefined;
    },
    quiet: (memory: Waiting) => giveUp(memory, () => true),
  };
  if (within === undefined) return observer;
  const inTime = ` within ${within} ticks`;
  return {
    ...observer,
    advance: (memory, ticks) => {
      for (const one of memory.open) one.left -= ticks;
      return giveUp(memory, ({ left }) => left < 0, inTime);
    },
    endOfTick: (memory) => giveUp(memory, ({ left }) => left === 0, inTime),
  };
}
