import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';

const lags = 31;
const largest = 2_147_483_647;

/** The numbers of the C library's `random()` for a seed, and what the network makes of them (chiplet specification 5.6). */
export class RandomStream implements Resource {
  readonly #ring: Int32Array;
  #at = 0;

  constructor(seed: number) {
    this.#ring = seeded(seed | 0);
  }

  /** The next number, 0 to 2^31 - 1. */
  next(): number {
    const ring = this.#ring;
    const at = this.#at;
    const sum = (ring[at]! + ring[at < 3 ? at + lags - 3 : at - 3]!) | 0;
    ring[at] = sum;
    this.#at = at === lags - 1 ? 0 : at + 1;
    return sum >>> 1;
  }

  /** One of 0 to `count - 1`. The largest number would give `count`, at which the original aborts: it gives the last one. */
  pick(count: number): number {
    return Math.min(count - 1, Math.floor((count * this.next()) / largest));
  }

  /** A word of 64 bits, as the double that comes nearest; 2^64 itself wraps to 0. */
  word(): number {
    const word = Math.floor(2 ** 64 * (this.next() / largest));
    return word < 2 ** 64 ? word : 0;
  }

  fork(): RandomStream {
    const fork = new RandomStream(1);
    fork.#ring.set(this.#ring);
    fork.#at = this.#at;
    return fork;
  }

  hash(into: Hasher): void {
    into.numbers(this.#ring);
    into.number(this.#at);
  }
}

/** The last numbers before the first one that is handed out. */
function seeded(seed: number): Int32Array {
  const first = new Int32Array(lags);
  first[0] = seed === 0 ? 1 : seed;
  for (let i = 1; i < lags; i++) {
    const before = first[i - 1]!;
    // 16807 * before mod 2^31 - 1 without leaving 32 bits, on signed values.
    const next = 16807 * (before % 127773) - 2836 * Math.trunc(before / 127773);
    first[i] = next < 0 ? next + largest : next;
  }
  const ring = new Int32Array(lags);
  // Numbers 31 to 33 repeat 0 to 2; from 34 on each is the sum of those 3 and 31 before it.
  for (let i = 0; i < lags; i++) ring[i] = first[i]!;
  for (let i = 34; i < 344; i++) {
    const at = i % lags;
    ring[at] = (ring[at]! + ring[(i - 3) % lags]!) | 0;
  }
  // Number 344 is the next one; the ring is turned so that it stands at 0.
  const turned = new Int32Array(lags);
  for (let i = 0; i < lags; i++) turned[i] = ring[(344 + i) % lags]!;
  return turned;
}
