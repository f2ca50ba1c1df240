/** A mistake in what the user wrote: what was found, what was expected, what helps. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    readonly what: string,
    readonly help: string,
    /** Exit code, that of wrong usage of the verb when absent. */
    readonly exitCode?: number,
  ) {
    super(`${what}\n  help: ${help}`);
  }
}
