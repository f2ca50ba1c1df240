import type { AnyStateNode } from 'xstate';
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

/** What a state says that it waits for; in words alone, or with on whom. */
export function declaredIn({ meta }: Pick<AnyStateNode, 'meta'>): WaitsFor | undefined {
  const declared = (meta as { waitsFor?: WaitsFor | string } | undefined)?.waitsFor;
  return typeof declared === 'string' ? { what: declared } : declared;
}

/** What an actor in a waiting state waits for, as its states declare it. */
export function waitingOf(part: Actor, nameOf: (address: Address) => string): Waiting {
  const waiting = part.configuration.nodes.filter((node) => node.tags.includes('waiting'));
  const declared = waiting.map(declaredIn).filter((found) => found !== undefined);
  const on = declared.flatMap((one) => one.on?.(part.context) ?? []);
  return {
    actor: part.name,
    state: part.configuration.name,
    since: part.since,
    waitsFor: declared.map((one) => one.what).join(' and ') || waysOut(waiting),
    on: [...new Set(on)].map((address) => nameOf(address as Address)),
  };
}

/** What takes an actor out of states that do not say what they wait for: the types of events that lead to another state. */
function waysOut(nodes: readonly AnyStateNode[]): string {
  const types = nodes
    .flatMap((node) => withParents(node))
    .flatMap((node) => [...node.transitions])
    .filter(([, ways]) => ways.some(({ target }) => target?.some((one) => !nodes.includes(one))))
    .map(([type]) => type)
    // Without a name, or of any name: an `always`, and `*`.
    .filter((type) => type !== '' && !type.includes('*'));
  return [...new Set(types)].join(' or ') || 'a message';
}

const withParents = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent ? [node, ...withParents(node.parent)] : [node];
