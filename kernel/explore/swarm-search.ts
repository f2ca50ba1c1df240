import { RandomChoices } from '../choices.ts';
import type { Wiring } from '../wiring.ts';
import { CardinalitySketch } from './cardinality-sketch.ts';
import { ClockNeeded } from './effect-recorder.ts';
import { type ExpandOptions, Expansion, type Spotted } from './expansion.ts';
import { foundAt, keyOf, type ShownFinding } from './explorer.ts';
import { shownAlong } from './shown.ts';
import { StateDigest } from './state-digest.ts';

/** How one search of a swarm goes. */
export interface SwarmOptions extends Omit<ExpandOptions, 'symmetry' | 'cycles'> {
  /** What its order and its hash follow from. */
  readonly seed: number;
  /** Bits by which it knows states again, a power of 2, at least 32. */
  readonly bits: number;
  /** Ticks that it goes deep. */
  readonly depthMax: number;
  /** States after which it ends. */
  readonly searchStatesMax: number;
}

/** What one search of a swarm came to. */
export interface SwarmFigures {
  /** States gone on from. */
  readonly states: number;
  /** Deliveries carried out. */
  readonly transitions: number;
  /** Ticks of the longest way that it went. */
  readonly depth: number;
  /** True when nothing is left that its bits and its depth let it go on from. */
  readonly exhausted: boolean;
}

/** A state on the way, and those that come after it and were not looked at. */
interface Frame {
  readonly words: Uint32Array;
  readonly left: Uint32Array[];
}

/** Bits that say of a state that it was there. */
const bitsPerState = 3;

/**
 * One search of a swarm: depth first, in an order of its own, with a bit array in which a state is known again by three bits.
 *
 * Details: bitstate hashing (Holzmann 1998): two states may have the same bits, then one of them is left out; never is a state taken for one that was not met. So a search finds no more than there is, and not
 * all of it. Many of them, with different seeds, cover together what none does alone (Holzmann, Joshi and Groce, "Swarm verification techniques", 2011). What it finds is found on a way, which a run takes before it
 * is told. Runs without end are not judged.
 */
export class SwarmSearch {
  /** The states that it went on from, for how many different ones a swarm has. */
  readonly sketch = new CardinalitySketch();
  readonly #make: () => Wiring;
  readonly #options: SwarmOptions;
  readonly #choices: RandomChoices;
  readonly #bits: Uint32Array;
  #expansion: Expansion;
  #digest: StateDigest;
  /** The states on the way; the last is gone on from. */
  #frames: Frame[] = [];
  /** Answers to the questions of the start, by the words of the state. */
  #starts = new Map<Uint32Array, readonly number[]>();
  #next: Uint32Array[] = [];
  #inside = false;
  #states = 0;
  #depth = 0;
  #found: Spotted | undefined;
  #shown: ShownFinding | undefined;

  /** `make` wires the machine, anew at each call. */
  constructor(make: () => Wiring, options: SwarmOptions) {
    this.#make = make;
    this.#options = options;
    this.#choices = new RandomChoices(options.seed);
    this.#bits = new Uint32Array(options.bits / 32);
    [this.#expansion, this.#digest] = this.#expand(false);
    this.#withClock(() => this.#start());
  }

  #expand(clock: boolean): [Expansion, StateDigest] {
    const { seed: _, bits: _bits, depthMax: _depth, searchStatesMax: _states, ...options } = this.#options;
    const expansion = new Expansion(
      this.#make,
      { ...options, cycles: false, clock: clock || (options.clock ?? false) },
      {
        ended: (words, at, length) => this.#next.push(words.slice(at, at + length)),
        spotted: (spotted) => this.#find(spotted),
        witnessed: () => {},
      },
    );
    const { transitionCache, watchers, layout, keepsOrder } = expansion;
    return [expansion, new StateDigest(transitionCache, watchers, layout, keepsOrder)];
  }

