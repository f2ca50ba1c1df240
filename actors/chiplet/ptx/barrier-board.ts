import type { BarrierVote } from './instruction.ts';

/** What a block knows of one of its barriers. */
interface Meeting {
  /** Threads that it is for; 0 for all of the block. */
  readonly threads: number;
  /** Threads that came without waiting. */
  readonly arrived: number;
  /** Lanes that answered, and those that answered yes. */
  readonly asked: number;
  readonly yes: number;
}

const nobody: Meeting = { threads: 0, arrived: 0, asked: 0, yes: 0 };

/** The barriers of a block that somebody has come to (chiplet specification 7.2); who waits is known by the warps. */
export class BarrierBoard {
  readonly #meetings: Map<number, Meeting>;

  constructor(from?: BarrierBoard) {
    this.#meetings = new Map(from ? from.#meetings : []);
  }

  /** Barriers that somebody has come to, in the order in which they did. */
  get open(): readonly number[] {
    return [...this.#meetings.keys()];
  }

  /** What is known of a barrier. */
  at(barrier: number): Meeting {
    return this.#meetings.get(barrier) ?? nobody;
  }

  /** A warp comes to a barrier for so many threads. A warp that does not wait counts as 32. */
  come(barrier: number, threads: number, waits: boolean): void {
    const known = this.#meetings.get(barrier);
    // Most often another warp has come before, and nothing changes.
    if (known !== undefined && waits && (threads === 0 || threads === known.threads)) return;
    const before = known ?? nobody;
    this.#meetings.set(barrier, {
      ...before,
      threads: threads || before.threads,
      arrived: before.arrived + (waits ? 0 : 32),
    });
  }

  /** Lanes of a warp answer what the barrier asks. */
  answer(barrier: number, asked: number, yes: number): void {
    const before = this.at(barrier);
    this.#meetings.set(barrier, { ...before, asked: before.asked + asked, yes: before.yes + yes });
  }

  /** What the answers come to: a count, or 1 and 0. */
  result(barrier: number, what: BarrierVote['what']): number {
    const { asked, yes } = this.at(barrier);
    if (what === 'popc') return yes;
    return (what === 'and' ? yes === asked : yes > 0) ? 1 : 0;
  }

  /** A barrier opens: nobody has come to it any more. */
  clear(barrier: number): void {
    this.#meetings.delete(barrier);
  }

  /** Numbers that say what it is. */
  get figures(): readonly number[] {
    return [...this.#meetings].flatMap(([barrier, { threads, arrived, asked, yes }]) => [
      barrier,
      threads,
      arrived,
      asked,
      yes,
    ]);
  }
}
