import type { SharedMemory } from './shared-memory.ts';

/** Slots of a bucket, which fill a cache line. */
const bucketSlots = 8;
/** A reference, and the hash of its state. */
const bytesPerSlot = 8;
/** Slots in which a state may lie, counted from the first of the bucket that its hash names. */
const reachSlots = 512;

/** One part of the index of a table of states. */
interface Part {
  readonly piece: number;
  readonly buckets: number;
  /** Slots that can hold a reference. */
  readonly slots: number;
  /** By slot: the reference, 0 in an empty slot, and the hash, 0 as long as it is not written. */
  readonly words: Int32Array;
  /** False where one thread alone has it: then nothing has to be atomic. */
  readonly shared: boolean;
}

/** Where threads agree on the parts, in words of `control`: how many parts, a lock, the next slots to move, then the piece of each part. */
const words = { count: 0, lock: 1, moved: 2, next: 3, parts: 4 } as const;
const partsMax = 16;

/** Words of memory that an index needs to be shared. */
export const indexControlWords: number = words.parts + partsMax;

/** Compares what is looked for with the state that has a reference. */
export type IsIt = (reference: number) => boolean;

/** Whether what is looked for is to come in where it is not there. */
export type MayCome = () => boolean;

/** What is looked for is not there, and was not to come in. */
export const refused = -2;

/**
 * The index of a table of states: finds the reference of a state by its hash. Any number of threads look up and insert at the same time, and nobody waits.
 *
 * Details: a slot goes from empty to taken once, by compare-and-swap. A state lies in the first slot that was empty on its way, which its hash alone names: through a few buckets of the first part, then
 * of the next. So two threads that insert the same state meet in the same slot, and one of them finds what the other has inserted. Where all of the way is taken a part is added, four times as large;
 * between levels, when nobody inserts, parts become one (`begin`, `move`, `end`). Beside each reference is the hash, so that hardly any state is compared in vain, and none is read to move it.
 */
export class StateIndex {
  readonly #memory: SharedMemory;
  readonly #control: Int32Array;
  #parts: Part[] = [];

  constructor(memory: SharedMemory, control: Int32Array) {
    this.#memory = memory;
    this.#control = control;
  }

  /** Bytes that it takes. */
  get bytes(): number {
    return this.#parts.reduce((sum, { slots }) => sum + bytesPerSlot * slots, 0);
  }

