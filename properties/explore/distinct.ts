import { StateSet } from '../../kernel/explore/state-set.ts';

/** How many ends are kept one by one. */
const keptMax = 2 ** 20;

/** One end as text: the 16 digits of its fingerprint, and 1 when one run ended so, 2 when several did. */
const keptEnd = /[0-9a-f]{16}[12]/g;

/**
 * In how many different states the runs of a campaign ended, and how many of these only one run came to.
 *
 * Details: states are told apart by their fingerprints of 64 bits; a million different ones have two that are taken for one with a probability
 * of 3 in 100 million. Up to `keptMax` ends the counts are exact. Beyond, only ends whose fingerprint ends in `sampledBits` zeros are kept, as
 * many zeros as it takes, and counts are those of the sample times 2^sampledBits (adaptive sampling: Wegman 1984, Flajolet 1990), off by
 * about 0.1 %. What is kept depends on the runs alone, not on their order.
 */
export class Distinct {
  #sampledBits = 0;
  #kept = new StateSet();
  #keptOnce = 0;
  /** By number of the end: 1 when several runs came to it. */
  #again = new Uint8Array(64);
  readonly #words = new Uint32Array(2);
  readonly #max: number;

  /** `max` ends are kept one by one. */
  constructor(max = keptMax) {
    this.#max = max;
  }

  /** Takes the end of one run in: both halves of its fingerprint. */
  add(high: number, low: number): void {
    this.#put(high, low, false);
    while (this.#kept.size > this.#max) this.#thin();
  }

  /** True when every end is kept, so that the counts are exact. */
  get exact(): boolean {
    return this.#sampledBits === 0;
  }

  /** How many different ends there were. */
  get count(): number {
    return this.#kept.size * 2 ** this.#sampledBits;
  }

  /** How many ends only one run came to. */
  get once(): number {
    return this.#keptOnce * 2 ** this.#sampledBits;
  }

  /** Takes in the ends of other runs. */
  merge(other: Distinct): void {
    while (this.#sampledBits < other.#sampledBits) this.#thin();
    for (const { high, low, several } of other.#ends()) {
      this.#put(high, low, several);
      while (this.#kept.size > this.#max) this.#thin();
    }
  }

  /** Plain data for a ledger: the kept ends by their fingerprints, so that equal sets are equal text. */
  save(): SavedEnds {
    const ends = [...this.#ends()].map(
      ({ high, low, several }) => `${digits(high)}${digits(low)}${several ? 2 : 1}`,
    );
    return { sampledBits: this.#sampledBits, kept: ends.sort().join('') };
  }

  *#ends(): Generator<{ readonly high: number; readonly low: number; readonly several: boolean }> {
    for (let end = 0; end < this.#kept.size; end++) {
      this.#kept.read(end, this.#words, 0);
      yield { high: this.#words[0]!, low: this.#words[1]!, several: this.#again[end] === 1 };
    }
  }

  /** The ends that `save` gave. */
  static of({ sampledBits, kept }: SavedEnds, max = keptMax): Distinct {
    const distinct = new Distinct(max);
    distinct.#sampledBits = sampledBits;
    for (const [end] of kept.matchAll(keptEnd)) {
      const [high, low] = halvesOf(end);
      distinct.#put(high, low, end[16] === '2');
    }
    return distinct;
  }

  #put(high: number, low: number, several: boolean): void {
    if (!this.#sampled(low)) return;
    this.#words[0] = high;
    this.#words[1] = low;
    const end = this.#kept.add(this.#words, 0, 2);
    if (end < 0) {
      if (this.#again[~end] === 0) this.#keptOnce--;
      this.#again[~end] = 1;
      return;
    }
    if (end === this.#again.length) this.#grow();
    this.#again[end] = several ? 1 : 0;
    if (!several) this.#keptOnce++;
  }

  #sampled(low: number): boolean {
    return (low & (2 ** this.#sampledBits - 1)) === 0;
  }

  /** Keeps the half whose fingerprints end in one more zero. */
  #thin(): void {
    const { kept, sampledBits } = this.save();
    const half = Distinct.of({ sampledBits: sampledBits + 1, kept }, this.#max);
    this.#sampledBits = half.#sampledBits;
    this.#kept = half.#kept;
    this.#keptOnce = half.#keptOnce;
    this.#again = half.#again;
  }

  #grow(): void {
    const more = new Uint8Array(2 * this.#again.length);
    more.set(this.#again);
    this.#again = more;
  }
}

/** Ends as a ledger keeps them. */
export interface SavedEnds {
  /** Zeros at the end of the fingerprints that are kept; 0 when all are. */
  readonly sampledBits: number;
  /** 17 characters an end. */
  readonly kept: string;
}

/**
 * The probability that the next run ends in a state that no run has ended in, from 0 to 1.
 *
 * Details: the share of runs whose end no other run came to (Good 1953, after Turing). It supposes that the runs are drawn alike, as those of a
 * campaign are when its strategies take turns. Without runs everything is unseen.
 */
export const unseenShare = (ends: Pick<Distinct, 'once'>, runs: number): number =>
  runs === 0 ? 1 : Math.min(1, ends.once / runs);

/** The two halves of a fingerprint of 16 hexadecimal digits; what follows them does not matter. */
export const halvesOf = (fingerprint: string): readonly [high: number, low: number] => [
  Number.parseInt(fingerprint.slice(0, 8), 16),
  Number.parseInt(fingerprint.slice(8, 16), 16),
];

const digits = (word: number): string => word.toString(16).padStart(8, '0');
