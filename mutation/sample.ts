import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Mutant } from './mutant.ts';

/** Mutants in an order that the seed decides: a smaller sample of a seed is the beginning of a larger one. */
export function* drawn(mutants: readonly Mutant[], seed: number): Generator<Mutant> {
  const random = xoroshiro128plus(seed);
  const left = [...mutants];
  for (let count = left.length; count > 0; count--) {
    const at = uniformInt(random, 0, count - 1);
    const one = left[at]!;
    left[at] = left[count - 1]!;
    yield one;
  }
}
