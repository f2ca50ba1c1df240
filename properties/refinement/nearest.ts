import { valueText } from '../../kernel/value-text.ts';
import { type Differing, differing } from './differing.ts';

/** What is most like something that was found, and in what it differs. */
export interface Nearest {
  readonly what: unknown;
  /** In the order of its fields: what was possible, and what was found. */
  readonly differs: readonly Differing[];
  readonly words: string;
}

/** The candidate that differs from what was found in the fewest places, the first of several; undefined when there is none. */
export function nearestOf(found: unknown, candidates: readonly unknown[]): Nearest | undefined {
  let best: Omit<Nearest, 'words'> | undefined;
  for (const what of candidates) {
    const differs = differing(what, found);
    if (!best || differs.length < best.differs.length) best = { what, differs };
  }
  return best && { ...best, words: best.differs.map(differenceWords).join(', ') };
}

/** A difference from what was possible, in words: `result: expected "A", found "B"`. */
export const differenceWords = ({ path, one, other }: Differing): string =>
  `${path === '' ? '' : `${path}: `}expected ${valueText(one)}, found ${valueText(other)}`;
