import type { Pattern } from './pattern.ts';

/** The types that patterns look at, each once. */
export const typesOf = (...patterns: readonly Pattern[]): readonly string[] => [
  ...new Set(patterns.flatMap(({ types }) => types)),
];

/** Errors: when only some of the patterns of a sentence have keys, so that nothing would ever belong together. */
export function sameKeys(sentence: string, patterns: readonly Pattern[]): void {
  const sights = patterns.filter(({ types }) => types.length > 0);
  const [keyed, other] = [sights.find((one) => one.keyed), sights.find((one) => !one.keyed)];
  if (!keyed || !other) return;
  throw new Error(
    `"${sentence}": ${keyed.types.join(' or ')} has a key, ${other.types.join(' or ')} has none\n  help: give all patterns of the sentence a key, or none`,
  );
}
