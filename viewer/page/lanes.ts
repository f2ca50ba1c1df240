import type { RunView } from '../protocol.ts';

/** Along what the timeline is drawn: deliveries one after the other, or time. */
export type Axis = 'order' | 'time';

/** The first place in a sorted list whose value is at least `value`. */
export function firstAtLeast(length: number, at: (index: number) => number, value: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A run made ready to be drawn: the place of each delivery along the axis, and the deliveries of each actor. */
export class Lanes {
  /** Place of each delivery. */
  readonly x: Float64Array;
  /** By actor, its deliveries in order. */
  readonly of: readonly Int32Array[];
  /** Where the axis ends. */
  readonly end: number;
  /** How far the run has come. */
  readonly carriedOut: number;
  /** By actor, the states that it came to between deliveries, and where. */
  readonly #changes = new Map<number, { readonly x: number; readonly state: number }[]>();

  constructor(
    readonly run: RunView,
    readonly axis: Axis,
  ) {
    const { columns, actors, expected = { deliveries: 0, ticks: 0 } } = run;
    const { count, tick, to } = columns;
    this.x = new Float64Array(count);
    if (axis === 'order') for (let at = 0; at < count; at++) this.x[at] = at;
    // Deliveries of one tick stand one after the other within it.
    else
      for (let first = 0; first < count; ) {
        let next = first + 1;
        while (next < count && tick[next] === tick[first]) next++;
        for (let at = first; at < next; at++) this.x[at] = tick[first]! + (at - first) / (next - first);
        first = next;
      }
    this.end =
      axis === 'order'
        ? Math.max(1, count, expected.deliveries)
        : Math.max(1, run.ending.ticks, (tick[count - 1] ?? 0) + 1, expected.ticks);
    for (const { actor, at, tick: when, state } of run.changes) {
      // In the middle between two deliveries, or in its tick.
      const x = axis === 'order' ? Math.max(0, at + 0.5) : Math.max(when, at < 0 ? 0 : this.x[at]!) + 0.5;
      const own = this.#changes.get(actor);
      if (own) own.push({ x, state });
      else this.#changes.set(actor, [{ x, state }]);
    }
    this.carriedOut = run.isRunning ? (this.x[count - 1] ?? 0) : this.end;
    const sizes = new Int32Array(actors.length);
    for (let at = 0; at < count; at++) sizes[to[at]!]!++;
    const filled = new Int32Array(actors.length);
    this.of = Array.from(sizes, (size) => new Int32Array(size));
    for (let at = 0; at < count; at++) this.of[to[at]!]![filled[to[at]!]!++] = at;
  }

  /** The first delivery at a place of the axis or behind it. */
  firstFrom(place: number): number {
    return firstAtLeast(this.x.length, (index) => this.x[index]!, place);
  }

  /** Number among the deliveries of an actor of the first one that is not in front of a place. */
  ownFrom(actor: number, place: number): number {
    const own = this.of[actor]!;
    return firstAtLeast(own.length, (index) => this.x[own[index]!]!, place);
  }

  /** The states that an actor came to between deliveries from one place on and in front of another. */
  changesOf(
    actor: number,
    from: number,
    to: number,
  ): readonly { readonly x: number; readonly state: number }[] {
    return this.#changes.get(actor)?.filter(({ x }) => x >= from && x < to) ?? [];
  }

  /** The state of an actor in front of a place. */
  stateAt(actor: number, place: number): number {
    const done = this.ownFrom(actor, place);
    const last = this.of[actor]![done - 1];
    const [since, state] =
      last === undefined
        ? [Number.NEGATIVE_INFINITY, this.run.actors[actor]!.begins]
        : [this.x[last]!, this.run.columns.state[last]!];
    return this.changesOf(actor, since, place).at(-1)?.state ?? state;
  }
}
