/** A program of the toy machine: every player hits as strongly as the round has passed. */
export const byRound = (round: number, player: number): number => round + player;

/** Not a program. */
export const notAProgram = 7;
