import type { Pick, Run } from '../kernel/run.ts';

/** Counts in what the schedule of a run differs from the default one, which serves first what came first. */
export class ScheduleDifference {
  #picks = 0;
  #others = 0;
  #first: Pick | undefined;

  constructor(run: Run) {
    for (const pick of run.picksAtStart) this.#count(pick);
    run.picks$.subscribe((pick) => this.#count(pick));
  }

  #count(pick: Pick): void {
    this.#picks++;
    if (pick.pick === 0) return;
    this.#others++;
    this.#first ??= pick;
  }

  /** The difference as one sentence without its full stop. */
  get text(): string {
    if (!this.#first) return 'the default one, first come, first served';
    const { tick, what, count, pick } = this.#first;
    return `${this.#others} of ${this.#picks} picks are not the default's, first in tick ${tick}: "${what}" took number ${pick} of 0..${count - 1}`;
  }
}
