import type { Actor } from './actor.ts';
import type { Address } from './message.ts';
import type { Deadlock, Waiting, WaitsFor } from './outcome.ts';

/** The deadlock of a run that has gone quiet: who waits, since when, for what; undefined when nobody waits. */
export function findDeadlock(
  parts: readonly Actor[],
  tick: number,
  nameOf: (address: Address) => string,
): Deadlock | undefined {
  const waiting = parts.filter((part) => part.configuration.waiting).map((part) => describe(part, nameOf));
  if (waiting.length === 0) return undefined;
  return { tick, waiting, cycle: findCycle(waiting) };
}

function describe(part: Actor, nameOf: (address: Address) => string): Waiting {
  const declared = part.configuration.nodes
    .filter((node) => node.tags.includes('waiting'))
    .map((node) => (node.meta as { waitsFor?: WaitsFor } | undefined)?.waitsFor)
    .filter((found) => found !== undefined);
  const on = declared.flatMap((one) => one.on?.(part.context) ?? []);
  return {
    actor: part.name,
    state: part.configuration.name,
    since: part.since,
    waitsFor: declared.map((one) => one.what).join(' and ') || 'a message',
    on: [...new Set(on)].map((address) => nameOf(address as Address)),
  };
}

/** The first circle of actors that wait for each other, in the order of waiting. */
function findCycle(waiting: readonly Waiting[]): readonly string[] {
  const waitsOn = new Map(
    waiting.map((one) => [one.actor, one.on.filter((name) => waiting.some((other) => other.actor === name))]),
  );
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (actor: string): readonly string[] | undefined => {
    const at = path.indexOf(actor);
    if (at >= 0) return path.slice(at);
    if (finished.has(actor)) return undefined;
    path.push(actor);
    for (const next of waitsOn.get(actor) ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    finished.add(actor);
    return undefined;
  };
  for (const { actor } of waiting) {
    const found = visit(actor);
    if (found) return found;
  }
  return [];
}
