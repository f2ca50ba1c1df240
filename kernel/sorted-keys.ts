/** Names in the order in which some objects have them, one a step, and at its end the same in ascending order. */
interface Path {
  readonly next: Map<string, Path>;
  sorted: readonly string[] | undefined;
}

const beginning: Path = { next: new Map(), sorted: undefined };
/** Steps that are remembered: what programs are written with are some hundreds, but an object may also be a table with names from data. */
const stepsMax = 10_000;
const steps = { count: 0 };

/**
 * Names of what an object has, in ascending order.
 *
 * Details: a run has few kinds of objects and hashes many of each, so the order of each kind is worked out once: to follow the names costs a tenth of
 * sorting them.
 */
export function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  let path = beginning;
  for (let at = 0; at < keys.length; at++) {
    let next = path.next.get(keys[at]!);
    if (next === undefined) {
      if (steps.count >= stepsMax) return keys.sort();
      steps.count++;
      next = { next: new Map(), sorted: undefined };
      path.next.set(keys[at]!, next);
    }
    path = next;
  }
  path.sorted ??= keys.sort();
  return path.sorted;
}
