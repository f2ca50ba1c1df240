import type { Constraint } from './constraints.ts';
import { type Access, accessWords, type History } from './history.ts';

/** One of the ways in which a history could have come about, and why it cannot be. */
export interface Case {
  /** What is supposed: which write a read saw (none: the first value), or which of two accesses came first. */
  readonly supposed: readonly (
    | { readonly read: Access; readonly source: Access | undefined }
    | { readonly before: Access; readonly after: Access }
  )[];
  /** Constraints that go round, each leading on to the next: a shortest circle. */
  readonly circle: readonly Constraint[];
}

/** Why a history is inconsistent. */
export interface Refutation {
  /** A part of the history that is inconsistent by itself, of which nothing can be left out: no read, and no write with the reads of its value. */
  readonly accesses: History;
  /** One of them reads a value that nobody wrote. */
  readonly unwritten?: Access;
  /** All the ways it could have come about; one, with nothing supposed, where it is clear who read from whom and in which order was written. */
  readonly cases: readonly Case[];
}

/** What an oracle says of a history. */
export type Verdict =
  | {
      readonly verdict: 'consistent';
      /** An order in which one access after another gives these values, of each location by itself where an oracle judges them by themselves. */
      readonly witness: History;
    }
  | ({ readonly verdict: 'inconsistent' } & Refutation)
  | { readonly verdict: 'undecided'; readonly steps: number };

/** A circle of constraints in one sentence: `"p writes x = 1" before "q reads x = null" (real time), …`. */
export const circleWords = (circle: readonly Constraint[]): string =>
  circle
    .map(({ before, after, reason }) => `"${accessWords(before)}" before "${accessWords(after)}" (${reason})`)
    .join(', ');

/** Why a history is inconsistent, in one paragraph. */
export function refutationWords({ accesses, unwritten, cases }: Refutation): string {
  if (unwritten) return `"${accessWords(unwritten)}", which nobody wrote`;
  if (cases.length === 0)
    return `no order explains ${accesses.map((one) => `"${accessWords(one)}"`).join(', ')}`;
  return cases.map(caseWords).join('; ');
}

function caseWords({ supposed, circle }: Case): string {
  if (supposed.length === 0) return circleWords(circle);
  const words = supposed.map((one) => {
    if ('before' in one) return `"${accessWords(one.before)}" before "${accessWords(one.after)}"`;
    const source = one.source ? `what "${accessWords(one.source)}" wrote` : 'the first value';
    return `"${accessWords(one.read)}" saw ${source}`;
  });
  return `if ${words.join(' and ')}: ${circleWords(circle)}`;
}
