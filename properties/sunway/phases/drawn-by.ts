import type fc from 'fast-check';

/** What an arbitrary generates. */
export type DrawnBy<Drawing> = Drawing extends fc.Arbitrary<infer Drawn> ? Drawn : never;
