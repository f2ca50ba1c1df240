import { type Coverage, emptyCoverage, mergeCoverage } from '../kernel/coverage.ts';
import { bugOf } from '../properties/explore/bug.ts';
import { type Batch, plannedRun, type Turns } from '../properties/explore/campaign.ts';
import { sumOf } from '../properties/explore/ledger.ts';
import type { FailureKind } from '../properties/explore/trial.ts';

/** Of one kind of failure the smallest run among some. */
export interface SmallestRun {
  readonly bug: string;
  readonly run: number;
  /** Characters of its scenario and picks of its tape. */
  readonly size: number;
}

/** Consecutive runs as a runner gives them. */
export interface FarmBatch extends Batch {
  readonly smallest: readonly SmallestRun[];
  readonly milliseconds: number;
}

/** One kind of failure among the runs of a range. */
export interface TalliedFailure {
  /** As the first run has it. */
  readonly kind: FailureKind;
  readonly first: number;
  smallest: { readonly run: number; readonly size: number };
  /** Runs that failed so, by strategy. */
  readonly by: Map<string, { first: number; failures: number }>;
}

/** Whether one failing run is to be kept rather than another: the smaller one, of a size the one with the lower number. */
export const isSmaller = (one: Omit<SmallestRun, 'bug'>, other: Omit<SmallestRun, 'bug'>): boolean =>
  one.size < other.size || (one.size === other.size && one.run < other.run);

/** What the runs of a range came to, as far as they are done. */
export class Tally {
  #runs = 0;
  #deliveries = 0;
  #cut = 0;
  #milliseconds = 0;
  #coverage = emptyCoverage;
  #judged: Batch['judged'] = {};
  readonly #ends: Uint32Array[] = [];
  readonly #failures = new Map<string, TalliedFailure>();
  readonly #turns: Turns;

  /** `first` is the number of the first run. */
  constructor(
    readonly first: number,
    turns: Turns,
  ) {
    this.#turns = turns;
  }

  get runs(): number {
    return this.#runs;
  }
  get deliveries(): number {
    return this.#deliveries;
  }
  get cut(): number {
    return this.#cut;
  }
  get milliseconds(): number {
    return this.#milliseconds;
  }
  get coverage(): Coverage {
    return this.#coverage;
  }
  get judged(): Batch['judged'] {
    return this.#judged;
  }
  /** By bug, in the order of their names: whoever writes them meets no one who writes them in another order. */
  get failures(): readonly (readonly [bug: string, failure: TalliedFailure])[] {
    return [...this.#failures].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** The ends of all runs, 8 bytes each, most significant byte first. */
  get ends(): Buffer {
    const words = this.#ends.reduce((sum, { length }) => sum + length, 0);
    const bytes = Buffer.alloc(4 * words);
    let at = 0;
    for (const some of this.#ends) for (const word of some) at = bytes.writeUInt32BE(word, at);
    return bytes;
  }

  /** Takes in the runs that follow. */
  add({ runs, deliveries, cut, ends, failures, judged, coverage, smallest, milliseconds }: FarmBatch): void {
    this.#runs += runs;
    this.#deliveries += deliveries;
    this.#cut += cut;
    this.#milliseconds += milliseconds;
    this.#ends.push(ends);
    this.#judged = sumOf(this.#judged, judged);
    if (coverage) this.#coverage = mergeCoverage(this.#coverage, coverage);
    for (const { run, kind } of failures) this.#fail(run, kind);
    for (const { bug, run, size } of smallest) {
      const failure = this.#failures.get(bug)!;
      if (isSmaller({ run, size }, failure.smallest)) failure.smallest = { run, size };
    }
  }

  #fail(run: number, kind: FailureKind): void {
    const bug = bugOf(kind);
    let failure = this.#failures.get(bug);
    if (!failure) {
      failure = { kind, first: run, smallest: { run, size: Number.POSITIVE_INFINITY }, by: new Map() };
      this.#failures.set(bug, failure);
    }
    const { strategy } = plannedRun(this.#turns, run);
    const by = failure.by.get(strategy);
    if (by) by.failures++;
    else failure.by.set(strategy, { first: run, failures: 1 });
  }
}
