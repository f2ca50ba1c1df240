import { type Access, valueKey } from './history.ts';

/** A search for an order in which accesses may have happened one after another. */
export interface Search {
  /** The accesses, in any order. */
  readonly accesses: readonly Access[];
  /** True when the first of two accesses must come before the second. */
  readonly mustPrecede: (first: Access, second: Access) => boolean;
  readonly initial: unknown;
  readonly budget: number;
}

/** An order; undefined when there is none; or how far the search came before its budget was used up. */
export type SearchResult = readonly Access[] | undefined | { readonly steps: number };

/**
 * Looks for an order of the accesses that keeps all constraints and gives every read the value of the last write before it (Wing, Gong: "Testing
 * and verifying concurrent objects", 1993; remembering what failed, as Lowe: "Testing for linearizability", 2017).
 *
 * Details: what decides how it can go on is which accesses were taken and what the memory holds; such a state is tried once. Accesses without an
 * answer may be left out.
 */
export function searchOrder({ accesses, mustPrecede, initial, budget }: Search): SearchResult {
  const predecessors = accesses.map((second) =>
    accesses.flatMap((first, at) => (first !== second && mustPrecede(first, second) ? [at] : [])),
  );
  const taken = new Array<boolean>(accesses.length).fill(false);
  const memory = new Map<string, string>();
  const failed = new Set<string>();
  const order: Access[] = [];
  const first = valueKey(initial);
  let needed = accesses.filter(({ responded }) => responded !== undefined).length;
  let steps = 0;

  const stateKey = () => `${taken.map((one) => (one ? '1' : '0')).join('')} ${[...memory].sort().join(';')}`;
  const goOn = (): boolean => {
    if (needed === 0) return true;
    const key = stateKey();
    if (failed.has(key)) return false;
    for (const [at, access] of accesses.entries()) {
      if (taken[at] || predecessors[at]!.some((before) => !taken[before])) continue;
      const { kind, location, responded } = access;
      const old = memory.get(location);
      const value = valueKey(access.value);
      if (kind === 'read' && (responded === undefined || (old ?? first) !== value)) continue;
      if (++steps > budget) return false;
      taken[at] = true;
      order.push(access);
      if (kind === 'write') memory.set(location, value);
      if (responded !== undefined) needed--;
      if (goOn()) return true;
      if (steps > budget) return false;
      if (responded !== undefined) needed++;
      if (kind === 'write') {
        if (old === undefined) memory.delete(location);
        else memory.set(location, old);
      }
      order.pop();
      taken[at] = false;
    }
    failed.add(key);
    return false;
  };
  if (goOn()) return order;
  return steps > budget ? { steps } : undefined;
}