  /** The reference that is there already, 0 after `reference` was inserted, or `refused`. */
  insert(hash: number, reference: number, isIt: IsIt, mayCome?: MayCome): number {
    for (let part = 0; ; part++) {
      if (part === this.#parts.length) this.#more(part);
      const found = insertInto(this.#parts[part]!, hash, reference, isIt, mayCome);
      if (found !== full) return found;
    }
  }

  /** One thread begins to make all parts one, with room for so many states and, before it is a bit too full, some more. Returns false when it is not worth it. Then all `move`, and one thread ends it. */
  begin(states: number, soon: number): boolean {
    if (!this.isTight(states, soon)) return false;
    Atomics.store(this.#control, words.next, this.#take(bucketsFor(states, soon)));
    Atomics.store(this.#control, words.moved, 0);
    return true;
  }

  /** True when it has more than one part, or is too full for so many states and some more. */
  isTight(states: number, soon: number): boolean {
    this.#adopt();
    const slots = this.#parts.reduce((sum, part) => sum + part.slots, 0);
    return this.#parts.length > 1 || states + soon > slots * fullest;
  }

  /** One thread alone: forgets all references, and makes room for those of so many states and some more. */
  renew(states: number, soon: number): void {
    for (const { piece } of this.#parts) this.#memory.drop(piece);
    this.#parts = [];
    Atomics.store(this.#control, words.next, this.#take(bucketsFor(states, soon)));
    this.end();
    this.#adopt();
  }

  /** Moves its share of the references. */
  move(): void {
    this.#adopt();
    const into = this.#open(Atomics.load(this.#control, words.next));
    for (;;) {
      let from = Atomics.add(this.#control, words.moved, movedAtOnce);
      let at = 0;
      while (at < this.#parts.length && from >= this.#parts[at]!.slots) from -= this.#parts[at++]!.slots;
      if (at === this.#parts.length) return;
      // Parts have a multiple of so many slots or are the last of all that is looked at.
      this.#moveSome(at, from, movedAtOnce, into);
    }
  }

  #moveSome(part: number, from: number, count: number, into: Part) {
    let [at, slot] = [part, from];
    for (let left = count; left > 0 && at < this.#parts.length; left--) {
      const { words: own, slots } = this.#parts[at]!;
      const reference = own[2 * slot]!;
      if (reference !== 0 && insertInto(into, own[2 * slot + 1]! >>> 0, reference, never) === full)
        throw new Error('Lockstep defect: the index of the states is too small');
      if (++slot === slots) [at, slot] = [at + 1, 0];
    }
  }

  /** All have moved their share. */
  end(): void {
    Atomics.store(this.#control, words.parts, Atomics.load(this.#control, words.next));
    Atomics.store(this.#control, words.count, 1);
  }

  /** Lets go of the parts that became one. All have to, before anybody inserts. */
  forget(): void {
    for (const { piece } of this.#parts) this.#memory.drop(piece);
    this.#parts = [];
    this.#adopt();
  }

  #adopt(): void {
    const count = Atomics.load(this.#control, words.count);
    while (this.#parts.length < count)
      this.#parts.push(this.#open(Atomics.load(this.#control, words.parts + this.#parts.length)));
  }

  #more(part: number): void {
    if (part >= partsMax) throw new Error('Lockstep defect: the index of the states has too many parts');
    while (Atomics.compareExchange(this.#control, words.lock, 0, 1) !== 0)
      Atomics.wait(this.#control, words.lock, 1);
    try {
      if (Atomics.load(this.#control, words.count) === part) {
        const buckets = part === 0 ? firstBuckets : 4 * this.#parts.at(-1)!.buckets;
        Atomics.store(this.#control, words.parts + part, this.#take(buckets));
        Atomics.store(this.#control, words.count, part + 1);
      }
    } finally {
      Atomics.store(this.#control, words.lock, 0);
      Atomics.notify(this.#control, words.lock);
    }
    this.#adopt();
  }

  #take(buckets: number): number {
    return this.#memory.take(bytesPerSlot * bucketSlots * buckets);
  }

  #open(piece: number): Part {
    const buffer = this.#memory.piece(piece);
    const slots = buffer.byteLength / bytesPerSlot;
    return {
      piece,
      slots,
      buckets: slots / bucketSlots,
      words: new Int32Array(buffer),
      // Pages that are not isolated have no SharedArrayBuffer to ask for.
      shared: !((buffer as unknown) instanceof ArrayBuffer),
    };
  }
}

/** Share of the slots that are taken at most, where one part is made. */
const fullest = 0.82;
const bucketsFor = (states: number, soon: number): number =>
  Math.ceil((Math.max(states * growth, states + soon) / fullest + 1) / bucketSlots);
/** Times as many states for which there is room in a part that is made in place of others. */
const growth = 1.3;
const firstBuckets = 32;
const movedAtOnce = 1 << 12;
/** Every slot on the way is taken by another state. */
const full = -1;
const never = (): boolean => false;

function insertInto(
  { buckets, slots, words: own, shared }: Part,
  hash: number,
  reference: number,
  isIt: IsIt,
  mayCome?: MayCome,
): number {
  // The high bits name the bucket.
  let slot = bucketSlots * Math.floor((hash * buckets) / 2 ** 32);
  for (let tried = 0; tried < reachSlots && tried < slots; tried++) {
    const found = own[2 * slot + 1]!;
    if (found === (hash | 0) || found === 0) {
      let there = shared ? Atomics.load(own, 2 * slot) : own[2 * slot]!;
      if (there === 0) {
        if (mayCome !== undefined && !mayCome()) return refused;
        if (shared) there = Atomics.compareExchange(own, 2 * slot, 0, reference);
        else own[2 * slot] = reference;
        if (there === 0) {
          own[2 * slot + 1] = hash;
          return 0;
        }
      }
      if (isIt(there)) return there;
    }
    slot = slot + 1 === slots ? 0 : slot + 1;
  }
  return full;
}
