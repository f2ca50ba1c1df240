import { KernelError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';

/** That something is not as it should be, in words that an exploration and a run have in common. */
export interface Claim {
  readonly verdict: 'violated' | 'deadlock' | 'livelock' | 'error';
  /** The sentence that does not hold, the code of the error, who waits, or what does not end. */
  readonly what: string;
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  readonly why: string;
}

/** A delivery, as far as a circle of them is told. */
export interface Delivered {
  readonly type: string;
  /** Name of the receiver. */
  readonly to: string;
}

/** How many of the last deliveries a tick that does not come back to a state is judged by. */
export const recentMax = 256;

/** What is said of actors that wait when nothing more happens, in the order of their addresses. */
export const deadlockOf = (
  waiting: readonly { readonly actor: string; readonly state: string }[],
): Claim => ({
  verdict: 'deadlock',
  what: waiting.map(({ actor, state }) => `${actor} in ${state}`).join(', '),
  actors: waiting.map(({ actor }) => actor),
  why: 'nothing more happens, and they wait',
});

/** What is said of deliveries that repeat without end in one tick. */
export function livelockOf(circle: readonly Delivered[]): Claim {
  const types = [...new Set(circle.map(({ type }) => type))].sort();
  const what = `${types.join(', ')} without end in one tick`;
  const actors = [...new Set(circle.map(({ to }) => to))].sort();
  return { verdict: 'livelock', what, actors, why: what };
}

/** True for claims that say the same. */
export const isSame = (one: Claim, other: Claim): boolean =>
  one.verdict === other.verdict &&
  one.what === other.what &&
  one.why === other.why &&
  one.actors.join('\n') === other.actors.join('\n');

/** True for claims that say of one sentence that it does not hold, because of the same actors. */
export const isSameInOtherWords = (one: Claim, other: Claim): boolean =>
  one.verdict === 'violated' &&
  other.verdict === 'violated' &&
  one.what === other.what &&
  one.actors.toSorted().join('\n') === other.actors.toSorted().join('\n');

/** What claims have in common that differ only in numbers of actors and in reasons: the verdict, and what is wrong. */
export const kindOf = ({ verdict, what }: Claim): string =>
  `${verdict} ${[...new Set(what.replace(/\[\d+\]/g, '[*]').split(', '))].sort().join(', ')}`;

/** A claim as a line for reports. */
export const claimText = ({ verdict, what, actors, why }: Claim): string =>
  `${verdict} "${what}" (${actors.join(', ') || 'no actor'}): ${why}`;

/** All that a run came to. `circle` is what it delivered last. */
export function claimsOf(
  { violations, failure, deadlock, livelock }: Outcome,
  circle: readonly Delivered[],
): readonly Claim[] {
  const claims: Claim[] = violations.map(({ property, actors, why }) => ({
    verdict: 'violated',
    what: property,
    actors,
    why,
  }));
  if (failure) {
    const what = failure.error instanceof KernelError ? failure.error.code : failure.message;
    claims.push({ verdict: 'error', what, actors: [failure.actor], why: failure.message });
  }
  if (deadlock) claims.push(deadlockOf(deadlock.waiting));
  if (livelock) claims.push(livelockOf(circle));
  return claims;
}
