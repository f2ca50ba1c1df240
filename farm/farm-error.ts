/** What keeps a farm from going on: where, what was found and expected, and what helps. */
export class FarmError extends Error {
  override readonly name = 'FarmError';
  constructor(
    readonly what: string,
    readonly help: string,
  ) {
    super(`${what}\n  help: ${help}`);
  }
}
