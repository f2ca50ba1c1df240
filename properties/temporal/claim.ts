import type { Found, Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { type Moment, type Pattern, refuseMeaning } from './pattern.ts';

/** The types that patterns look at, each once. */
export function watching(...patterns: readonly Pattern[]): Pick<Observer, 'watches' | 'names'> {
  const all = (of: (pattern: Pattern) => readonly string[]) => [...new Set(patterns.flatMap(of))];
  const names = all((one) => one.names ?? []);
  return { watches: all(({ types }) => types), ...(names.length > 0 && { names }) };
}

/** Errors: when only some of the patterns of a sentence have keys, so that nothing would ever belong together. */
export function sameKeys(sentence: string, patterns: readonly Pattern[]): void {
  for (const one of patterns)
    if (typeof (one as Pattern | undefined)?.matches !== 'function') refuseMeaning(one);
  const observations = patterns.filter(({ types }) => types.length > 0);
  const [keyed, other] = [observations.find((one) => one.keyed), observations.find((one) => !one.keyed)];
  if (!keyed || !other) return;
  throw new Error(
    `"${sentence}": ${keyed.types.join(' or ')} has a key, ${other.types.join(' or ')} has none\n  help: give all patterns of the sentence a key, or none`,
  );
}

/** What an observer looks at when a sentence looks at moments of these patterns. */
export const seeing = <Memory extends object>(
  patterns: readonly Pattern[],
  look: (memory: Memory, moment: Moment, met: (key: string) => void) => Found | undefined,
): Pick<Observer<Memory>, 'see' | 'seeState' | 'keepsNothing'> => ({
  keepsNothing: true,
  see: (memory, observation, met = nobody) => look(memory, observation, met),
  ...(patterns.some(({ ofStates }) => ofStates) && {
    seeState: (memory: Memory, state: GlobalState, met = nobody) =>
      look(memory, { kind: 'state', state }, met),
  }),
});

const nobody = () => {};

/**
 * How the memory of a sentence is exchanged, when all that it is about means actors alike; nothing otherwise.
 *
 * Details: then the explorer may take actors for each other (`check --symmetry`); without it the report warns.
 */
export const exchanging = <Memory extends object>(
  patterns: readonly Pattern[],
  exchange: NonNullable<Observer<Memory>['exchange']>,
): Pick<Observer<Memory>, 'exchange'> => (patterns.every(({ alike }) => alike) ? { exchange } : {});

/** Keys after two actors have changed places, ascending. */
export const exchangedKeys = (keys: readonly string[], nameOf: (name: string) => string): readonly string[] =>
  keys.map(nameOf).sort();
