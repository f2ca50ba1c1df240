import type { Hasher } from './hash.ts';

/**
 * State that a context owns but that is not plain data: memories, ring boards, running programs.
 *
 * Use when a part needs typed arrays or a generator. Details: recipes change a resource in place in every
 * engine; the kernel forks it whenever a snapshot is taken or restored, so a fork must cost little
 * (copy on write).
 */
export interface Resource {
  /** An independent copy: changes to either side never show on the other. */
  fork(): Resource;
  /** Feeds everything that matters for the future of a run to the hasher. */
  hash(into: Hasher): void;
  /** What an explanation shows of it to a reader, as plain data in few words; a resource without it is not shown. */
  describe?(): unknown;
}

/** True for values that follow the `Resource` protocol. */
export function isResource(value: object): value is Resource {
  return (
    typeof (value as Partial<Resource>).fork === 'function' &&
    typeof (value as Partial<Resource>).hash === 'function'
  );
}

/** A value that never changes during a run: shared by snapshots, left out of fingerprints. */
export class Fixed<T> implements Resource {
  constructor(readonly value: T) {}
  fork(): Fixed<T> {
    return this;
  }
  hash(): void {}
}

/** Wraps what never changes (tables, functions, specifications) so that a context may hold it. */
export const fixed = <T>(value: T): Fixed<T> => new Fixed(value);
