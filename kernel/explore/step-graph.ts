import type { GlobalState } from '../global-state.ts';
import type { Wiring } from '../wiring.ts';
import { globalStateAt } from './decode.ts';
import { type ExpandOptions, Expansion, type FirstState } from './expansion.ts';
import type { Delivered, Observation, Observer } from './observer.ts';
import { StateSet } from './state-set.ts';

/** Reads off a message or probe what it shows to somebody outside; undefined for what is hidden from him. */
export type ReadShown = (observation: Observation) => unknown;

/** Something that is shown, and the actor that shows it, or to which the message comes. */
export interface ShownBy {
  readonly actor: string;
  readonly what: unknown;
}

/** A way to begin: a state before the first tick, and what is shown by then, in order. */
export interface GraphStart {
  readonly to: number;
  readonly shown: readonly ShownBy[];
}

/** One tick out of a state: where it leads, what it shows, and what it delivers. */
export interface GraphStep extends GraphStart {
  readonly by: readonly Delivered[];
}

/** How the states of a graph are gone on from. */
export interface StepGraphOptions
  extends Pick<ExpandOptions, 'faults' | 'until' | 'clock' | 'reduction' | 'deliveriesPerTickMax'> {
  /** Types of the messages and probes that `read` looks at; all when absent, none when it is empty. */
  readonly watches?: readonly string[];
}

/** What a graph remembers of a tick until its end. */
interface ShownInTick {
  shown: ShownBy[];
}

/**
 * The states of a machine and the ticks between them, with what each tick shows: a state is gone on from when it is asked for, once.
 *
 * Details: states are those of an `Explorer`, numbered from 0 in the order in which they are met, which follows from the order in which they are asked for. What is reported
 * and what goes wrong is nothing here. Errors: as `Explorer`; `ClockNeeded` for a clocked machine that reads the time, without `clock`.
 */
export class StepGraph {
  readonly starts: readonly GraphStart[];
  readonly #expansion: Expansion;
  readonly #states = new StateSet();
  readonly #steps: (readonly GraphStep[] | undefined)[] = [];
  readonly #resting: boolean[] = [];
  /** Number of the memory of somebody to whom nothing is shown yet. */
  readonly #nothing: number;
  #found = new Map<string, GraphStep>();
  #words = new Uint32Array(1 << 10);

  /** `make` wires the machine, anew at each call. */
  constructor(make: () => Wiring, read: ReadShown, { watches, ...options }: StepGraphOptions = {}) {
    const recorder: Observer<ShownInTick> = {
      sentence: 'what is shown',
      ...(watches && { watches }),
      begin: () => ({ shown: [] }),
      see: (memory, observation) => {
        const what = read(observation);
        const actor = observation.kind === 'probe' ? observation.actor : observation.to;
        if (what !== undefined) memory.shown.push({ actor, what });
        return undefined;
      },
    };
    this.#expansion = new Expansion(
      make,
      { ...options, observers: [recorder] },
      {
        ended: (words, at, length) => this.#ended(words, at, length),
        spotted: () => {},
        witnessed: () => {},
      },
    );
    this.#nothing = this.#expansion.watchers.begin()[0]!;
    this.starts = [...this.#expansion.starts()].map(({ words }: FirstState) => ({
      shown: this.#shownIn(words, 0),
      to: this.#add(words, 0, words.length),
    }));
  }

  /** States met so far. */
  get size(): number {
    return this.#states.size;
  }

  /** All ticks out of a state, those that lead to the same and show the same once. */
  stepsFrom(state: number): readonly GraphStep[] {
    const known = this.#steps[state];
    if (known) return known;
    const { quiet } = this.#expansion;
    this.#found = new Map();
    // What is known of steps so far helps to leave out orders that make no difference.
    this.#expansion.transitionCache.level++;
    const length = this.#load(state);
    if (this.#expansion.begin(this.#words, length))
      while (!this.#expansion.search.go(Number.MAX_SAFE_INTEGER));
    this.#resting[state] = this.#expansion.quiet > quiet;
    const steps = [...this.#found.values()];
    this.#steps[state] = steps;
    return steps;
  }

  /** True for a state in which nothing happens any more: nothing is under way, or no party does anything. */
  rests(state: number): boolean {
    this.stepsFrom(state);
    return this.#resting[state]!;
  }

  /** A state as data. Look, never touch. */
  stateOf(state: number): GlobalState {
    const { transitionCache, layout } = this.#expansion;
    const length = this.#load(state);
    return globalStateAt(transitionCache, layout, this.#words, 0, length);
  }

  #ended(words: Uint32Array, at: number, length: number): void {
    const shown = this.#shownIn(words, at);
    const memory = words[at + 1]!;
    const to = this.#add(words, at, length);
    const key = `${to} ${memory}`;
    if (!this.#found.has(key)) this.#found.set(key, { to, shown, by: this.#expansion.delivered });
  }

  #shownIn(words: Uint32Array, at: number): readonly ShownBy[] {
    return (this.#expansion.watchers.memories(words, at)[0] as ShownInTick).shown;
  }

  /** Number of a state, without what the tick that led to it has shown. */
  #add(words: Uint32Array, at: number, length: number): number {
    words[at + 1] = this.#nothing;
    const added = this.#states.add(words, at, length);
    return added < 0 ? ~added : added;
  }

  #load(state: number): number {
    const length = this.#states.lengthOf(state);
    if (length > this.#words.length) this.#words = new Uint32Array(2 * length);
    return this.#states.read(state, this.#words, 0);
  }
}
