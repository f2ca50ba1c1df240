import { transcriptOf } from '../../kernel/explore/transcript.ts';
import type { Node, ShownThere, SourceStart, SourceStep, StepSource } from './step-source.ts';

/** What is still to be shown of a step that was begun, in order; `actor` is '' for a step that is to be shown in one go. */
interface Rest {
  readonly actor: string;
  readonly shown: readonly unknown[];
}

/** A state in which a machine may be, after what it has shown. */
export interface Held {
  readonly node: Node;
  readonly rest: readonly Rest[];
}

/** Something that a machine can show next, and the step by which it does, in words. */
export interface Possible {
  readonly what: unknown;
  readonly words: string;
}

/**
 * How strictly what one step shows belongs together.
 *
 * Details: `steps`: what a step shows comes in one go. `starts`: as `steps`, but what actors show while they start may come in any order of the actors, and later. `actors`: of everything that is shown,
 * only the order of each actor counts within a step, and the rest of what a step shows may come later; an actor takes no further step before.
 */
export type Togetherness = 'steps' | 'starts' | 'actors';

/**
 * Follows what is shown through a machine: holds all states in which it may be by then, hidden steps included.
 *
 * Details: this is the subset construction, so nothing is guessed: a run is found when there is one. Sets are in an order of their own, so that equal ones are equal.
 */
export class Following {
  readonly #source: StepSource;
  readonly #together: Togetherness;
  readonly #statesMax: number;
  /** Exact keys of what is shown, by the object. */
  readonly #keys = new WeakMap<object, string>();

  /** `statesMax`: states that are held at once at most; more are too many. */
  constructor(source: StepSource, together: Togetherness, statesMax = Number.POSITIVE_INFINITY) {
    this.#source = source;
    this.#together = together;
    this.#statesMax = statesMax;
  }

  /** Where it can begin; `undefined` when there are too many states. */
  begin(): readonly Held[] | undefined {
    return toEnd(this.beginning());
  }

  /** As `begin`, in parts: yields after each. */
  beginning(): Generator<void, readonly Held[] | undefined> {
    const { starts } = this.#source;
    return this.#closing(starts.map((start) => ({ node: start.to, rest: this.#restOf(start, true) })));
  }

  /** Where it can be after this was shown, none when it cannot be shown; `undefined` when there are too many states. */
  after(held: readonly Held[], what: unknown): readonly Held[] | undefined {
    return toEnd(this.following(held, what));
  }

  /** As `after`, in parts: yields after each. */
  *following(held: readonly Held[], what: unknown): Generator<void, readonly Held[] | undefined> {
    const key = this.#keyOf(what);
    const next: Held[] = [];
    for (const [index, one] of held.entries()) {
      next.push(...this.#showing(one, key));
      if (index % partNodes === partNodes - 1) yield;
    }
    return yield* this.#closing(next);
  }

  /** What can be shown next, each once. */
  possible(held: readonly Held[]): readonly Possible[] {
    const all = new Map<string, Possible>();
    const add = (what: unknown, words: string) => {
      const key = this.#keyOf(what);
      if (!all.has(key)) all.set(key, { what, words });
    };
    for (const { node, rest } of held) {
      for (const { shown } of rest) add(shown[0], 'the rest of what a step shows');
      for (const step of this.#free(node, rest))
        for (const { shown } of this.#restOf(step, false)) add(shown[0], step.words);
    }
    return [...all.values()];
  }

  #showing({ node, rest }: Held, key: string): readonly Held[] {
    const goesOn = without(rest, (what) => this.#keyOf(what) === key).map((left) => ({ node, rest: left }));
    const steps = this.#free(node, rest).flatMap((step) =>
      without(this.#restOf(step, false), (what) => this.#keyOf(what) === key).map((left) => ({
        node: step.to,
        rest: [...rest, ...left].sort(byActor),
      })),
    );
    return [...goesOn, ...steps];
  }

  /** The steps that actors can take who have shown all of what they did before. */
  #free(node: Node, rest: readonly Rest[]): readonly SourceStep[] {
    if (rest.some(({ actor }) => actor === '')) return [];
    const steps = this.#source.stepsFrom(node);
    if (rest.length === 0) return steps;
    const busy = rest.map(({ actor }) => actor);
    return steps.filter(({ actors }) => !actors.some((actor) => busy.includes(actor)));
  }

  #restOf({ shown }: SourceStart, isStart: boolean): readonly Rest[] {
    if (shown.length === 0) return [];
    if (this.#together === 'steps' || (this.#together === 'starts' && !isStart))
      return [{ actor: '', shown: shown.map(({ what }) => what) }];
    return grouped(shown);
  }

  *#closing(held: readonly Held[]): Generator<void, readonly Held[] | undefined> {
    const all = new Map(held.map((one) => [keyOf(one), one] as const));
    let done = 0;
    for (const { node, rest } of all.values()) {
      if (++done % partNodes === 0) yield;
      for (const step of this.#free(node, rest)) {
        if (step.shown.length > 0) continue;
        const next = { node: step.to, rest };
        const key = keyOf(next);
        if (!all.has(key)) all.set(key, next);
      }
      if (all.size > this.#statesMax) return undefined;
    }
    return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
  }

  #keyOf(what: unknown): string {
    if (typeof what !== 'object' || what === null) return transcriptOf(what);
    let key = this.#keys.get(what);
    if (key === undefined) {
      key = transcriptOf(what);
      this.#keys.set(what, key);
    }
    return key;
  }
}

/** States that are gone on from in one part. */
const partNodes = 500;

function toEnd<T>(parts: Generator<void, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

const keyOf = ({ node, rest }: Held): string =>
  rest.length === 0 ? `${node}` : `${node} ${transcriptOf(rest)}`;

const byActor = (one: Rest, other: Rest): number => (one.actor < other.actor ? -1 : 1);

/** What is left, for each of the rests that begins with what is sought. */
const without = (rest: readonly Rest[], isSought: (what: unknown) => boolean): (readonly Rest[])[] =>
  rest.flatMap(({ actor, shown: [first, ...shown] }, index) => {
    if (!isSought(first)) return [];
    return [shown.length === 0 ? rest.toSpliced(index, 1) : rest.toSpliced(index, 1, { actor, shown })];
  });

/** What is shown, by actor. */
function grouped(shown: readonly ShownThere[]): readonly Rest[] {
  const actors = [...new Set(shown.map(({ actor }) => actor))].sort();
  return actors.map((actor) => ({
    actor,
    shown: shown.filter((one) => one.actor === actor).map(({ what }) => what),
  }));
}
