import type { CoreId } from './race-event.ts';

/** What a core knew at one moment: of each core, up to which of its times. Never changes. */
export interface Stamp {
  readonly core: CoreId;
  /** The core's own time. */
  readonly own: number;
  /** Own time of its last acquisition: anything it finished before has made a round trip to others since. */
  readonly acquired: number;
  /** By core; its own entry is stale, `own` counts. */
  readonly known: Uint32Array;
}

/** True when the moment lies after time `time` of core `core`. */
export const knows = (stamp: Stamp, core: CoreId, time: number): boolean =>
  (stamp.core === core ? stamp.own : stamp.known[core]!) >= time;

/**
 * The vector clock of a core.
 *
 * Details: vectors are shared as long as they are equal: between the stamps of a core until it learns something new, and between the members
 * of a group that has met. A stamp costs one small object, an acquisition that tells nothing new one comparison of vectors.
 */
export class CoreClock {
  readonly #core: CoreId;
  #known: Uint32Array;
  #shared = false;
  #own = 1;
  #acquired = 0;
  #stamp: Stamp | undefined;

  constructor(core: CoreId, cores: number) {
    this.#core = core;
    this.#known = new Uint32Array(cores);
  }

  /** The core's own time: what it does now happens in it. */
  get own(): number {
    return this.#own;
  }

  /** The present moment. */
  stamp(): Stamp {
    if (this.#stamp) return this.#stamp;
    this.#shared = true;
    this.#stamp = { core: this.#core, own: this.#own, acquired: this.#acquired, known: this.#known };
    return this.#stamp;
  }

  /** Hands out the present moment; what the core does from now on lies after it. */
  release(): Stamp {
    const stamp = this.stamp();
    this.advance();
    return stamp;
  }

  /** A new time of its own, told to nobody yet. */
  advance(): number {
    this.#stamp = undefined;
    return ++this.#own;
  }

  /** Learns what others knew. */
  acquire(...stamps: readonly Stamp[]): void {
    for (const stamp of stamps) this.#learn(stamp);
    this.#acquired = this.advance();
  }

  #learn({ core, own, known }: Stamp): void {
    const mine = this.#known;
    let [behind, ahead] = [false, false];
    for (let other = 0; other < known.length; other++) {
      const [told, had] = [known[other]!, mine[other]!];
      if (told > had) behind = true;
      else if (told < had && other !== this.#core) ahead = true;
    }
    if (behind && !ahead) {
      // Everything is known there: the vector itself is taken over, and copied when it has to change.
      this.#known = known;
      this.#shared = true;
    } else if (behind) {
      const learned = this.#writable();
      for (let other = 0; other < known.length; other++)
        if (known[other]! > learned[other]!) learned[other] = known[other]!;
    }
    if (core !== this.#core && own > this.#known[core]!) this.#writable()[core] = own;
  }

  #writable(): Uint32Array {
    if (this.#shared) this.#known = this.#known.slice();
    this.#shared = false;
    return this.#known;
  }
}

/** What a group knows together: the moments of its members joined. */
export class JoinedClock {
  #known: Uint32Array;
  #shared = false;

  constructor(cores: number) {
    this.#known = new Uint32Array(cores);
  }

  /** By core: up to which of its times the group knows. */
  get known(): Readonly<Uint32Array> {
    return this.#known;
  }

  /** Adds what one member knew. */
  join({ core, own, known }: Stamp): void {
    if (this.#shared) this.#known = this.#known.slice();
    this.#shared = false;
    const joined = this.#known;
    for (let other = 0; other < known.length; other++)
      if (known[other]! > joined[other]!) joined[other] = known[other]!;
    if (own > joined[core]!) joined[core] = own;
  }

  /** As a stamp that belongs to the core `core`. */
  asStamp(core: CoreId): Stamp {
    this.#shared = true;
    return { core, own: this.#known[core]!, acquired: 0, known: this.#known };
  }
}
