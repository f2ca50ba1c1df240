import { RandomChoices } from '../../kernel/choices.ts';

/** Draws what a case is made of: the same for the same seed and number. */
export class Draw {
  readonly #choices: RandomChoices;

  constructor(seed: number, index: number) {
    this.#choices = new RandomChoices((seed * 1_000_003 + index) >>> 0);
  }

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    return this.#choices.pick('', Math.max(1, count));
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** True once in so many times. */
  onceIn(count: number): boolean {
    return this.below(count) === 0;
  }
}
