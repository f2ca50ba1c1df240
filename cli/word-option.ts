import { didYouMean } from '../scenarios/nearest.ts';
import { UsageError } from './usage-error.ts';

/** Reads the value of an option that is one of a few words. Errors: `UsageError` with the nearest of them. */
export const wordOption =
  <W extends string>(name: string, words: readonly W[]) =>
  (text: string): W => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new UsageError(
      `${name}: found "${text}", expected ${words.join(' or ')}`,
      didYouMean(text, words, `values of ${name}`),
    );
  };

/** The engines that carry out a run: from compiled tables, or interpreted by XState (design, section 3). */
export const engines = ['compiled', 'xstate'] as const;
