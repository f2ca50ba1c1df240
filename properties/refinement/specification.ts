import { KernelError } from '../../kernel/errors.ts';
import { type ReadShown, StepGraph } from '../../kernel/explore/step-graph.ts';
import { transcriptOf } from '../../kernel/explore/transcript.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { shortText } from './differing.ts';
import type { SourceStep, StepSource } from './step-source.ts';
import { WiredModel } from './wired-model.ts';

/** A step of a small machine. */
export interface SmallStep<State, Event = unknown> {
  /** The state that it leads to. */
  readonly state: State;
  /** What the step is called in reports. */
  readonly action?: string;
  /** What it shows to somebody outside; a hidden step when absent. */
  readonly shows?: Event;
}

/**
 * A machine that is written down as its states and steps, such as a specification: `{ initial: [0], next: (n) => [{ state: n + 1, action: 'count' }] }`.
 *
 * Details: states are plain data (objects, lists, maps, sets, numbers, strings) and equal when their contents are. `next` changes nothing and depends on nothing but the state. There may be
 * infinitely many states; only those that are needed are asked for.
 */
export interface SmallMachine<State = unknown, Event = unknown> {
  readonly initial: readonly State[];
  next(state: State): Iterable<SmallStep<State, Event>>;
}

/** A machine as specification: a small machine, or how one of actors is wired, anew at each call. */
// biome-ignore lint/suspicious/noExplicitAny: a specification may have states and events of any kind
export type Specification = SmallMachine<any, any> | (() => Wiring);

/** A mistake in a specification, or in a map to one: what was found, and what helps. */
export class SpecificationError extends Error {
  readonly isMistake = true;
  override readonly name = 'SpecificationError';
  constructor(
    readonly what: string,
    readonly help: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${what}\n  help: ${help}`, options);
  }
}

/** States of one specification that are looked at by default. */
export const specificationStatesMax = 1_000_000;

/** The states and steps of a specification; what it shows is read by `read` where it is wired. Errors: `SpecificationError`. */
export function sourceOf(specification: Specification, read: ReadShown, statesMax: number): StepSource {
  if (typeof specification === 'function') return new InOrder(specification, read, statesMax);
  if (!Array.isArray(specification.initial) || typeof specification.next !== 'function')
    throw new SpecificationError(
      'found a specification without a list of initial states or without next(state)',
      "write { initial: [0], next: (state) => [{ state: state + 1, action: 'count' }] }, or a function that makes a wiring",
    );
  if (specification.initial.length === 0)
    throw new SpecificationError(
      'found a specification without an initial state, which nothing refines',
      'write at least one: { initial: [0], next }',
    );
  return new SmallSource(specification, statesMax);
}

const tooMany = (statesMax: number): SpecificationError =>
  new SpecificationError(
    `found more than ${statesMax} states of the specification (statesMax), expected at most so many`,
    'make the specification smaller, or let it be a small machine whose steps show: of such a one only the states that match are looked at',
  );

class SmallSource implements StepSource {
  readonly starts: StepSource['starts'];
  readonly #machine: SmallMachine;
  readonly #statesMax: number;
  readonly #states = new Map<string, { readonly state: unknown; steps: readonly SourceStep[] | undefined }>();

  constructor(machine: SmallMachine, statesMax: number) {
    this.#machine = machine;
    this.#statesMax = statesMax;
    this.starts = machine.initial.map((state) => ({ to: this.#nodeOf(state), shown: [] }));
  }

  stepsFrom(node: string): readonly SourceStep[] {
    const known = this.#states.get(node)!;
    known.steps ??= this.#stepsOf(known.state);
    return known.steps;
  }

  stateOf(node: string): unknown {
    return this.#states.get(node)!.state;
  }

  #stepsOf(state: unknown): readonly SourceStep[] {
    const before = transcriptOf(state);
    const steps = this.#next(state);
    if (transcriptOf(state) !== before)
      throw new SpecificationError(
        `next of the specification changed the state that it was given, to ${shortText(state)}`,
        'make new states: { ...state, count: state.count + 1 }',
      );
    return steps.map((step) => {
      if (typeof step !== 'object' || step === null || !('state' in step))
        throw new SpecificationError(
          `next(${shortText(state)}) gave ${shortText(step)}, expected steps with a state`,
          'write { state, action, shows }; the last two may be left out',
        );
      const { state: to, action = 'a step', shows } = step;
      const shown = shows === undefined ? [] : [{ actor: '', what: shows }];
      return { to: this.#nodeOf(to), shown, actors: [], words: action };
    });
  }

  #next(state: unknown): readonly SmallStep<unknown>[] {
    try {
      return [...this.#machine.next(state)];
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new SpecificationError(
        `next(${shortText(state)}) of the specification threw: ${what}`,
        'mend it: it gives a list of steps, [] where there are none',
        { cause: error },
      );
    }
  }

  #nodeOf(state: unknown): string {
    const node = transcriptOf(state);
    if (!this.#states.has(node)) {
      this.#states.set(node, { state, steps: undefined });
      if (this.#states.size > this.#statesMax) throw tooMany(this.#statesMax);
    }
    return node;
  }
}

/** States are numbered breadth first, whatever is asked for first: so their numbers mean the same in all threads. */
class InOrder implements StepSource {
  readonly starts: StepSource['starts'];
  readonly #model: WiredModel;
  readonly #statesMax: number;
  /** Those before it have been gone on from. */
  #next = 0;

  constructor(make: () => Wiring, read: ReadShown, statesMax: number) {
    this.#statesMax = statesMax;
    this.#model = asSpecification(() => new WiredModel(new StepGraph(make, read)));
    this.starts = this.#model.starts;
  }

  stepsFrom(node: number): readonly SourceStep[] {
    for (; this.#next < node; this.#next++) this.#stepsFrom(this.#next);
    return this.#stepsFrom(node);
  }

  stateOf(node: number): unknown {
    return this.#model.stateOf(node);
  }

  #stepsFrom(node: number): readonly SourceStep[] {
    const steps = asSpecification(() => this.#model.stepsFrom(node));
    if (this.#model.size > this.#statesMax) throw tooMany(this.#statesMax);
    return steps;
  }
}

/** Errors: `SpecificationError` for what the kernel refuses. */
function asSpecification<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const [what = '', help = ''] = error.message.split('\n  help: ');
    throw new SpecificationError(`the specification: ${what}`, help);
  }
}
