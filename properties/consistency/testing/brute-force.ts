import { type Access, foundIn, type History, valueKey, writes } from '../history.ts';

/** All orders of accesses in which each comes when it `mayComeFirst` of those that are left. */
function* orders(
  history: History,
  mayComeFirst: (one: Access, others: History) => boolean,
): Generator<History> {
  if (history.length === 0) yield [];
  for (const one of history) {
    const others = history.filter((other) => other !== one);
    if (mayComeFirst(one, others)) for (const rest of orders(others, mayComeFirst)) yield [one, ...rest];
  }
}

/** True when the values are those of one access after another on memory cells that are null at first. */
export function works(order: History): boolean {
  const memory = new Map<string, string>();
  return order.every((access) => {
    const held = memory.get(access.location) ?? valueKey(null);
    if (writes(access)) memory.set(access.location, valueKey(access.value));
    return access.kind === 'write' || held === valueKey(foundIn(access));
  });
}

const inTime = (one: Access, others: History) => others.every((other) => !(other.responded! < one.invoked));
const inProgram = (one: Access, others: History) =>
  others.every((other) => other.process !== one.process || other.invoked > one.invoked);

const some = (all: Iterable<History>, holds: (order: History) => boolean): boolean => {
  for (const order of all) if (holds(order)) return true;
  return false;
};

/** Verdicts by trying every order. Each access must have an answer, and each process must do one thing at a time. */
export const brute = {
  linearizable: (history: History, holds = works) => some(orders(history, inTime), holds),
  sequentiallyConsistent: (history: History) => some(orders(history, inProgram), works),
  coherent: (history: History) =>
    [...new Set(history.map(({ location }) => location))].every((location) =>
      brute.sequentiallyConsistent(history.filter((one) => one.location === location)),
    ),
};
