import type { Actor } from './actor.ts';
import type { Address } from './message.ts';
import type { Deadlock, Waiting, WaitsFor } from './outcome.ts';
import { findCycle } from './wait-cycle.ts';

/** The deadlock of a run that has gone quiet: who waits, since when, for what; undefined when nobody waits. */
export function findDeadlock(
  parts: readonly Actor[],
  tick: number,
  nameOf: (address: Address) => string,
): Deadlock | undefined {
  const waiting = parts.filter((part) => part.configuration.waiting).map((part) => waitingOf(part, nameOf));
  if (waiting.length === 0) return undefined;
  return { tick, waiting, cycle: findCycle(new Map(waiting.map(({ actor, on }) => [actor, on]))) };
}

/** What an actor in a waiting state waits for, as its states declare it. */
export function waitingOf(part: Actor, nameOf: (address: Address) => string): Waiting {
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
