import type { Hasher } from '../../../kernel/hash.ts';

/**
 * The tags of a first-level cache: sets of ways, least recently used ones give way (chiplet specification 7.3).
 *
 * Details: a line belongs to a segment from the moment it is missed, and says by which request it is being filled. What is evicted while it is filled has
 * to be asked for again. So what a warp alone finds in its cache does not depend on how long memory takes.
 */
export class L1Cache {
  readonly #tags: Float64Array;
  readonly #uses: Float64Array;
  /** Request that fills the line; -1 for a full one. */
  readonly #filling: Float64Array;
  #use = 0;

  constructor(
    readonly sets: number,
    readonly ways: number,
    from?: L1Cache,
  ) {
    const lines = sets * ways;
    this.#tags = from ? from.#tags.slice() : new Float64Array(lines).fill(-1);
    this.#uses = from ? from.#uses.slice() : new Float64Array(lines);
    this.#filling = from ? from.#filling.slice() : new Float64Array(lines).fill(-1);
    this.#use = from ? from.#use : 0;
  }

  /** The line of a segment; -1 when it has none. */
  find(segment: number): number {
    const first = (segment % this.sets) * this.ways;
    for (let line = first; line < first + this.ways; line++)
      if (this.#tags[line] === segment) {
        this.#uses[line] = ++this.#use;
        return line;
      }
    return -1;
  }

  /** The request that fills a line; -1 when it is full. */
  fillOf(line: number): number {
    return this.#filling[line]!;
  }

  /** Takes a line for a segment that is asked for. */
  take(segment: number, request: number): void {
    const first = (segment % this.sets) * this.ways;
    let oldest = first;
    for (let line = first + 1; line < first + this.ways; line++)
      if (this.#uses[line]! < this.#uses[oldest]!) oldest = line;
    this.#tags[oldest] = segment;
    this.#filling[oldest] = request;
    this.#uses[oldest] = ++this.#use;
  }

  /** A request was answered. */
  filled(segment: number, request: number): void {
    const first = (segment % this.sets) * this.ways;
    for (let line = first; line < first + this.ways; line++)
      if (this.#filling[line] === request) this.#filling[line] = -1;
  }

  fork(): L1Cache {
    return new L1Cache(this.sets, this.ways, this);
  }

  hash(into: Hasher): void {
    into.numbers(this.#tags);
    into.numbers(this.#uses);
    into.numbers(this.#filling);
  }
}
