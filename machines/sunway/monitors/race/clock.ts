import type { CoreId } from './race-event.ts';

/** Which rules order two accesses: all of them, or without the two habits that the lenient policy accepts (Sunway specification 7.3). */
export type Rules = 'lenient' | 'strict';

/** What a core knew at one moment: of each core, up to which of its times. Never changes. */
export interface Stamp {
  readonly core: CoreId;
  /** The core's own time. */
  readonly own: number;
  /** The latest own time that others have known and the core has learned back: what it did until then has made a round trip (7.5). */
  readonly returned: number;
  /** By core; its own entry is stale, `own` counts. */
  readonly known: Uint32Array;
  /** The same moment by the lenient rules, where the clock follows both. */
  readonly lenient: Stamp | undefined;
}

/** The moment as these rules see it. */
export const under = (stamp: Stamp, rules: Rules): Stamp =>
  rules === 'lenient' ? (stamp.lenient ?? stamp) : stamp;

/** True when the moment lies after time `time` of core `core`. */
export const knows = (stamp: Stamp, core: CoreId, time: number): boolean =>
  (stamp.core === core ? stamp.own : stamp.known[core]!) >= time;

/**
 * The vector clock of a core.
 *
 * Details: a clock of the strict policy follows the lenient rules beside the strict ones; own times are the same by both. Vectors are shared as long as they are equal: between the stamps of a core until it learns something new, and between the members
 * of a group that has met. A stamp costs one small object, an acquisition that tells nothing new one comparison of vectors.
 */
export class CoreClock {
  readonly #core: CoreId;
  #known: Uint32Array;
  #shared = false;
  #own = 1;
  #returned = 0;
  #stamp: Stamp | undefined;
  readonly #lenient: CoreClock | undefined;

  constructor(core: CoreId, cores: number, policy: Rules = 'lenient') {
    this.#core = core;
    this.#known = new Uint32Array(cores);
    if (policy === 'strict') this.#lenient = new CoreClock(core, cores);
  }

  /** The core's own time: what it does now happens in it. */
  get own(): number {
    return this.#own;
  }

  /** The present moment. */
  stamp(): Stamp {
    if (this.#stamp) return this.#stamp;
    this.#shared = true;
    this.#stamp = {
      core: this.#core,
      own: this.#own,
      returned: this.#returned,
      known: this.#known,
      lenient: this.#lenient?.stamp(),
    };
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
    this.#lenient?.advance();
    this.#stamp = undefined;
    return ++this.#own;
  }

  /** Learns what others knew, some of it by the lenient rules only, and begins a new time of its own. */
  acquire(stamps: readonly Stamp[], lenientOnly: readonly Stamp[] = []): number {
    for (const stamp of stamps) this.#learn(stamp);
    if (this.#lenient)
      for (const all of [stamps, lenientOnly])
        for (const stamp of all) this.#lenient.#learn(under(stamp, 'lenient'));
    return this.advance();
  }

  #learn({ core, own, known }: Stamp): void {
    const mine = this.#known;
    const back = core === this.#core ? own : known[this.#core]!;
    if (back > this.#returned) this.#returned = back;
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
  #lenient: JoinedClock | undefined;

  constructor(cores: number) {
    this.#known = new Uint32Array(cores);
  }

  /** By core: up to which of its times the group knows by the lenient rules. */
  get known(): Readonly<Uint32Array> {
    return this.#lenient?.known ?? this.#known;
  }

  /** Adds what one member knew. */
  join({ core, own, known, lenient }: Stamp): void {
    if (lenient) {
      this.#lenient ??= new JoinedClock(known.length);
      this.#lenient.join(lenient);
    }
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
    const lenient = this.#lenient?.asStamp(core);
    return { core, own: this.#known[core]!, returned: 0, known: this.#known, lenient };
  }
}
