import type { Address } from '../message.ts';
import { failed, type Repertoire } from './repertoire.ts';
import type { StateSet } from './state-set.ts';
import { type Layout, moveOn } from './state-words.ts';
import type { Taken, TickListener, TickSearch } from './tick-search.ts';
import type { Watchers } from './watchers.ts';

/** One delivery of a route: the channel whose head is delivered, and the answers that its receiver gets. */
export interface RouteStep {
  readonly from: Address;
  readonly to: Address;
  readonly picks: readonly number[];
}

/** A way through a run, from its start to something that was found. `guide` makes a run take it. */
export interface Route {
  /** Answers to the questions that actors ask while they start. */
  readonly start: readonly number[];
  readonly steps: readonly RouteStep[];
  /** The tick in which it ends. */
  readonly tick: number;
  /** The step to which it returns after the last one, for ever; undefined when it just ends. */
  readonly cycleFrom: number | undefined;
}

/** A place in an exploration: a state, and deliveries of the tick that follows it. */
export interface Place {
  readonly state: number;
  readonly path: readonly Taken[];
  /** The delivery of the path with which a circle begins. */
  readonly cycleFrom?: number | undefined;
}

/** Finds routes: a state remembers only the state before it, what happened in between is searched for again. */
export class Routes {
  readonly #repertoire: Repertoire;
  readonly #layout: Layout;
  readonly #watchers: Watchers;
  readonly #states: StateSet;
  readonly #before: (state: number) => number | undefined;
  readonly #start: (state: number) => readonly number[];
  readonly #search: (listener: TickListener) => TickSearch;

  constructor(known: {
    readonly repertoire: Repertoire;
    readonly layout: Layout;
    readonly watchers: Watchers;
    readonly states: StateSet;
    /** The state at the end of the tick before; undefined before the first tick. */
    readonly before: (state: number) => number | undefined;
    /** The answers that lead to a state before the first tick. */
    readonly start: (state: number) => readonly number[];
    /** A search like the one that found the states. */
    readonly search: (listener: TickListener) => TickSearch;
  }) {
    this.#repertoire = known.repertoire;
    this.#layout = known.layout;
    this.#watchers = known.watchers;
    this.#states = known.states;
    this.#before = known.before;
    this.#start = known.start;
    this.#search = known.search;
  }

  /** The route to a place. */
  to({ state, path, cycleFrom }: Place): Route {
    const chain = [state];
    for (let at = this.#before(state); at !== undefined; at = this.#before(at)) chain.unshift(at);
    const steps: RouteStep[] = [];
    let tick = 0;
    chain.forEach((here, index) => {
      const next = chain[index + 1];
      const { passed, path: taken } = this.#tick(here, next);
      tick += passed;
      steps.push(...stepsOf(this.#repertoire, next === undefined ? path : taken));
    });
    const circle = cycleFrom === undefined ? undefined : stepsOf(this.#repertoire, path.slice(cycleFrom));
    return {
      start: this.#start(chain[0]!),
      steps,
      tick,
      cycleFrom: circle && steps.length - circle.length,
    };
  }

  /** How many ticks after a state its next tick is, and the deliveries of it that lead to the state `wanted`. */
  #tick(state: number, wanted: number | undefined): { passed: number; path: readonly Taken[] } {
    const length = this.#states.lengthOf(state);
    const words = new Uint32Array(length);
    this.#states.read(state, words, 0);
    if (wanted === undefined && this.#layout.header + words[0]! === length) return { passed: 0, path: [] };
    const passed = moveOn(this.#layout, words, length);
    if (wanted === undefined) return { passed, path: [] };
    if (passed > 0) this.#watchers.advance(words, 0, passed, () => {});
    let path: readonly Taken[] = [];
    const search = this.#search({
      delivered: (reached, at, mail, alternative) =>
        this.#watchers.deliver(reached, at, mail, alternative, () => {}),
      ended: (reached, at, count) => {
        this.#watchers.endOfTick(reached, at, () => {});
        if (this.#states.add(reached, at, count) !== ~wanted) return;
        path = search.path;
        search.stop();
      },
      endless: () => {},
    });
    search.begin(words, 0, length);
    while (!search.go(Number.MAX_SAFE_INTEGER));
    return { passed, path };
  }
}

/**
 * The steps of a path. Handlings that failed on the way are left out, all but the last: in a run they would end it, and nobody who comes
 * later has anything to do with them.
 */
function stepsOf(repertoire: Repertoire, path: readonly Taken[]): RouteStep[] {
  return path
    .filter(({ alternative }, index) => alternative.next !== failed || index === path.length - 1)
    .map(({ mail, alternative }) => ({ ...repertoire.channelOf(mail), picks: alternative.picks }));
}
