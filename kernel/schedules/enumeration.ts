import { type Choices, foreignChoices, type Tape } from '../choices.ts';

/**
 * All tapes of a run, depth first: run, `advance`, and run again until there is nothing left.
 *
 * Use when a run is small and every schedule of it is wanted:
 *
 *     const all = new EnumerationChoices();
 *     do attempt(all);
 *     while (all.advance());
 *
 * Details: each tape comes once, in lexicographic order; the first is the canonical run. The number of choices of a decision must depend on
 * the picks before it alone, as it does in every run.
 */
export class EnumerationChoices implements Choices {
  readonly canonical = false;
  readonly #picks: { pick: number; readonly count: number }[] = [];
  #at = 0;

  pick(_what: string, count: number): number {
    const known = this.#picks[this.#at];
    if (known === undefined) this.#picks.push({ pick: 0, count });
    this.#at++;
    return known?.pick ?? 0;
  }

  /** Turns to the next tape, from its beginning. False when all were tried. */
  advance(): boolean {
    this.#picks.length = this.#at;
    this.#at = 0;
    for (let last = this.#picks.at(-1); last !== undefined; last = this.#picks.at(-1)) {
      if (last.pick + 1 < last.count) {
        last.pick++;
        return true;
      }
      this.#picks.pop();
    }
    return false;
  }

  /** The picks of the present tape so far. */
  get tape(): Tape {
    return this.#picks.slice(0, this.#at).map(({ pick }) => pick);
  }

  save(): unknown {
    return { picks: this.#picks.map((one) => ({ ...one })), at: this.#at };
  }

  load(saved: unknown): void {
    const { picks, at } = (saved ?? {}) as { picks?: { pick: number; count: number }[]; at?: number };
    if (!picks || at === undefined) throw foreignChoices('an enumeration');
    this.#picks.splice(0, this.#picks.length, ...picks.map((one) => ({ ...one })));
    this.#at = at;
  }
}
