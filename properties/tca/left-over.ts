import type { Pending } from '../../kernel/explore/observer.ts';
import type { Tell } from '../judging.ts';

/** How many holders are named in a line. */
const namedMost = 4;

/**
 * What is left at the end of a run, told in one line: how much, of whom, and which is the first.
 *
 * Why: a run that stands still leaves hundreds of reads and messages behind, and a line for each of them hides who waits for whom.
 */
export class LeftOver {
  readonly #counts = new Map<string, number>();
  #first = '';
  #total = 0;

  /** Adds what somebody has left, one or several of a kind. */
  add(who: string, what: string, count = 1): void {
    if (count === 0) return;
    if (this.#total === 0) this.#first = what;
    this.#total += count;
    this.#counts.set(who, (this.#counts.get(who) ?? 0) + count);
  }

  /** Calls `tell` with the first holder when something is left; `one` says what has not become of a single one, `several` of more than one. */
  tell(one: string, several: string, tell: Tell): void {
    if (this.#total === 0) return;
    const who = [...this.#counts.keys()];
    const shares = [...this.#counts].slice(0, namedMost).map(([name, count]) => `${count} of ${name}`);
    const more = who.length > namedMost ? [`and of ${who.length - namedMost} more`] : [];
    tell(
      who.slice(0, 1),
      this.#total === 1
        ? `${this.#first} ${one}`
        : `${this.#total} ${several}: ${[...shares, ...more].join(', ')}; the first: ${this.#first}`,
    );
  }
}

/** Something that somebody has left and that must still come to its end. */
export interface Left {
  readonly who: string;
  readonly what: string;
  /** What tells it from others; `what` when absent. */
  readonly key?: string;
}

/**
 * The parts of a property that wait for something: what is left when nothing happens any more is told in one line, and what is left for ever in a run that never ends contradicts
 * the sentence, too. `one` says what has not become of a single one, `several` of more than one.
 */
export const mustEnd = <Memory extends object>(
  one: string,
  several: string,
  leftIn: (memory: Memory) => readonly Left[],
) => ({
  atRest(memory: Memory, found: Tell): void {
    const left = new LeftOver();
    for (const { who, what } of leftIn(memory)) left.add(who, what);
    left.tell(one, several, found);
  },
  pending: (memory: Memory): readonly Pending[] =>
    leftIn(memory).map(({ who, what, key = what }) => ({ key, actors: [who], why: `${what} ${one}` })),
});
