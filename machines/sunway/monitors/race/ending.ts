import type { Rules, Stamp } from './clock.ts';
import { knows, under } from './clock.ts';
import type { CoreId } from './race-event.ts';

/** What the end of something is followed by: one moment of a core, or of two. */
interface Cover {
  readonly core: CoreId;
  readonly time: number;
  /** A second moment that must be known too. */
  readonly otherCore: CoreId | undefined;
  readonly otherTime: number;
  /** The rules under which it counts; undefined for both. */
  readonly only: Rules | undefined;
  /** What the core itself does is behind it only after a round trip: a put has left the LDM, but may not be in memory yet. */
  readonly roundTrip: boolean;
  /** It counts as over since it was told as a race, though nothing orders it. */
  readonly told: boolean;
}

/** The end of an access or of an increment, and the moments after which it is over. */
export class Ending {
  #covers: Cover[] | undefined;
  /** Barrier operations behind it: it is over for whoever knows that something behind one of them is (Sunway specification 7.2). */
  readonly #gates: readonly Gate[];

  constructor(gates: readonly Gate[] = []) {
    this.#gates = gates;
  }

  /** True when it is over for whoever is at this moment, under these rules; or counts as that since it was told, unless these are `unheeded`. */
  isBefore(stamp: Stamp, rules: Rules, reports?: 'unheeded'): boolean {
    return this.#isCovered(stamp, rules, reports) || this.#gates.some((gate) => gate.isPassed(stamp, rules));
  }

  #isCovered(stamp: Stamp, rules: Rules, reports?: 'unheeded'): boolean {
    if (!this.#covers) return false;
    const at = under(stamp, rules);
    for (const cover of this.#covers) {
      if (cover.only !== undefined && cover.only !== rules) continue;
      if (cover.told && reports === 'unheeded') continue;
      if (!knows(at, cover.core, cover.time)) continue;
      if (cover.otherCore !== undefined && !knows(at, cover.otherCore, cover.otherTime)) continue;
      if (cover.roundTrip && at.core === cover.core && at.returned < cover.time) continue;
      return true;
    }
    return false;
  }

  /** Whoever knows this moment of this core knows that it is over, under these rules or under both. */
  coveredAt(core: CoreId, time: number, only?: Rules, roundTrip = false): void {
    this.#cover({ core, time, otherCore: undefined, otherTime: 0, only, roundTrip, told: false });
  }

  /** What this core does from a moment on was told as a race with it, under these rules: for whoever knows that moment it counts as over. */
  toldAt(core: CoreId, time: number, only: Rules): void {
    this.#cover({ core, time, otherCore: undefined, otherTime: 0, only, roundTrip: false, told: true });
  }

  /** As `coveredAt`, under the lenient rules, for those who know a moment of each of two cores. */
  coveredAtBoth(core: CoreId, time: number, otherCore: CoreId, otherTime: number): void {
    this.#cover({ core, time, otherCore, otherTime, only: 'lenient', roundTrip: false, told: false });
  }

  #cover(cover: Cover): void {
    this.#covers ??= [];
    this.#covers.push(cover);
  }

  /** True when some core knows, under any rules, that it is over. */
  get isKnown(): boolean {
    return this.#covers !== undefined || this.#gates.some((gate) => gate.isPassedBySomebody);
  }
}

/**
 * A barrier operation of a core (Sunway specification 7.2), from when the one before it is queued: what is issued until then lies in front of it.
 *
 * Details: whoever knows the end of something behind it knows that everything in front of it is over.
 */
export class Gate {
  readonly #passed = new Ending();
  /** Made when this one is queued. */
  #next: Gate | undefined;

  /** The operation is queued. Returns the one that may follow. */
  close(): Gate {
    this.#next = new Gate();
    return this.#next;
  }

  /** Whoever knows this moment knows the end of something right behind the gate. */
  passedAt(core: CoreId, time: number, only?: Rules): void {
    this.#passed.coveredAt(core, time, only);
  }

  isPassed(stamp: Stamp, rules: Rules): boolean {
    for (let gate: Gate | undefined = this; gate; gate = gate.#next)
      if (gate.#passed.isBefore(stamp, rules)) return true;
    return false;
  }

  get isPassedBySomebody(): boolean {
    for (let gate: Gate | undefined = this; gate; gate = gate.#next) if (gate.#passed.isKnown) return true;
    return false;
  }
}
