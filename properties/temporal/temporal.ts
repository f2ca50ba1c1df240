import type { Found, Observer, Sight } from '../../kernel/explore/observer.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { actorsOf, matched, type Pattern, typesOf, wordsOf } from './pattern.ts';

/*
 * Sentences about what happens when, for runs and for the exhaustive checker alike: each is an observer whose memory is data. Safety is judged at
 * once; what must come some time is judged when nothing will happen any more, or, with `within`, when its time is up.
 */

// biome-ignore lint/suspicious/noExplicitAny: an event of any shape
type Event = any;

/** An event of the pattern never happens. */
export function never<E extends LockstepEvent | Probe = Event>(
  sentence: string,
  pattern: Pattern<E>,
): Observer {
  return {
    sentence,
    watches: typesOf(pattern),
    begin: () => ({}),
    see: (_memory, sight) => (matched(pattern, sight) ? found(sight, wordsOf(sight)) : undefined),
  };
}

/** Every event of the pattern is as it should be: `holds` answers true, false, or what is wrong in words. */
export function always<E extends LockstepEvent | Probe = Event>(
  sentence: string,
  pattern: Pattern<E>,
  holds: (event: E) => boolean | string,
): Observer {
  return {
    sentence,
    watches: typesOf(pattern),
    begin: () => ({}),
    see: (_memory, sight) => {
      const event = matched(pattern, sight);
      const verdict = event === undefined || holds(event);
      if (verdict === true) return undefined;
      return found(sight, verdict === false ? wordsOf(sight) : `${wordsOf(sight)}: ${verdict}`);
    },
  };
}

/** How long something may take. */
export interface Deadline {
  /** Ticks from its cause, or from the beginning of the run, at most. */
  readonly within?: number;
}

/** An event of the pattern happens, at the latest in tick `within`, or before the run is over. */
export function eventually<E extends LockstepEvent | Probe = Event>(
  sentence: string,
  pattern: Pattern<E>,
  { within }: Deadline = {},
): Observer<{ open: boolean; left: number }> {
  const missing = (): Found => ({ actors: [], why: `no ${pattern.types.join(' or ')} came` });
  return {
    sentence,
    watches: typesOf(pattern),
    begin: () => ({ open: true, left: within ?? -1 }),
    see: (memory, sight) => {
      if (matched(pattern, sight)) memory.open = false;
      return undefined;
    },
    advance: (memory, ticks) => {
      if (!memory.open || within === undefined) return undefined;
      memory.left = Math.max(-1, memory.left - ticks);
      if (memory.left >= 0) return undefined;
      memory.open = false;
      return { ...missing(), why: `${missing().why} within ${within} ticks` };
    },
    quiet: (memory) => (memory.open ? missing() : undefined),
  };
}

/** What tells which effect answers which cause: the same key. All are the same when it is absent. */
export interface Keyed<A, B> {
  readonly key?: readonly [of: (first: A) => unknown, of: (second: B) => unknown];
}

const keysOf = <A, B>({ key }: Keyed<A, B>) => ({
  first: (event: A) => JSON.stringify(key?.[0](event) ?? null),
  second: (event: B) => JSON.stringify(key?.[1](event) ?? null),
});

/** A cause that waits for its effect. */
interface Open {
  readonly key: string;
  readonly words: string;
  readonly actors: readonly string[];
  left: number;
}

/**
 * Every cause is followed by an effect of the same key: `leadsTo('a request is granted', message('ring.request'), message('ring.grant'),
 * { key: [(r) => r.id, (g) => g.id], within: 100 })`.
 *
 * Details: one effect answers the oldest cause of its key.
 */
