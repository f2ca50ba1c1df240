/** A set of bytes of one cycle, each once marked at most; emptied in constant time. Keys are safe integers of at least 0. */
export class ByteSet {
  private keys = new Float64Array(64);
  private rounds = new Int32Array(64);
  private marks = new Uint8Array(64);
  private round = 1;
  /** Bytes in the set that are not marked. */
  unmarked = 0;
  private size = 0;

  /** Empties the set. */
  clear(): void {
    this.unmarked = 0;
    this.size = 0;
    this.round++;
    if (this.round < 0x7fffffff) return;
    this.rounds.fill(0);
    this.round = 1;
  }

  /** Puts a byte into the set; false when it is there already. */
  add(key: number): boolean {
    if (this.size * 2 >= this.keys.length) this.grow();
    const slot = this.slotOf(key);
    if (this.rounds[slot] === this.round) return false;
    this.rounds[slot] = this.round;
    this.keys[slot] = key;
    this.marks[slot] = 0;
    this.size++;
    this.unmarked++;
    return true;
  }

  /** Marks a byte; false when it is not in the set. */
  mark(key: number): boolean {
    const slot = this.slotOf(key);
    if (this.rounds[slot] !== this.round) return false;
    if (this.marks[slot] === 0) this.unmarked--;
    this.marks[slot] = 1;
    return true;
  }

  /** Some byte that is not marked, or -1. */
  anyUnmarked(): number {
    for (let slot = 0; slot < this.keys.length; slot++)
      if (this.rounds[slot] === this.round && this.marks[slot] === 0) return this.keys[slot] ?? -1;
    return -1;
  }

  /** An independent copy. */
  fork(): ByteSet {
    const copy = new ByteSet();
    copy.keys = this.keys.slice();
    copy.rounds = this.rounds.slice();
    copy.marks = this.marks.slice();
    copy.round = this.round;
    copy.unmarked = this.unmarked;
    copy.size = this.size;
    return copy;
  }

  /** Hands over what is in the set, whatever was in it before. */
  hash(into: { value(bytes: unknown): void }): void {
    const bytes: [key: number, mark: number][] = [];
    this.rounds.forEach((round, slot) => {
      if (round === this.round) bytes.push([this.keys[slot]!, this.marks[slot]!]);
    });
    into.value(bytes.sort(([a], [b]) => a - b));
  }

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = Math.imul(key ^ (key / 0x1_0000_0000), 0x9e3779b1) >>> 8;
    slot &= mask;
    while (this.rounds[slot] === this.round && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { keys, rounds, marks } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.rounds = new Int32Array(keys.length * 2);
    this.marks = new Uint8Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      if (rounds[old] !== this.round) continue;
      const key = keys[old] ?? 0;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.rounds[slot] = this.round;
      this.marks[slot] = marks[old] ?? 0;
    }
  }
}
