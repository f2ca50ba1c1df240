import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { IdleWork, OwnMemory } from '../program.ts';

/**
 * Who wants to work when: for each SPU the next cycle in which it has something to do, and whether the run need not go on for its sake.
 *
 * Details: shared by all SPUs, DMA modules and the controller of a run; each SPU writes its own entry while it holds the baton, its DMA module
 * when it learns the end of a transfer. An SPU that only waits for that sleeps: who has the baton does its work of each cycle.
 */
export class Roster implements Resource {
  readonly next: Float64Array;
  readonly content: Uint8Array;
  /** What is done for an SPU in each cycle in which it sleeps; null for one that has nothing to do, or does it itself. */
  readonly #work: (IdleWork | null)[];
  #sleepers = 0;
  constructor(N: number) {
    this.next = new Float64Array(N);
    this.content = new Uint8Array(N);
    this.#work = new Array<IdleWork | null>(N).fill(null);
  }

  /** True when work is done for some SPU that sleeps. */
  get anySleeps(): boolean {
    return this.#sleepers > 0;
  }

  /** An SPU sleeps until cycle `until`, or is awake (null). */
  sleep(spu: number, work: IdleWork | null, until: number): void {
    this.#sleepers += (work === null ? 0 : 1) - (this.#work[spu] === null ? 0 : 1);
    this.#work[spu] = work;
    this.next[spu] = until;
  }

  /** A request of the SPU ends: a sleeper wakes up in that cycle at the latest. */
  wake(spu: number, cycle: number): void {
    if (this.#work[spu] !== null && cycle < this.next[spu]!) this.next[spu] = cycle;
  }

  /** All sleepers wake up in this cycle. */
  wakeAll(cycle: number): void {
    if (this.#sleepers === 0) return;
    for (let spu = 0; spu < this.next.length; spu++) this.wake(spu, cycle);
  }

  /** Does the work of the sleepers from `first` to before `end` in one cycle. Returns the read hash. */
  work(first: number, end: number, cycle: number, hash: number, memory: OwnMemory): number {
    if (this.#sleepers === 0) return hash;
    let folded = hash;
    for (let spu = first; spu < end; spu++) {
      const work = this.#work[spu]!;
      if (work !== null) folded = work.run(cycle, folded, memory);
    }
    return folded;
  }

  /** The first SPU after `spu` that wants to do something in cycle t; N when there is none. */
  following(spu: number, t: number): number {
    const { next } = this;
    let at = spu + 1;
    while (at < next.length && next[at]! > t) at++;
    return at;
  }

  /** The first cycle in which some SPU wants to do something. */
  get earliest(): number {
    let earliest = Number.MAX_SAFE_INTEGER;
    for (let spu = 0; spu < this.next.length; spu++)
      if (this.next[spu]! < earliest) earliest = this.next[spu]!;
    return earliest;
  }

  /** True when the run need not go on for the sake of any SPU. */
  get allContent(): boolean {
    for (let spu = 0; spu < this.content.length; spu++) if (this.content[spu] === 0) return false;
    return true;
  }

  fork(): Roster {
    const copy = new Roster(this.next.length);
    copy.next.set(this.next);
    copy.content.set(this.content);
    for (const [spu, work] of this.#work.entries()) copy.#work[spu] = work;
    copy.#sleepers = this.#sleepers;
    return copy;
  }

  hash(into: Hasher): void {
    into.numbers(this.next);
    into.numbers(this.content);
    into.numbers(this.#work.map((work) => work?.instructions ?? -1));
  }
}
