import {
  type Access,
  foundIn,
  type History,
  type Initial,
  isSource,
  reads,
  valueKey,
  writes,
} from './history.ts';
import type { GivenOrder, Reason } from './order.ts';

/** One access that must come before another. */
export interface Constraint {
  readonly before: Access;
  readonly after: Access;
  readonly reason: Reason;
  /**
   * Constraints it follows from, each leading on to the next; none for what the history says itself and for what is supposed. A write order follows from a way
   * from the earlier write to a read of the later one, a from read from a way from the write that was read to the later one.
   */
  readonly because: readonly Constraint[];
}

/** A constraint between accesses by their numbers; `because` are the ends of the way it follows from. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly reason: Reason;
  readonly because?: readonly [from: number, to: number];
}

/** Number of the write whose value a read found; `firstValue` when it found the one before all writes. */
export interface ReadsFrom {
  readonly read: number;
  readonly source: number;
}

/** The source of a read that came before all writes to its location. */
export const firstValue = -1;

/**
 * What must come before what in a history, as far as it follows without trying: a write that comes before a read comes before the write that was read; a read
 * comes before every write that comes after the write it read. (As Gibbons, Korach: "Testing shared memories", 1997.)
 *
 * Details: works in rounds; each adds what follows from the rounds before, write orders only when nothing else does. In one location, reads of known
 * sources leave nothing open; across locations questions may be left. Costs about accesses^3 / 32 word operations.
 */
export class Constraints {
  readonly accesses: History;
  /** Accesses that stand in a circle, each constraint leading on to the next; empty when there is no circle. A shortest one of the first round that has any. */
  readonly circle: readonly Constraint[];
  readonly #edges: Edge[] = [];
  /** Number of the edge between two accesses plus 1; 0 when there is none. */
  readonly #edgeAt: Uint32Array;
  /** A row of bits for each access: what comes after it, by any way. */
  readonly #after: Uint32Array;
  readonly #rowWords: number;
  /** The writes to the location of each access. */
  readonly #rivals: readonly (readonly number[])[];
  /** The accesses that could have given each read its value. */
  readonly #sources: readonly (readonly number[])[];
  readonly #readsFrom: readonly ReadsFrom[];

