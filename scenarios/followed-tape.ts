import type { Choices, Tape } from '../kernel/choices.ts';

/** A pick of a tape that is not one of the answers to the question that was asked. */
export interface Misfit {
  /** Number of the pick on the tape, from 0. */
  readonly position: number;
  readonly tick: number;
  readonly what: string;
  readonly count: number;
  readonly pick: number;
}

/** Feeds a tape like `TapeChoices`, and remembers the first pick that does not fit: a run that asks otherwise than the recorded one is another run. */
export class FollowedTape implements Choices {
  #at = 0;
  /** The first pick that did not fit. */
  misfit: Misfit | undefined;

  constructor(
    readonly tape: Tape,
    /** The present tick of the run that is fed. */
    private readonly now: () => number,
  ) {}

  get canonical(): boolean {
    return this.tape.length === 0;
  }

  /** Picks of the tape that nobody asked for yet. */
  get left(): number {
    return Math.max(0, this.tape.length - this.#at);
  }

  pick(what: string, count: number): number {
    const position = this.#at++;
    const pick = this.tape[position] ?? 0;
    if (pick >= count) this.misfit ??= { position, tick: this.now(), what, count, pick };
    return pick % count;
  }

  save(): unknown {
    return this.#at;
  }

  load(saved: unknown): void {
    this.#at = saved as number;
  }
}
