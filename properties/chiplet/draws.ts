/** Numbers drawn before, taken one after the other; zeros behind their end. */
export class Draws {
  readonly #draws: readonly number[];
  #at = 0;
  constructor(draws: readonly number[]) {
    this.#draws = draws;
  }
  below(count: number): number {
    return (this.#draws[this.#at++] ?? 0) % count;
  }
  once(one: number): boolean {
    return this.below(one) === one - 1;
  }
  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
}
