/**
 * A finite graph of states whose infinite paths are to be judged. All are integers from 0: states, edges, step classes, obligations.
 *
 * Details: a *step class* is what weak fairness is about: a channel (ordered pair of actors) or a timer. An edge takes none, one or, where a step is a whole tick, several of them.
 * An *obligation* is something that a sentence still waits for. An edge *meets* it when what was waited for came, whatever is waited for after it. Edges out of one state
 * are next to each other. States that nobody can reach do not count.
 */
export interface LivenessGraph {
  readonly stateCount: number;
  readonly initial: readonly number[];
  /** By state: its first edge; one entry more than there are states, so that the edges of state s are `firstEdge[s]` to `firstEdge[s + 1]`, itself not included. */
  readonly firstEdge: ArrayLike<number>;
  /** By edge: the state that it leads to. */
  readonly to: ArrayLike<number>;
  /** Obligations that are open in a state. */
  pending(state: number): readonly number[];
  /** Obligations that an edge meets. */
  met(edge: number): readonly number[];
  /** Step classes that can step in a state; asked for under fairness only. */
  enabled(state: number): readonly number[];
  /** Step classes that an edge takes; asked for under fairness only. */
  taken(edge: number): readonly number[];
}

/** A counterexample without end, as edges: a way to a state, and a way from there back to it, which is gone for ever. */
export interface Lasso {
  /** From an initial state; empty when the loop begins in one. */
  readonly stem: readonly number[];
  /** At least one edge. */
  readonly loop: readonly number[];
  /** The state with which the loop begins and ends. */
  readonly at: number;
}
