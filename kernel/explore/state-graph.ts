import { restoreWords, storeWords } from './checkpoint.ts';
import { Liveness } from './liveness.ts';
import type { Lasso, LivenessGraph } from './liveness-graph.ts';
import type { Observer, Pending } from './observer.ts';
import type { Watchers } from './watchers.ts';
import { WordList } from './word-list.ts';
import type { WordStore } from './word-store.ts';

/** An infinite run that contradicts a sentence: a way through states, of which one comes back as the last. */
export interface EndlessRun {
  readonly observer: Observer;
  /** What stays pending for ever. */
  readonly pending: Pending;
  /** Numbers of the states, the first of which is one before the first tick. */
  readonly states: readonly number[];
  /** By state: the trail of the tick that led to it; 0 for the first. */
  readonly trails: readonly number[];
  /** The place in `states` of the one that comes back. */
  readonly cycleAt: number;
}

/** The ticks of an exploration as edges between its states, and what stays open on its cycles. */
export class StateGraph {
  readonly #watchers: Watchers;
  /** By state: its first edge. */
  readonly #firstEdge = new WordList();
  /** By edge: where it leads, and the trail of its tick. */
  readonly #to = new WordList();
  readonly #trail = new WordList();
  /** Edges of the present state. */
  readonly #known = new Set<number>();

  constructor(watchers: Watchers) {
    this.#watchers = watchers;
  }

  /** Begins with the next state: states are gone on from in the order of their numbers. */
  beginState(): void {
    this.#firstEdge.push(this.#to.length);
    this.#known.clear();
  }

  /** A tick leads from the present state to another one. */
  add(to: number, trail: number): void {
    const key = to * 2 ** 26 + trail;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#to.push(to);
    this.#trail.push(trail);
  }

  /** A tick leads from the present state outside the boundary: it could be taken, which is all that is known of it. */
  leave(trail: number): void {
    const key = -1 - trail;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#to.push(outside);
    this.#trail.push(trail);
  }

  /** Adds what is new beyond the `stored` words of its streams to a store. Returns how many there are now. */
  storeIn(store: WordStore, stored: Readonly<Record<string, number>>): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.#lists).map(([stream, list]) => [
        stream,
        storeWords(store, stream, list, stored[stream]),
      ]),
    );
  }

  /**
   * Sentences that wait for ever in a run which is fair but for steps that lead outside the boundary, and in no other: what such a run comes to is not known. `wordsOf` as of `endless`.
   */
  leftOpen(
    stateCount: number,
    initial: readonly number[],
    wordsOf: (state: number) => Uint32Array,
    judged: readonly EndlessRun[],
  ): readonly string[] {
    if (!this.#leavesBoundary) return [];
    const liveness = new Liveness(this.#graph(stateCount, initial, wordsOf, false));
    const known = new Set(judged.map(({ observer }) => observer));
    const open = liveness.obligations.filter((obligation) => {
      const observer = this.#watchers.whoWaitsFor(obligation);
      return observer.fair && !known.has(observer) && liveness.lasso(obligation, true) !== undefined;
    });
    return open.map((obligation) => this.#watchers.whoWaitsFor(obligation).sentence);
  }

  get #leavesBoundary(): boolean {
    for (let edge = 0; edge < this.#to.length; edge++) if (this.#to.at(edge) === outside) return true;
    return false;
  }

  /** Becomes the graph that was stored, while it is empty. */
  restore(store: WordStore, stored: Readonly<Record<string, number>>): void {
    for (const [stream, list] of Object.entries(this.#lists))
      restoreWords(store, stream, stored[stream]!, list);
  }

  get #lists(): Readonly<Record<string, WordList>> {
    return { 'first-edges': this.#firstEdge, edges: this.#to, trails: this.#trail };
  }

  /** For each sentence that an infinite run contradicts, the shortest such run that was found. `wordsOf` gives the words of a state, valid until the next call. */
  endless(
    stateCount: number,
    initial: readonly number[],
    wordsOf: (state: number) => Uint32Array,
  ): readonly EndlessRun[] {
    const graph = this.#graph(stateCount, initial, wordsOf, true);
    const liveness = new Liveness(graph);
    const best = new Map<Observer, { readonly lasso: Lasso; readonly obligation: number }>();
    for (const obligation of liveness.obligations) {
      const observer = this.#watchers.whoWaitsFor(obligation);
      const lasso = liveness.lasso(obligation, observer.fair ?? false);
      const known = best.get(observer)?.lasso;
      if (lasso && (!known || lengthOf(lasso) < lengthOf(known))) best.set(observer, { lasso, obligation });
    }
    return [...best].map(
      ([
        observer,
        {
          lasso: { stem, loop, at },
          obligation,
        },
      ]) => {
        const edges = [...stem, ...loop];
        const first = initial.find((state) => isFrom(graph, edges[0]!, state))!;
        return {
          observer,
          pending: this.#watchers.describe(obligation, wordsOf(at), 0).pending,
          states: [first, ...edges.map((edge) => graph.to[edge]!)],
          trails: [0, ...edges.map((edge) => this.#trail.at(edge))],
          cycleAt: stem.length,
        };
      },
    );
  }

  #graph(
    stateCount: number,
    initial: readonly number[],
    wordsOf: (state: number) => Uint32Array,
    /** Whether a step that leads outside the boundary can be taken. */
    stepsOut: boolean,
  ): LivenessGraph {
    const { trails } = this.#watchers;
    const edgeCount = this.#to.length;
    // Of states that were not gone on from nothing is known: no edge leads out of them.
    const firstEdge = new Uint32Array(stateCount + 2).fill(edgeCount);
    for (let state = 0; state < this.#firstEdge.length; state++) firstEdge[state] = this.#firstEdge.at(state);
    // All that is outside is one state, in which nothing is pending and from which nothing leads on.
    const to = Uint32Array.from({ length: edgeCount }, (_, edge) => Math.min(this.#to.at(edge), stateCount));
    const enabled: (readonly number[] | undefined)[] = [];
    return {
      stateCount: stateCount + 1,
      initial,
      firstEdge,
      to,
      pending: (state) => (state === stateCount ? [] : this.#watchers.pendingAt(wordsOf(state), 0)),
      met: (edge) => trails.metBy(this.#trail.at(edge)),
      taken: (edge) => trails.takenBy(this.#trail.at(edge)),
      enabled: (state) => {
        enabled[state] ??= this.#enabledIn(firstEdge[state]!, firstEdge[state + 1]!, stepsOut);
        return enabled[state];
      },
    };
  }

  /** A channel can step in a state when some tick that follows delivers on it. */
  #enabledIn(first: number, end: number, stepsOut: boolean): readonly number[] {
    const all = new Set<number>();
    for (let edge = first; edge < end; edge++)
      if (stepsOut || this.#to.at(edge) !== outside)
        for (const one of this.#watchers.trails.takenBy(this.#trail.at(edge))) all.add(one);
    return [...all];
  }
}

/** Stands for all states outside the boundary. */
const outside = 0xffff_ffff;

const lengthOf = ({ stem, loop }: Lasso): number => stem.length + loop.length;

const isFrom = ({ firstEdge }: LivenessGraph, edge: number, state: number): boolean =>
  firstEdge[state]! <= edge && edge < firstEdge[state + 1]!;
