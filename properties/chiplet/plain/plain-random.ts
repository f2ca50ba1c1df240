/*
 * The random numbers of a network written down as the specification has them (5.6), one list that grows: slow and plain, for comparisons.
 */

const modulus = 2_147_483_647;

/** The C library's `random()` for a seed, and what the network makes of its numbers. */
export class PlainRandom {
  /** `r[i]` of the specification, as numbers of 32 bits without a sign. */
  readonly #r: number[];

  constructor(seed: number) {
    const r: number[] = [seed | 0 || 1];
    for (let i = 1; i <= 30; i++) {
      // The C library multiplies without leaving 32 bits, and the rest of a division keeps the sign of what is divided.
      const next = Number((16807n * BigInt(r[i - 1]!)) % BigInt(modulus));
      r.push(next < 0 ? next + modulus : next);
    }
    for (let i = 31; i <= 33; i++) r.push(r[i - 31]!);
    for (let i = 34; i < 344; i++) r.push(((r[i - 3]! >>> 0) + (r[i - 31]! >>> 0)) >>> 0);
    this.#r = r;
  }

  output(): number {
    const r = this.#r;
    const next = ((r.at(-3)! >>> 0) + (r.at(-31)! >>> 0)) >>> 0;
    r.push(next);
    return Math.floor(next / 2);
  }

  /** One of so many; nothing is drawn for a single one. */
  pick(count: number): number {
    if (count === 1) return 0;
    return Math.min(count - 1, Math.floor(count * (this.output() / modulus)));
  }

  /** A word of 64 bits as a double; 2^64 wraps to 0. */
  word(): number {
    const word = Math.floor(2 ** 64 * (this.output() / modulus));
    return word === 2 ** 64 ? 0 : word;
  }
}
