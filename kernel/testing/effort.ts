/** True in `npm run test:long`. */
const inFull = Boolean(process.env['TEST_LONG']);

/**
 * How many cases a test draws: `short` in `npm test`, which everybody waits for, `long` in `npm run test:long`. What a test is about is tried by both; counts that
 * it expects of what it drew are in proportion.
 */
export const effort = <T>({ short, long }: { readonly short: T; readonly long: T }): T =>
  inFull ? long : short;
