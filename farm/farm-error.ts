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

/** For a place without a campaign in it. */
export const noFarmIn = (place: string): FarmError =>
  new FarmError(
    `${place}: found no farm in it, expected the tables that \`lockstep farm add\` makes`,
    'add a campaign first, or check the address',
  );
