import type { StepGraph } from '../../kernel/explore/step-graph.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { eventWords } from '../explore/message-words.ts';
import type { SourceStep, StepSource } from './step-source.ts';

/** A machine made of actors, of which only the states that are asked for are gone on from. */
export class WiredModel implements StepSource {
  readonly #graph: StepGraph;
  readonly #steps: (readonly SourceStep[] | undefined)[] = [];

  constructor(graph: StepGraph) {
    this.#graph = graph;
  }

  get starts(): StepSource['starts'] {
    return this.#graph.starts;
  }

  /** States met so far. */
  get size(): number {
    return this.#graph.size;
  }

  stepsFrom(node: number): readonly SourceStep[] {
    const known = this.#steps[node];
    if (known) return known;
    const steps = this.#graph.stepsFrom(node).map(({ to, shown, by }): SourceStep => {
      const last = by.at(-1);
      const words = last ? `${eventWords(last.event)} to ${last.to}` : 'a step';
      // Who comes back after a crash is handed nothing, and shows something all the same.
      const actors = new Set([...by.map((one) => one.to), ...shown.map(({ actor }) => actor)]);
      return { to, shown, actors: [...actors], words };
    });
    this.#steps[node] = steps;
    return steps;
  }

  stateOf(node: number): GlobalState {
    return this.#graph.stateOf(node);
  }

  /** True for a state in which nothing happens any more. */
  rests(node: number): boolean {
    return this.#graph.rests(node);
  }
}
