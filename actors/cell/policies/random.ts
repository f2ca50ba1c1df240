/** Spreads any integer seed over a non-zero start state of `nextRandom`; 32 bits, unsigned. */
export function randomState(seed: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) | 1) >>> 0;
}

/** One step of xorshift32 (Cell specification 18.1): the next state, which is also the random number, 1..2^32-1. */
export function nextRandom(state: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}
