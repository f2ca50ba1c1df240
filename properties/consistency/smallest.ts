import { type Access, foundIn, type History, reads, valueKey, writes } from './history.ts';

/**
 * A part of a history that still `fails`, of which nothing can be left out.
 *
 * Why a write goes only together with the reads of its value: without it they would read what nobody wrote, or, wrongly, what another write of the same value
 * wrote. Left out like this, what is consistent stays consistent, so a smallest part that fails shows a fault of the whole.
 */
export function smallest(history: History, fails: (part: History) => boolean): History {
  let rest = history;
  for (let size = Math.ceil(history.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const whole = rest;
    for (let at = 0; at < whole.length; at += size) {
      const part = without(rest, whole.slice(at, at + size));
      if (part.length < rest.length && fails(part)) rest = part;
    }
  }
  return rest;
}

/** Leaves accesses out, with those that read what they wrote, and so on. */
export function without(history: History, accesses: readonly Access[]): History {
  const gone = new Set(accesses);
  const lost = new Set<string>();
  for (let grows = true; grows; ) {
    for (const access of gone) if (writes(access)) lost.add(`${access.location} ${valueKey(access.value)}`);
    const readers = history.filter(
      (one) => !gone.has(one) && reads(one) && lost.has(`${one.location} ${valueKey(foundIn(one))}`),
    );
    for (const reader of readers) gone.add(reader);
    grows = readers.length > 0;
  }
  return history.filter((access) => !gone.has(access));
}
