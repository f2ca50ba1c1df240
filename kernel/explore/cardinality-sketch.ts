/** Bits of a hash that name a register. */
const indexBits = 14;
const registers = 1 << indexBits;
/** Ranks that a register can have, besides 0 for nothing: leading zeros of 32 bits, plus 1. */
const ranks = 33;

/**
 * Estimates how many different things were added, by whoever: HyperLogLog of Flajolet, Fusy, Gandouet and Meunier (2007), with the estimator of Ertl ("New cardinality estimation algorithms for HyperLogLog
 * sketches", 2017, section 4), which has no bias at any number.
 *
 * Details: 16,384 registers of a byte; the standard error is 0.8 %. Two sketches joined are the sketch of everything that was added to either.
 */
export class CardinalitySketch {
  readonly registers: Uint8Array;

  constructor(bytes: Uint8Array = new Uint8Array(registers)) {
    this.registers = bytes;
  }

  /** Adds a thing by two hashes of it that have nothing to do with each other, 32 bits each. */
  add(one: number, other: number): void {
    const index = one >>> (32 - indexBits);
    const rank = 1 + Math.clz32(other);
    if (rank > this.registers[index]!) this.registers[index] = rank;
  }

  /** Adds everything that was added to another one. */
  join({ registers: others }: CardinalitySketch): void {
    for (let index = 0; index < registers; index++)
      if (others[index]! > this.registers[index]!) this.registers[index] = others[index]!;
  }

  /** About how many different things were added. */
  get estimate(): number {
    const counts = new Array<number>(ranks + 1).fill(0);
    for (const rank of this.registers) counts[rank]!++;
    let sum = registers * tau(1 - counts[ranks]! / registers);
    for (let rank = ranks - 1; rank > 0; rank--) sum = (sum + counts[rank]!) / 2;
    sum += registers * sigma(counts[0]! / registers);
    return Math.round(registers ** 2 / (2 * Math.LN2 * sum));
  }
}

/** The sum of x^(2^k) 2^(k-1) over all k from 1 on, and x. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [power, weight, sum] = [share, 1, share];
  for (let before = -1; sum !== before; ) {
    before = sum;
    power *= power;
    sum += power * weight;
    weight *= 2;
  }
  return sum;
}

/** A third of 1 - x - the sum of (1 - x^(2^-k))^2 2^-k over all k from 1 on. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [root, weight, sum] = [share, 1, 1 - share];
  for (let before = -1; sum !== before; ) {
    before = sum;
    root = Math.sqrt(root);
    weight /= 2;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}
