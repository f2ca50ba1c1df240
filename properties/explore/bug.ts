import type { FailureKind } from './trial.ts';

/**
 * A name that failures share which are the same bug: kind and words of the failure without the indices of actors, each word once.
 *
 * Details: a generated scenario has its own number of actors, so "who is stuck" must not depend on how many of them are.
 */
export function bugOf({ verdict, what }: FailureKind): string {
  const words = what.replace(/\[\d+\]/g, '[]').split(', ');
  return `${verdict}: ${[...new Set(words)].sort().join(', ')}`;
}