  #start(): void {
    const first: Uint32Array[] = [];
    for (const { words, picks, spotted } of this.#expansion.starts()) {
      first.push(words);
      this.#starts.set(words, picks);
      // What a start shows itself is found on no way.
      if (spotted[0] && !this.#found) {
        this.#frames = [{ words, left: [] }];
        this.#find(spotted[0]);
      }
    }
    this.#frames = [{ words: new Uint32Array(0), left: this.#inOrder(first) }];
  }

  /** When an actor is found to ask for the time: begins anew with the tick as a part of the states. */
  #withClock(carryOn: () => void): void {
    try {
      carryOn();
    } catch (error) {
      if (!(error instanceof ClockNeeded)) throw error;
      [this.#expansion, this.#digest] = this.#expand(true);
      this.#bits.fill(0);
      this.#starts = new Map();
      [this.#inside, this.#states, this.#depth, this.#found] = [false, 0, 0, undefined];
      this.#start();
    }
  }

  /** Goes on for about so many deliveries. Returns false when it is over. */
  go(deliveries: number): boolean {
    let goesOn = true;
    this.#withClock(() => {
      goesOn = this.#go(deliveries);
    });
    return goesOn;
  }

  #go(deliveries: number): boolean {
    const { search } = this.#expansion;
    const last = search.counts.transitions + deliveries;
    for (;;) {
      if (this.#found) return false;
      if (search.counts.transitions >= last) return true;
      if (this.#inside) {
        if (!search.go(last - search.counts.transitions)) return true;
        this.#inside = false;
        this.#frames.at(-1)!.left.push(...this.#inOrder(this.#next));
        continue;
      }
      const frame = this.#frames.at(-1);
      if (!frame || this.#states >= this.#options.searchStatesMax) return false;
      const words = frame.left.pop();
      if (!words || this.#frames.length > this.#options.depthMax + 1) {
        this.#frames.pop();
        continue;
      }
      if (!this.#isNew(words)) continue;
      this.#states++;
      this.sketch.add(this.#digest.one, this.#digest.other);
      this.#depth = Math.max(this.#depth, this.#frames.length - 1);
      this.#frames.push({ words, left: [] });
      this.#next = [];
      this.#expansion.transitionCache.level++;
      this.#inside = this.#expansion.begin(words.slice(), words.length);
    }
  }

  get figures(): SwarmFigures {
    const { transitions } = this.#expansion.search.counts;
    const exhausted = this.#frames.length === 0;
    return { states: this.#states, transitions, depth: this.#depth, exhausted };
  }

  /** What it found, on the way that a run takes, when it found something. Errors: as `Explorer.show`. */
  get finding(): ShownFinding | undefined {
    if (!this.#found || this.#shown) return this.#shown;
    const chain = this.#frames.slice(this.#frames[0]!.words.length === 0 ? 1 : 0).map(({ words }) => words);
    const { spotted, route, tape } = shownAlong(
      this.#expansion,
      this.#starts.get(chain[0]!) ?? [],
      chain.map((words) => words.slice()),
      this.#found,
    );
    this.#shown = { finding: { ...foundAt(spotted, chain.length - 1), tape }, route };
    return this.#shown;
  }

  /** What tells it from other findings; undefined for none. */
  get key(): string | undefined {
    return this.#found && keyOf(this.#found);
  }

  #find(spotted: Spotted): void {
    this.#found ??= spotted;
    this.#expansion.search.stop();
  }

  /** True for a state of which no bit says that it was there, or not all of them; from now on all do. */
  #isNew(words: Uint32Array): boolean {
    const digest = this.#digest;
    digest.of(words, 0, words.length);
    const { bits, seed } = this.#options;
    // Another seed, other bits.
    let hash = Math.imul(digest.one ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    const step = (Math.imul(digest.other ^ seed, 0xc2b2ae35) | 1) >>> 0;
    let isNew = false;
    for (let one = 0; one < bitsPerState; one++) {
      hash = (hash + step) >>> 0;
      const bit = ((hash ^ (hash >>> 15)) >>> 0) % bits;
      const mask = 1 << (bit & 31);
      if ((this.#bits[bit >>> 5]! & mask) === 0) {
        isNew = true;
        this.#bits[bit >>> 5] = this.#bits[bit >>> 5]! | mask;
      }
    }
    return isNew;
  }

  /** The states in an order of its own. */
  #inOrder(states: readonly Uint32Array[]): Uint32Array[] {
    const all = [...states];
    for (let end = all.length - 1; end > 0; end--) {
      const other = this.#choices.pick('state', end + 1);
      [all[end], all[other]] = [all[other]!, all[end]!];
    }
    return all;
  }
}
