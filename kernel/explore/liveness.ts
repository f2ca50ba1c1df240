import { invariant } from '../errors.ts';
import { cyclicComponents } from './components.ts';
import type { Lasso, LivenessGraph } from './liveness-graph.ts';

/** Edges that the search for the shortest counterexample may look at; the first one found is kept after it. */
const effortMax = 4_000_000;

/**
 * Judges the infinite paths of a graph: is there one on which an obligation stays open for ever?
 *
 * Details: exact. Such a path ends up in a strongly connected component of the states in which the obligation is open, over edges that do not meet it. Under weak fairness a path
 * counts only if each step class is disabled again and again or taken again and again; a component holds such a path exactly when each class is disabled in one of
 * its states or taken by one of its edges: the path that goes through all of it. (A smaller part of a component that fails for a class fails for it, too.)
 */
export class Liveness {
  readonly #graph: LivenessGraph;
  /** By state: edges on the shortest way to it, -1 when there is none. */
  readonly #depth: Int32Array;
  /** By state: the last edge of this way. */
  readonly #lastEdge: Int32Array;
  /** By edge: the state it leaves. */
  readonly #from: Uint32Array;
  /** By obligation: the states in which it is open. */
  readonly #open = new Map<number, number[]>();
  /** By state: 1 in the component that is being searched. */
  readonly #inside: Uint8Array;
  /** By state: the search that reached it last, and by which edge. */
  readonly #reached: Uint32Array;
  readonly #reachedBy: Uint32Array;
  #search = 0;
  #effort = 0;

  constructor(graph: LivenessGraph) {
    const { stateCount, to } = graph;
    this.#graph = graph;
    this.#depth = new Int32Array(stateCount).fill(-1);
    this.#lastEdge = new Int32Array(stateCount).fill(-1);
    this.#from = new Uint32Array(to.length);
    this.#inside = new Uint8Array(stateCount);
    this.#reached = new Uint32Array(stateCount);
    this.#reachedBy = new Uint32Array(stateCount);
    this.#explore();
  }

