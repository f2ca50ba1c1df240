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
 * Details: stamps share the vector until the core learns something new, so a stamp costs one small object.
 */
export class CoreClock {
  readonly #core: CoreId;
  #known: Uint32Array;
  #shared = false;
  #own = 1;
  #acquired = 0;

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
    this.#shared = true;
    return { core: this.#core, own: this.#own, acquired: this.#acquired, known: this.#known };
  }

  /** Hands out the present moment; what the core does from now on lies after it. */
  release(): Stamp {
    const stamp = this.stamp();
    this.#own++;
    return stamp;
  }

  /** A new time of its own, told to nobody yet. */
  advance(): number {
    return ++this.#own;
  }

  /** Learns what others knew. */
  acquire(...stamps: readonly Stamp[]): void {
    if (this.#shared) this.#known = this.#known.slice();
    this.#shared = false;
    for (const { core, own, known } of stamps) {
      for (let other = 0; other < known.length; other++)
        if (known[other]! > this.#known[other]!) this.#known[other] = known[other]!;
      if (own > this.#known[core]!) this.#known[core] = own;
    }
    this.#acquired = ++this.#own;
  }
}

/** What a group knows together: the moments of its members joined. */
export class JoinedClock {
  readonly known: Uint32Array;

  constructor(cores: number) {
    this.known = new Uint32Array(cores);
  }

  /** Adds what one member knew. */
  join({ core, own, known }: Stamp): void {
    for (let other = 0; other < known.length; other++)
      if (known[other]! > this.known[other]!) this.known[other] = known[other]!;
    if (own > this.known[core]!) this.known[core] = own;
  }

  /** As a stamp that belongs to the core `core`. */
  asStamp(core: CoreId): Stamp {
    return { core, own: this.known[core]!, acquired: 0, known: this.known };
  }
}
