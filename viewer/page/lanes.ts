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
  /** The steps of an asynchronous network, in order: the moments that are no delivery. */
  readonly network: readonly { readonly at: number; readonly tick: number }[];
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
    const steps = run.marks.filter(({ at }) => !Number.isInteger(at));
    this.network = steps.filter(({ at }, index) => at !== steps[index - 1]?.at);
    for (const { actor, at, tick: when, state } of run.changes) {
      // At its moment, in the middle between two deliveries, or in its tick.
      const x = !Number.isInteger(at)
        ? this.place(at)
        : axis === 'order'
          ? Math.max(0, at + 0.5)
          : Math.max(when, at < 0 ? 0 : this.x[at]!) + 0.5;
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

  /** Place of a moment. */
  place(at: number): number {
    if (Number.isInteger(at)) return this.x[at] ?? 0;
    // Steps of the network are as far apart as deliveries where there is time.
    return this.axis === 'order' ? Math.max(0, at) : (this.network.find((one) => one.at === at)?.tick ?? 0);
  }

  /** The last moment of the run, -1 where nothing happened. */
  get last(): number {
    return Math.max(this.x.length - 1, this.network.at(-1)?.at ?? -1);
  }

  /** The next moment behind another one, or in front of it; none is beyond the ends. */
  beside(at: number, direction: 1 | -1): number {
    const whole = direction > 0 ? Math.floor(at) + 1 : Math.ceil(at) - 1;
    const { network } = this;
    const step =
      direction > 0
        ? network[firstAtLeast(network.length, (index) => network[index]!.at, at + 1e-9)]
        : network[firstAtLeast(network.length, (index) => network[index]!.at, at) - 1];
    if (direction < 0) return Math.max(-1, step?.at ?? -1, whole);
    return whole < this.x.length ? Math.min(step?.at ?? whole, whole) : (step?.at ?? this.last);
  }

  /** The moment that is nearest. */
  nearest(at: number): number {
    if (at >= this.last) return this.last;
    const from = this.beside(at, -1);
    const to = this.beside(from, 1);
    return to - at < at - from ? to : from;
  }

  /** The last moment in front of a place. */
  before(place: number): number {
    const step = this.network.findLast(({ at }) => this.place(at) < place);
    return Math.max(this.firstFrom(place) - 1, step?.at ?? -1);
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