export function leadsTo<A extends LockstepEvent | Probe = Event, B extends LockstepEvent | Probe = Event>(
  sentence: string,
  cause: Pattern<A>,
  effect: Pattern<B>,
  options: Deadline & Keyed<A, B> = {},
): Observer<{ open: Open[] }> {
  const keys = keysOf(options);
  const { within } = options;
  const missing = ({ words, actors }: Open, late: string): Found => ({
    actors,
    why: `${words} was not followed by ${effect.types.join(' or ')}${late}`,
  });
  return {
    sentence,
    watches: typesOf(cause, effect),
    begin: () => ({ open: [] }),
    see: ({ open }, sight) => {
      const answer = matched(effect, sight);
      if (answer !== undefined) {
        const at = open.findIndex(({ key }) => key === keys.second(answer));
        if (at >= 0) open.splice(at, 1);
      }
      const event = matched(cause, sight);
      if (event !== undefined)
        open.push({
          key: keys.first(event),
          words: wordsOf(sight),
          actors: actorsOf(sight),
          left: within ?? 0,
        });
      return undefined;
    },
    advance: (memory, ticks) => {
      if (within === undefined) return undefined;
      for (const one of memory.open) one.left = Math.max(-1, one.left - ticks);
      const late = memory.open.find(({ left }) => left < 0);
      if (!late) return undefined;
      memory.open = memory.open.filter(({ left }) => left >= 0);
      return missing(late, ` within ${within} ticks`);
    },
    quiet: ({ open }) => (open[0] ? missing(open[0], '') : undefined),
  };
}

/** Nothing of `second` happens before something of `first` with the same key has happened. */
export function before<A extends LockstepEvent | Probe = Event, B extends LockstepEvent | Probe = Event>(
  sentence: string,
  first: Pattern<A>,
  second: Pattern<B>,
  options: Keyed<A, B> = {},
): Observer<{ seen: string[] }> {
  const keys = keysOf(options);
  return {
    sentence,
    watches: typesOf(first, second),
    begin: () => ({ seen: [] }),
    see: ({ seen }, sight) => {
      const one = matched(first, sight);
      if (one !== undefined && !seen.includes(keys.first(one)))
        seen.splice(placeIn(seen, keys.first(one)), 0, keys.first(one));
      const other = matched(second, sight);
      if (other === undefined || seen.includes(keys.second(other))) return undefined;
      return found(sight, `${wordsOf(sight)} came before any ${first.types.join(' or ')}`);
    },
  };
}

/** Where a key belongs in a sorted list: memories that hold the same are equal. */
const placeIn = (sorted: readonly string[], key: string): number => {
  const at = sorted.findIndex((one) => one > key);
  return at < 0 ? sorted.length : at;
};

/**
 * At most one holds something at a time: whoever comes with `enter` holds it until `leave`. The key is who it is; what is held may be one of
 * many (`of`).
 */
export function atMostOne<A extends LockstepEvent | Probe = Event, B extends LockstepEvent | Probe = Event>(
  sentence: string,
  enter: Pattern<A>,
  leave: Pattern<B>,
  options: Keyed<A, B> & {
    readonly of?: readonly [of: (enter: A) => unknown, of: (leave: B) => unknown];
  } = {},
): Observer<{ holders: { what: string; who: string; words: string }[] }> {
  const keys = keysOf(options);
  const whats = keysOf<A, B>(options.of === undefined ? {} : { key: options.of });
  return {
    sentence,
    watches: typesOf(enter, leave),
    begin: () => ({ holders: [] }),
    see: (memory, sight) => {
      const left = matched(leave, sight);
      if (left !== undefined) {
        const [what, who] = [whats.second(left), keys.second(left)];
        memory.holders = memory.holders.filter((one) => one.what !== what || one.who !== who);
      }
      const entered = matched(enter, sight);
      if (entered === undefined) return undefined;
      const [what, who] = [whats.first(entered), keys.first(entered)];
      const other = memory.holders.find(
        (one) => one.what === what && (one.who !== who || options.key === undefined),
      );
      const others = memory.holders.filter((one) => one.what !== what || one.who !== who);
      memory.holders = [...others, { what, who, words: wordsOf(sight) }].sort((a, b) =>
        a.what + a.who < b.what + b.who ? -1 : 1,
      );
      return other && found(sight, `${wordsOf(sight)}, while ${other.words} had not ended`);
    },
  };
}

const found = (sight: Sight, why: string): Found => ({ actors: actorsOf(sight), why });
