import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';

/**
 * Who wants to work when: for each SPU the next cycle in which it has something to do, and whether the run need not go on for its sake.
 *
 * Details: shared by all SPUs and the controller of a run; each SPU writes its own entry while it holds the baton.
 */
export class Roster implements Resource {
  readonly next: Float64Array;
  readonly content: Uint8Array;
  constructor(N: number) {
    this.next = new Float64Array(N);
    this.content = new Uint8Array(N);
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
    return copy;
  }

  hash(into: Hasher): void {
    into.numbers(this.next);
    into.numbers(this.content);
  }
}
