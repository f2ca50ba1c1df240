/** Work that stops between its slices, so that whoever carries it on can do something else meanwhile; what it comes to does not depend on that. Told true, it may end where it stands. */
export type Slices<T> = Generator<undefined, T, boolean | undefined>;

/** Carries it out without a break. */
export function through<T>(slices: Slices<T>): T {
  for (;;) {
    const next = slices.next();
    if (next.done) return next.value;
  }
}
