/** An access to a memory, as the process that made it saw it. */
export interface Access {
  readonly process: string;
  readonly kind: 'read' | 'write';
  readonly location: string;
  /** What was written, or what the read came back with. */
  readonly value: unknown;
  /** When it began and when its answer came, in any unit that grows; an access without an answer has none and may take effect or not. */
  readonly invoked: number;
  readonly responded?: number;
}

/** Accesses of all processes, in any order. */
export type History = readonly Access[];

/** What is asked of a history besides its order. */
export interface OracleOptions {
  /** Value of every location before the first write; null when absent. */
  readonly initial?: unknown;
  /** Search steps before the answer is "undecided"; 1,000,000 when absent. */
  readonly budget?: number;
}

/** Why one access must come before another: in its process, in time, since it was read, since it was written over, since it was written before. */
export type Reason = 'program order' | 'real time' | 'reads from' | 'from read' | 'write order';

/** One access that must come before another. */
export interface Constraint {
  readonly before: Access;
  readonly after: Access;
  readonly reason: Reason;
}

/** What an oracle says of a history. */
export type Verdict =
  | {
      readonly verdict: 'consistent';
      /** An order in which one access after another gives these values. */
      readonly witness: readonly Access[];
    }
  | {
      readonly verdict: 'inconsistent';
      /** A part of the history that is inconsistent by itself, and none of it can be left out. */
      readonly accesses: readonly Access[];
      /** Constraints that go round, each to the next; empty where no single circle tells it: then every order of the writes fails. */
      readonly cycle: readonly Constraint[];
    }
  | { readonly verdict: 'undecided'; readonly steps: number };

/** Values as keys: equal in content, equal in text. */
export const valueKey = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** The accesses of each process in the order in which they began. */
export function programsOf(history: History): readonly (readonly Access[])[] {
  const programs = new Map<string, Access[]>();
  for (const access of history) {
    const known = programs.get(access.process);
    if (known) known.push(access);
    else programs.set(access.process, [access]);
  }
  return [...programs.values()].map((list) => list.sort((a, b) => a.invoked - b.invoked));
}

/** An access in words: `p writes x = 3`. */
export const accessWords = ({ process, kind, location, value }: Access): string =>
  kind === 'write'
    ? `${process} writes ${location} = ${valueKey(value)}`
    : `${process} reads ${location} = ${valueKey(value)}`;

/** A circle of constraints in one sentence. */
export const cycleWords = (cycle: readonly Constraint[]): string =>
  cycle
    .map(({ before, after, reason }) => `"${accessWords(before)}" before "${accessWords(after)}" (${reason})`)
    .join(', ');
