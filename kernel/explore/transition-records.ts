import { type Alternative, failed, type Known, unshared } from './alternative.ts';

/** Words of a record before its alternatives: the number of what it sums up; the level in which that was first needed plus 1; the last search of a tick that needed it plus 1; how many alternatives there are; 1 where nothing comes of any. */
const head = { known: 0, since: 1, met: 2, count: 3, isIdle: 4 } as const;
export const headWords = 5;

/** Words of an alternative in a record, and of what is posted behind them: pairs of delay and message, as `Alternative` has them. */
export const parts = { next: 0, version: 1, struck: 2, isPlain: 3, postWords: 4 } as const;
export const partWords = 5;

const firstWords = 1 << 10;

/**
 * What is known of messages in local states, as words one after another: what a search needs of nearly every delivery is in one place, where objects and their lists are in ten.
 *
 * Details: a record is a place in `words`, 0 for none; its first alternative begins `headWords` behind it. What is not *plain* about an alternative is in the object.
 */
export class TransitionRecords {
  words = new Uint32Array(firstWords);
  #end = 1;
  readonly #known: Known[] = [];

  /** Adds what is known of a message in a local state. Returns its record. */
  add(known: Known, local: number): number {
    const { alternatives, since } = known;
    const record = this.#end;
    this.#end += headWords;
    for (const { posts } of alternatives) this.#end += partWords + posts.length;
    if (this.#end > this.words.length) this.#grow();
    const { words } = this;
    words[record + head.known] = this.#known.push(known) - 1;
    words[record + head.since] = since + 1;
    words[record + head.count] = alternatives.length;
    words[record + head.isIdle] = alternatives.every((one) => isIdle(one, local) && one.timers.length === 0)
      ? 1
      : 0;
    let part = record + headWords;
    for (const alternative of alternatives) {
      const { next, version, struck, posts } = alternative;
      words[part + parts.next] = next;
      words[part + parts.version] = version;
      words[part + parts.struck] = struck;
      words[part + parts.isPlain] = isPlain(alternative) ? 1 : 0;
      words[part + parts.postWords] = posts.length;
      words.set(posts, part + partWords);
      part += partWords + posts.length;
    }
    return record;
  }

  /** All of what is known. */
  of(record: number): Known {
    return this.#known[this.words[record + head.known]!]!;
  }

  /** How many alternatives there are. */
  countOf(record: number): number {
    return this.words[record + head.count]!;
  }

  /** True where nothing comes of the message. */
  isIdle(record: number): boolean {
    return this.words[record + head.isIdle] === 1;
  }

  /** True for what was needed before a level or by a search of a tick. */
  isKnown(record: number, level: number, tick: number): boolean {
    const { words } = this;
    return words[record + head.since]! <= level || words[record + head.met] === tick + 1;
  }

  /** True for what was first needed in a level. */
  isNew(record: number, level: number): boolean {
    return this.words[record + head.since]! > level;
  }

  /** Notes that a search of a tick needs it. Returns true when it is not known but for that. */
  meet(record: number, level: number, tick: number): boolean {
    const { words } = this;
    if (words[record + head.met] === tick + 1) return false;
    words[record + head.met] = tick + 1;
    return words[record + head.since]! > level;
  }

  #grow(): void {
    const longer = new Uint32Array(2 * this.#end);
    longer.set(this.words);
    this.words = longer;
  }
}

/** True for an alternative of which nothing counts but where it leads and what it posts: nobody looks at it. */
function isPlain(alternative: Alternative): boolean {
  const { next, timers, reports, footprint, lost, clears, failure } = alternative;
  return (
    next !== failed &&
    timers.length + reports.length + footprint.length === 0 &&
    !lost &&
    !clears &&
    failure === undefined
  );
}

/** True when nothing comes of a handling but perhaps changes of timers. */
export function isIdle(
  { next, version, posts, reports, probes, struck, failure }: Alternative,
  local: number,
): boolean {
  return (
    next === local &&
    version === unshared &&
    posts.length + reports.length + probes.length + struck === 0 &&
    failure === undefined
  );
}
