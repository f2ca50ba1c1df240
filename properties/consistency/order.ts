import type { Access, History } from './history.ts';

/** Why one access must come before another: in its process, in time, since it was read, since it was written over, since it was written before. */
export type Reason = 'program order' | 'real time' | 'reads from' | 'from read' | 'write order';

/** An order that a history brings with it, whatever its values are. An access without an answer comes before none: it may never have happened. */
export interface GivenOrder {
  /** Why the first access comes before the second; undefined when it need not. */
  reason(first: Access, second: Access): Reason | undefined;
  /**
   * For each access of a history that is sorted by beginning, those just before it, by their places: all others before it come before one of these.
   */
  justBefore(sorted: History): readonly (readonly number[])[];
}

/** The order of every process. */
export const programOrder: GivenOrder = {
  reason: (first, second) =>
    first.process === second.process && first.responded !== undefined && first.invoked < second.invoked
      ? 'program order'
      : undefined,
  justBefore: (sorted) => {
    const latest = new Map<string, { now: number[]; before: number[]; since: number }>();
    return sorted.map(({ process, invoked, responded }, at) => {
      const known = latest.get(process) ?? { now: [], before: [], since: invoked };
      // Accesses of a process that began at once have no order.
      if (invoked > known.since) {
        if (known.now.length > 0) known.before = known.now;
        known.now = [];
        known.since = invoked;
      }
      const { before } = known;
      if (responded !== undefined) known.now.push(at);
      latest.set(process, known);
      return before;
    });
  },
};

/** The order in time: what was answered before another access began comes before it. */
export const realTime: GivenOrder = {
  reason: (first, second) => {
    if (first.responded === undefined || first.responded >= second.invoked) return undefined;
    return first.process === second.process ? 'program order' : 'real time';
  },
  justBefore: (sorted) => {
    const answered = [...sorted.keys()]
      .filter((at) => sorted[at]!.responded !== undefined)
      .sort((a, b) => sorted[a]!.responded! - sorted[b]!.responded!);
    let over = 0;
    let lastBegun = Number.NEGATIVE_INFINITY;
    return sorted.map(({ invoked }) => {
      for (; over < answered.length && sorted[answered[over]!]!.responded! < invoked; over++)
        lastBegun = Math.max(lastBegun, sorted[answered[over]!]!.invoked);
      const before: number[] = [];
      // What was over before the last of them began comes before that one.
      for (let i = over - 1; i >= 0 && sorted[answered[i]!]!.responded! >= lastBegun; i--)
        before.push(answered[i]!);
      return before;
    });
  },
};