  /** `supposed` is taken as true besides what the history says. */
  constructor(
    accesses: History,
    order: GivenOrder,
    initial: Initial,
    supposed: readonly (ReadsFrom | Edge)[] = [],
  ) {
    this.accesses = accesses;
    this.#rowWords = (accesses.length + 31) >>> 5;
    this.#edgeAt = new Uint32Array(accesses.length ** 2);
    this.#after = new Uint32Array(accesses.length * this.#rowWords);
    this.#rivals = writesByLocation(accesses);
    this.#sources = accesses.map((access, at) => sourcesOf(access, accesses, this.#rivals[at]!, initial));
    for (const [from, first] of accesses.entries())
      for (const [to, second] of accesses.entries()) {
        const reason = order.reason(first, second);
        if (reason) this.#add({ from, to, reason });
      }
    const settled = new Map(supposed.flatMap((one) => ('read' in one ? [[one.read, one.source]] : [])));
    for (const [read, [source, ...more]] of this.#sources.entries())
      if (source !== undefined && more.length === 0) settled.set(read, source);
    this.#readsFrom = [...settled].map(([read, source]) => ({ read, source }));
    for (const { read, source } of this.#readsFrom)
      if (source !== firstValue) this.#add({ from: source, to: read, reason: 'reads from' });
    for (const one of supposed) if ('from' in one) this.#add(one);
    this.circle = this.#settle();
  }

  /** A read of a value that nobody wrote. */
  get unwritten(): Access | undefined {
    return this.accesses.find((access, at) => reads(access) && this.#sources[at]!.length === 0);
  }

  /** The ways to go on where something is left open: one of them holds. Empty when any order that keeps the constraints will do. */
  get alternatives(): readonly (ReadsFrom | Edge)[] {
    const known = new Set(this.#readsFrom.map(({ read }) => read));
    const read = this.accesses.findIndex((access, at) => reads(access) && !known.has(at));
    if (read >= 0) return this.#sources[read]!.map((source) => ({ read, source }));
    for (const { read, source } of this.#readsFrom)
      for (const write of this.#rivals[read]!)
        if (write !== source && write !== read && !this.#leads(write, source) && !this.#leads(read, write))
          return [
            { from: write, to: source, reason: 'write order' },
            { from: read, to: write, reason: 'from read' },
          ];
    return [];
  }

  /** An order that keeps all constraints. There must be no circle. */
  get order(): History {
    // What comes after more of the others comes later.
    const before = this.accesses.map(
      (_, at) => this.accesses.filter((_other, other) => this.#leads(other, at)).length,
    );
    return [...this.accesses.keys()].sort((a, b) => before[a]! - before[b]!).map((at) => this.accesses[at]!);
  }

  /** A constraint with what it follows from. */
  constraint(edge: Edge): Constraint {
    const { from, to, reason, because } = edge;
    const limit = this.#edgeAt[from * this.accesses.length + to]! - 1;
    return {
      before: this.accesses[from]!,
      after: this.accesses[to]!,
      reason,
      because: because ? this.#way(...because, limit).map((one) => this.constraint(one)) : [],
    };
  }

  #settle(): readonly Constraint[] {
    for (;;) {
      const circle = this.#shortestCircle();
      if (circle.length > 0) return circle.map((edge) => this.constraint(edge));
      const grown = this.#addAll(this.#fromReads()) || this.#addAll(this.#writeOrders());
      if (!grown) return [];
    }
  }

  #fromReads(): readonly Edge[] {
    return this.#readsFrom.flatMap(({ read, source }) =>
      this.#rivals[read]!.filter((write) => write !== read && write !== source).flatMap((write): Edge[] => {
        if (source === firstValue) return [{ from: read, to: write, reason: 'from read' }];
        if (!this.#leads(source, write)) return [];
        return [{ from: read, to: write, reason: 'from read', because: [source, write] }];
      }),
    );
  }

  #writeOrders(): readonly Edge[] {
    return this.#readsFrom.flatMap(({ read, source }) =>
      source === firstValue
        ? []
        : this.#rivals[read]!.filter(
            (write) => write !== read && write !== source && this.#leads(write, read),
          ).map(
            (write): Edge => ({ from: write, to: source, reason: 'write order', because: [write, read] }),
          ),
    );
  }

  #addAll(edges: readonly Edge[]): boolean {
    return edges.filter((edge) => this.#add(edge)).length > 0;
  }

  /** False when the two have a constraint already. */
  #add(edge: Edge): boolean {
    const { from, to } = edge;
    const place = from * this.accesses.length + to;
    if (this.#edgeAt[place] !== 0) return false;
    this.#edgeAt[place] = this.#edges.push(edge);
    if (!this.#leads(from, to))
      for (let at = 0; at < this.accesses.length; at++)
        if (at === from || this.#leads(at, from)) this.#reach(at, to);
    return true;
  }

  /** Notes that `to`, and all that comes after it, comes after `at`. */
  #reach(at: number, to: number): void {
    const row = at * this.#rowWords;
    const further = to * this.#rowWords;
    for (let i = 0; i < this.#rowWords; i++) this.#after[row + i]! |= this.#after[further + i]!;
    this.#after[row + (to >>> 5)]! |= 1 << (to & 31);
  }

  #leads(from: number, to: number): boolean {
    return (this.#after[from * this.#rowWords + (to >>> 5)]! & (1 << (to & 31))) !== 0;
  }

  #shortestCircle(): readonly Edge[] {
    let shortest: readonly Edge[] = [];
    for (let at = 0; at < this.accesses.length; at++) {
      if (!this.#leads(at, at)) continue;
      const circle = this.#way(at, at, this.#edges.length);
      if (shortest.length === 0 || circle.length < shortest.length) shortest = circle;
    }
    return shortest;
  }

  /** A shortest way along the first `limit` constraints; empty when there is none. */
  #way(from: number, to: number, limit: number): readonly Edge[] {
    const count = this.accesses.length;
    const cameBy = new Map<number, Edge>();
    const queue = [from];
    for (const at of queue)
      for (let next = 0; next < count; next++) {
        const number = this.#edgeAt[at * count + next]!;
        if (number === 0 || number > limit || cameBy.has(next)) continue;
        cameBy.set(next, this.#edges[number - 1]!);
        if (next === to) return backFrom(to, from, cameBy);
        queue.push(next);
      }
    return [];
  }
}

function backFrom(to: number, from: number, cameBy: ReadonlyMap<number, Edge>): readonly Edge[] {
  const way: Edge[] = [cameBy.get(to)!];
  while (way[0]!.from !== from) way.unshift(cameBy.get(way[0]!.from)!);
  return way;
}

function writesByLocation(accesses: History): readonly (readonly number[])[] {
  const byLocation = new Map<string, number[]>();
  for (const { location } of accesses) if (!byLocation.has(location)) byLocation.set(location, []);
  for (const [at, access] of accesses.entries())
    if (writes(access)) byLocation.get(access.location)!.push(at);
  return accesses.map(({ location }) => byLocation.get(location)!);
}

function sourcesOf(
  read: Access,
  accesses: History,
  rivals: readonly number[],
  initial: Initial,
): readonly number[] {
  if (!reads(read)) return [];
  const written = rivals.filter((write) => isSource(accesses[write]!, read));
  return valueKey(foundIn(read)) === valueKey(initial(read.location)) ? [firstValue, ...written] : written;
}
