import { exitCodes } from './exit-codes.ts';

/** A mistake in what the user wrote: what was found, what was expected, what helps. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    readonly what: string,
    readonly help: string,
    /** Exit code, 2 unless a specification names another for this verb. */
    readonly exitCode: number = exitCodes.usage,
  ) {
    super(`${what}\n  help: ${help}`);
  }
}
