import { type Access, holds, sharedBytes } from './access.ts';
import type { Space } from './race-event.ts';

/** Bytes of a bucket: accesses meet only those of their own buckets. */
const bucketBytes = 512;

/** What is remembered of the bytes of all spaces: for each byte the accesses that a later one may not be ordered with. */
export class Shadow {
  readonly #spaces = new Map<Space, Map<number, Access[]>>();
  #size = 0;

  /** Entries held: an access counts once for each of its buckets. */
  get size(): number {
    return this.#size;
  }

  /**
   * Shows every access that shares bytes with a new one, with the first bytes shared.
   *
   * Details: `meet` answers whether the earlier one is ordered before the new one; it is forgotten then where the new one says all that it
   * said. Strided accesses touch only the buckets of their blocks.
   */
  check(access: Access, meet: (earlier: Access, from: number, to: number) => boolean): void {
    const buckets = this.#spaces.get(access.space);
    if (!buckets) return;
    if (access.contiguous) {
      const last = bucketOf(access.to - 1);
      for (let number = bucketOf(access.from); number <= last; number++)
        this.#checkBucket(number, buckets.get(number), access, meet);
      return;
    }
    for (const number of bucketsOf(access)) this.#checkBucket(number, buckets.get(number), access, meet);
  }

  #checkBucket(
    number: number,
    held: Access[] | undefined,
    access: Access,
    meet: (earlier: Access, from: number, to: number) => boolean,
  ): void {
    if (!held) return;
    const [low, high] = [number * bucketBytes, (number + 1) * bucketBytes];
    let kept = 0;
    for (let i = 0; i < held.length; i++) {
      const earlier = held[i]!;
      const shared = sharedBytes(earlier, access, low, high);
      const ordered = shared !== undefined && meet(earlier, shared[0], shared[1]);
      if (ordered && replaces(access, earlier) && holds(access, earlier, low, high)) continue;
      if (kept < i) held[kept] = earlier;
      kept++;
    }
    if (kept === held.length) return;
    this.#size -= held.length - kept;
    held.length = kept;
  }

  /** Remembers an access; one that a core makes right behind its last one, in the same time, is added to it. */
  insert(access: Access): void {
    const known = this.#spaces.get(access.space);
    const buckets = known ?? new Map<number, Access[]>();
    if (!known) this.#spaces.set(access.space, buckets);
    if (!access.contiguous) {
      for (const number of bucketsOf(access)) this.#hold(buckets, number, access);
      return;
    }
    const [first, last] = [bucketOf(access.from), bucketOf(access.to - 1)];
    if (first === last && access.transfer === undefined) {
      const before = buckets.get(first)?.find((one) => goesOn(one, access));
      if (before) {
        before.extend(access);
        return;
      }
    }
    for (let number = first; number <= last; number++) this.#hold(buckets, number, access);
  }

  #hold(buckets: Map<number, Access[]>, number: number, access: Access): void {
    const held = buckets.get(number);
    if (held) held.push(access);
    else buckets.set(number, [access]);
    this.#size++;
  }

  /** Forgets every access that `over` says nobody can meet any more. */
  forget(over: (access: Access) => boolean): void {
    for (const buckets of this.#spaces.values())
      for (const [number, held] of buckets) {
        const left = held.filter((access) => !over(access));
        this.#size -= held.length - left.length;
        if (left.length === 0) buckets.delete(number);
        else buckets.set(number, left);
      }
  }
}

const bucketOf = (address: number): number => Math.floor(address / bucketBytes);

/** The buckets of the blocks of a strided access, each once. */
function* bucketsOf(access: Access): Generator<number> {
  let next = -1;
  for (let start = access.from; start < access.to; start += access.pitch) {
    const last = bucketOf(start + access.blockBytes - 1);
    for (let number = Math.max(next, bucketOf(start)); number <= last; number++) yield number;
    next = Math.max(next, last + 1);
  }
}

const isFlag = ({ sort }: Access): boolean => sort === 'flagLoad' || sort === 'flagStore';

/** True when whatever conflicts with `earlier`, which is ordered before `later`, conflicts with `later` as well. */
const replaces = (later: Access, earlier: Access): boolean =>
  !later.rewrites && (later.writes || !earlier.writes) && (!isFlag(later) || isFlag(earlier));

const goesOn = (before: Access, access: Access): boolean =>
  before.to === access.from &&
  before.core === access.core &&
  before.time === access.time &&
  before.sort === access.sort &&
  before.space === access.space &&
  before.sort !== 'dirty' &&
  before.transfer === undefined &&
  access.transfer === undefined &&
  before.settled === access.settled &&
  // What was told with another access counts as over for that one: what comes behind it does not.
  !before.isKnown &&
  before.contiguous;