  /** Obligations that are open somewhere, ascending. */
  get obligations(): readonly number[] {
    return [...this.#open.keys()].sort((one, other) => one - other);
  }

  /** A path on which an obligation stays open for ever, the shortest where that is found in reasonable time; undefined when there is none. `fair`: a weakly fair one. */
  lasso(obligation: number, fair: boolean): Lasso | undefined {
    const states = this.#open.get(obligation) ?? [];
    const open = new Uint8Array(this.#graph.stateCount);
    for (const state of states) open[state] = 1;
    const goes = (edge: number) => !this.#graph.met(edge).includes(obligation);
    const components = cyclicComponents(this.#graph, states, (state) => open[state] === 1, goes);
    this.#effort = 0;
    let best: Lasso | undefined;
    for (const component of components) {
      for (const state of component) this.#inside[state] = 1;
      if (!fair || this.#isFair(component, goes)) best = this.#shortest(component, goes, fair, best);
      for (const state of component) this.#inside[state] = 0;
    }
    return best;
  }

  /** Reaches what can be reached, breadth first. */
  #explore(): void {
    const { initial, firstEdge, to } = this.#graph;
    const queue: number[] = [];
    for (const state of initial) {
      if (this.#depth[state]! >= 0) continue;
      this.#depth[state] = 0;
      queue.push(state);
    }
    for (const state of queue) {
      for (const obligation of this.#graph.pending(state)) {
        const known = this.#open.get(obligation);
        if (known) known.push(state);
        else this.#open.set(obligation, [state]);
      }
      for (let edge = firstEdge[state]!; edge < firstEdge[state + 1]!; edge++) {
        this.#from[edge] = state;
        const next = to[edge]!;
        if (this.#depth[next]! >= 0) continue;
        this.#depth[next] = this.#depth[state]! + 1;
        this.#lastEdge[next] = edge;
        queue.push(next);
      }
    }
  }

  /** True when each step class is disabled in some state of a component or taken by some edge of it. */
  #isFair(component: readonly number[], goes: (edge: number) => boolean): boolean {
    const left = new Set(this.#graph.enabled(component[0]!));
    for (const state of component) {
      if (left.size === 0) return true;
      this.#keepEnabled(left, state);
      for (const edge of this.#edgesWithin(state, goes)) this.#takeOff(left, edge);
    }
    return left.size === 0;
  }

  #keepEnabled(left: Set<number>, state: number): void {
    const enabled = this.#graph.enabled(state);
    for (const one of left) if (!enabled.includes(one)) left.delete(one);
  }

  #takeOff(left: Set<number>, edge: number): void {
    for (const one of this.#graph.taken(edge)) left.delete(one);
  }

  *#edgesWithin(state: number, goes: (edge: number) => boolean): Generator<number, void> {
    const { firstEdge, to } = this.#graph;
    for (let edge = firstEdge[state]!; edge < firstEdge[state + 1]!; edge++) {
      this.#effort++;
      if (this.#inside[to[edge]!] === 1 && goes(edge)) yield edge;
    }
  }

  /** The shortest counterexample that ends in the component, or `best` when that is not longer. */
  #shortest(
    component: readonly number[],
    goes: (edge: number) => boolean,
    fair: boolean,
    best: Lasso | undefined,
  ): Lasso | undefined {
    const starts = component.toSorted((one, other) => this.#depth[one]! - this.#depth[other]!);
    for (const at of starts) {
      const room = best ? best.stem.length + best.loop.length - this.#depth[at]! : Number.MAX_SAFE_INTEGER;
      // A loop has one edge at least, and those that begin farther away are not shorter.
      if (room <= 1 || (best && this.#effort > effortMax)) return best;
      const loop = fair ? this.#tour(at, goes) : this.#path(at, (edge) => this.#graph.to[edge] === at, goes);
      if (loop && loop.length < room) best = { stem: this.#stemTo(at), loop, at };
    }
    return best;
  }

  /** A way from a state through its component and back on which each step class is disabled or taken once. */
  #tour(at: number, goes: (edge: number) => boolean): readonly number[] {
    const { to, enabled } = this.#graph;
    const left = new Set(this.#graph.enabled(at));
    const tour: number[] = [];
    let here = at;
    const follow = (wanted: (edge: number) => boolean) => {
      const path = this.#path(here, wanted, goes);
      invariant(path !== undefined, 'a component that is fair has no fair way through it');
      for (const edge of path) {
        this.#takeOff(left, edge);
        this.#keepEnabled(left, to[edge]!);
        tour.push(edge);
      }
      here = to[tour.at(-1)!]!;
    };
    const helps = (edge: number) => {
      for (const one of this.#graph.taken(edge)) if (left.has(one)) return true;
      const there = enabled.call(this.#graph, to[edge]!);
      for (const one of left) if (!there.includes(one)) return true;
      return false;
    };
    while (left.size > 0) follow(helps);
    if (here !== at || tour.length === 0) follow((edge) => to[edge] === at);
    return tour;
  }

  /** The shortest way from a state, within the component, whose last edge is a wanted one. */
  #path(
    start: number,
    wanted: (edge: number) => boolean,
    goes: (edge: number) => boolean,
  ): readonly number[] | undefined {
    const { to } = this.#graph;
    const search = ++this.#search;
    const queue = [start];
    this.#reached[start] = search;
    for (const state of queue) {
      for (const edge of this.#edgesWithin(state, goes)) {
        if (wanted(edge)) return this.#back(edge, start);
        const next = to[edge]!;
        if (this.#reached[next] === search) continue;
        this.#reached[next] = search;
        this.#reachedBy[next] = edge;
        queue.push(next);
      }
    }
    return undefined;
  }

  #back(last: number, start: number): readonly number[] {
    const path = [last];
    for (let state = this.#from[last]!; state !== start; state = this.#from[path.at(-1)!]!)
      path.push(this.#reachedBy[state]!);
    return path.reverse();
  }

  #stemTo(state: number): readonly number[] {
    const stem: number[] = [];
    for (let edge = this.#lastEdge[state]!; edge >= 0; edge = this.#lastEdge[this.#from[edge]!]!)
      stem.push(edge);
    return stem.reverse();
  }
}
